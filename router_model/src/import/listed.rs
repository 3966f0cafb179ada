//! `router.input`: a line for each net, `net0:100 S_MM2S_DMA_ch0_C25_R0 M_SHIM_SOUTH_ch0_C25`.
//!
//! The number is the demand, 100 for a whole stream. The first port is the source, the others are
//! sinks. More than one sink is an assumption: the known files have nets with a single sink.

use aiec_device::Device;
use aiec_diag::{SourceFile, Span};

use super::node::node;
use super::{Packets, Read, VendorEnds, VendorNet, errors};

/// The nets of the file.
pub(super) fn read(file: &SourceFile, device: &Device) -> Read<Vec<VendorNet>> {
    let mut nets = Vec::new();
    let mut start = 0;
    for (number, line) in file.text.split_inclusive('\n').enumerate() {
        let span = file.span_at(start..start + line.trim_end().len());
        start += line.len();
        let line = line.trim_start_matches(super::BYTE_ORDER_MARK).trim();
        if !line.is_empty() && !line.starts_with(['#', '/']) {
            let net = net(line, span, device);
            nets.push(
                net.map_err(|reason| errors::bad_import(span, &format!("line {}", number + 1), &reason))?,
            );
        }
    }
    if nets.is_empty() {
        return Err(errors::bad_import(file.first_line(), "the file", "it names no net").into());
    }
    Ok(nets)
}

fn net(line: &str, span: Span, device: &Device) -> Result<VendorNet, String> {
    let mut words = line.split_whitespace();
    let head = words.next().and_then(|word| word.rsplit_once(':'));
    let (name, demand) = head.ok_or("a line starts with the name of a net, a colon and its demand")?;
    let demand: u32 = demand.parse().map_err(|_| format!("the demand `{demand}` is not a whole number"))?;
    let source = words.next().ok_or("the net has no source")?;
    let start = node(source, device)?;
    let source = start.end().filter(|_| start.slave).ok_or_else(|| format!("no net starts at `{source}`"))?;
    let sink = |word: &str| {
        let sink = node(word, device)?;
        let end = sink.end().filter(|_| !sink.slave);
        end.ok_or_else(|| format!("no net ends at `{word}`"))
    };
    let sinks = words.map(sink).collect::<Result<Vec<_>, String>>()?;
    if sinks.is_empty() {
        return Err("the net has no sink".into());
    }
    let ends = Some(VendorEnds { source, sinks });
    Ok(VendorNet {
        name: name.to_owned(),
        demand: Some(demand),
        ends,
        arcs: Vec::new(),
        packets: Packets::default(),
        span,
    })
}
