//! Costs of connections whose packets are merged or split, of messages and of run-time parameters
//! (`aiec report --logp`), and how many packets a kernel takes.

use aiec_tests::aiec_on;
use serde_json::Value;

/// The costs of the connections of a design.
#[track_caller]
fn costs(design: &str) -> Vec<Value> {
    let ran = aiec_on("report", design, &[], &["--json", "--logp", "--effort", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    report["logp"]["connections"].as_array().expect("connections").clone()
}

/// Bytes, send, latency, receive and message of the connection into a port.
#[track_caller]
fn into(all: &[Value], port: &str) -> [f64; 5] {
    let one = all.iter().find(|one| one["to"] == port).expect("the connection");
    ["bytes", "send", "latency", "receive", "message"].map(|name| one[name].as_f64().unwrap_or(f64::NAN))
}

/// A merged packet has the words of its sender, and needs the way of a plain stream.
#[test]
fn a_merge_costs_the_words_of_the_sender_and_the_way() {
    let merged = "design d\ndevice xcvc1902
        kernel a(in x: window int32[16], out y: packets int32[16]) { source \"a.cc\" }
        kernel b(in x: window int32[16], out y: packets int32[16]) { source \"b.cc\" }
        kernel z(in y: packets int32[32], out o: window int32[16]) { source \"z.cc\" }
        input i from plio(128, \"i.txt\")\ninput j from plio(128, \"j.txt\")\noutput o to plio(64, \"o.txt\")
        connect i -> a.x\nconnect j -> b.x\nconnect a.y, b.y -> merge z.y\nconnect z.o -> o\n";
    let all = costs(merged);
    let [bytes, send, latency, receive, message] = into(&all, "z.y");
    assert_eq!([bytes, send, receive, message], [64.0, 16.0, 16.0, 16.0 + latency], "{all:#?}");
    assert!(latency >= 8.0, "the way over two switches at least: {all:#?}");
}

/// A branch of a split gets a packet of its own window.
#[test]
fn a_split_costs_the_bytes_of_its_branch() {
    let design = "design d\ndevice xcvc1902\niterations 12
        kernel w[6](in x: window int32[32], out y: window int32[32]) { source \"w.cc\" }
        input r from plio(32, \"r.txt\")\noutput a to plio(32, \"a.txt\")
        connect r -> split w.x\nconnect w.y -> merge a\n";
    let all = costs(design);
    assert_eq!(into(&all, "w[2].x")[0], 128.0);
    // 32 words and a header, of four cycles each at the port of the array.
    assert!(all.iter().all(|one| one["gap"] == 132.0), "{all:#?}");
}

/// No document states what a run-time parameter costs.
#[test]
fn parameters_have_no_costs() {
    let design = "design d\ndevice xcvc1902
        kernel p(in x: window int32[16], out y: window int32[16], out k: parameter int32) { source \"p.cc\" }
        kernel q(in x: window int32[16], in k: parameter int32, out y: window int32[16]) { source \"q.cc\" }
        input x from plio(64, \"x.txt\")\noutput y to plio(64, \"y.txt\")
        connect x -> p.x\nconnect p.y -> q.x\nconnect p.k -> q.k\nconnect q.y -> y\n";
    let all = costs(design);
    let one = all.iter().find(|one| one["to"] == "q.k").expect("the parameter");
    assert!(one["send"].is_null() && one["latency"].is_null() && one["basis"].is_null(), "{one:#}");
    assert!(into(&all, "q.x")[2] >= 0.0);
}

/// Requests and replies of a mailbox go the same ways.
#[test]
fn messages_have_a_latency_in_both_directions() {
    let design = "design d\ndevice xcvc1902\nkernel s { source \"s.cc\" stack 4 KiB }
        kernel c[4] { source \"c.cc\" stack 4 KiB }\nmailbox inbox over c { root s max 64 B }\n";
    let all = costs(design);
    let requests = all.iter().filter(|one| one["to"] == "s.inbox_in0");
    let latencies: Vec<f64> = requests.filter_map(|one| one["latency"].as_f64()).collect();
    assert!(latencies.len() == 4 && latencies.iter().all(|&latency| latency >= 8.0), "{all:#?}");
}

/// A firing of `z` takes a packet of each of three senders.
#[test]
fn a_kernel_takes_as_many_packets_from_a_merge_as_its_senders_send() {
    let design = "design d\ndevice xcvc1902\niterations 16
        kernel a[3](in x: window int32[16], out y: packets int32[16]) { source \"a.cc\" }
        kernel z(in y: packets int32[48], out o: window int32[16]) { source \"z.cc\" cycles 1000 }
        input x[3] from plio(128, \"x_{}.txt\")\noutput o to plio(64, \"o.txt\")
        connect x -> a.x\nconnect a.y -> merge z.y\nconnect z.o -> o\n";
    let ran = aiec_on("report", design, &[], &["--why", "--json", "--effort", "1"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let cycles = report["why"]["total_cycles"].as_f64().expect("a statement");
    assert!((16_000.0..24_000.0).contains(&cycles), "{cycles}");
}
