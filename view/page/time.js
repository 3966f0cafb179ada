// A run of the event model: what kernels and nets do at a time, chosen by a slider.
"use strict";

const time = view.run && (() => {
  const { run } = view;
  const host = by("time");
  host.hidden = false;
  const bar = html(host, "div", { class: "bar" });
  html(bar, "h2", {}, "Run");
  const play = html(bar, "button", { type: "button" }, "Play");
  const said = html(bar, "output", { id: "now" });
  const slider = html(host, "input", { type: "range", id: "slider", min: 0, max: Math.ceil(run.end), step: 1, value: 0, "aria-label": "Array cycle" });
  const frame = html(host, "div", { class: "strip" });
  const strip = html(frame, "canvas", { role: "img", "aria-label": "What each kernel does over time" });
  const row = html(frame, "div", { class: "row", hidden: "" });
  const hand = html(frame, "div", { class: "hand" });
  html(host, "p", { class: "note" }, "One row a kernel: green works, amber waits; a pixel shows its first cycle. " + (run.complete ? "" : "The run goes on: a page holds its first part. ") + "Times are array cycles of the event model, as in aiec report --trace.");

  // The slice at a time, by binary search: the last one that has begun and not ended.
  const at = (slices, now) => {
    let [low, high] = [0, slices.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (slices[middle][0] <= now) low = middle + 1;
      else high = middle;
    }
    const slice = slices[low - 1];
    return slice && now < slice[0] + slice[1] ? slice : null;
  };
  // What a kernel does at a time. The strip, the words and the boxes all ask here.
  const doing = (kernel, now = state.time) => {
    const slice = run.kernels[kernel] && at(run.kernels[kernel], now);
    return slice ? run.whats[slice[2]] : null;
  };
  const carrying = () => {
    const nets = new Set();
    for (const net of run.nets) {
      if (at(net.slices, state.time)) net.edges.forEach((edge) => nets.add(edge));
    }
    return nets;
  };

  // All slices, drawn once for each size and theme. Paper has the light one.
  const paint = (scheme = "inherit") => {
    const rows = run.kernels.length;
    const ratio = window.devicePixelRatio || 1;
    const wide = Math.max(strip.clientWidth, 200);
    const tall = Math.min(Math.max(rows * 4, 40), 160);
    strip.style.height = tall + "px";
    strip.width = wide * ratio;
    strip.height = tall * ratio;
    const context = strip.getContext("2d");
    const colour = (name) => {
      const probe = html(document.body, "i", { style: `color-scheme:${scheme};color:var(${name})` });
      const value = getComputedStyle(probe).color;
      probe.remove();
      return value;
    };
    const [works, waits] = ["--work", "--wait"].map(colour);
    context.scale(ratio, ratio);
    const high = tall / Math.max(rows, 1);
    // A pixel shows its first cycle. Pixels alike are one rectangle.
    run.kernels.forEach((_, kernel) => {
      let [from, what] = [0, doing(kernel, 0)];
      for (let pixel = 1; pixel <= wide; pixel += 1) {
        const next = pixel < wide ? doing(kernel, (pixel * run.end) / wide) : null;
        if (pixel < wide && next === what) continue;
        if (what) {
          context.fillStyle = what.waits ? waits : works;
          context.fillRect(from, kernel * high, pixel - from, Math.max(high - 0.4, 0.6));
        }
        [from, what] = [pixel, next];
      }
    });
  };

  // Marks the time and the row of the selected kernel.
  const point = () => {
    hand.style.left = `${(100 * state.time) / Math.max(run.end, 1)}%`;
    const node = state.selected ? state.selected.node : undefined;
    row.hidden = node === undefined || node >= run.kernels.length;
    row.style.top = `${(100 * (node || 0)) / run.kernels.length}%`;
    row.style.height = `${100 / run.kernels.length}%`;
  };

  const counts = () => {
    let [works, waits] = [0, 0];
    run.kernels.forEach((_, kernel) => {
      const what = doing(kernel);
      if (what) what.waits ? (waits += 1) : (works += 1);
    });
    return [works, waits];
  };
  const show = () => {
    slider.value = state.time;
    const [works, waits] = counts();
    const carried = carrying();
    said.textContent = `cycle ${number(state.time)} of ${number(run.end)}: ${works} work, ${waits} wait, ${plural(carried.size, "connection")} in transfer`;
    const running = state.time > 0;
    for (const pane of [floor, graph]) {
      if (!pane) continue;
      pane.svg.classList.toggle("running", running);
      pane.boxes.forEach((box, kernel) => {
        const what = kernel < run.kernels.length ? doing(kernel) : null;
        const group = box.group || box;
        group.classList.toggle("works", running && what !== null && !what.waits);
        group.classList.toggle("waits", running && what !== null && what.waits);
      });
    }
    graph.paths.forEach((path, edge) => path.classList.toggle("carries", running && carried.has(edge)));
    if (floor) {
      floor.nets.forEach((net, index) => net && net.classList.toggle("carries", running && floor.edgesOfNet[index].some((edge) => carried.has(edge))));
    }
    mark();
    word();
  };
  // What the selected kernel does.
  const word = () => {
    point();
    const line = by("doing");
    const node = state.selected && state.selected.node;
    if (!line || node === undefined || node === null || node >= run.kernels.length) return;
    const what = doing(node);
    line.textContent = `At cycle ${number(state.time)}: ${what ? what.name : "idle"}.`;
  };
  const set = (now) => {
    state.time = Math.min(Math.max(now, 0), Math.ceil(run.end));
    show();
  };

  slider.addEventListener("input", () => set(Number(slider.value)));
  slider.addEventListener("change", () => link());
  strip.addEventListener("pointerdown", (event) => {
    set(Math.round((event.offsetX / strip.clientWidth) * run.end));
    link();
  });
  let timer = null;
  play.addEventListener("click", () => {
    if (timer) {
      clearInterval(timer);
      timer = null;
      play.textContent = "Play";
      link();
      return;
    }
    play.textContent = "Stop";
    timer = setInterval(() => set(state.time >= run.end ? 0 : Math.ceil(state.time + run.end / 200)), 50);
  });
  window.addEventListener("resize", () => paint());
  window.addEventListener("beforeprint", () => paint("light"));
  window.addEventListener("afterprint", () => paint());
  return { show, set, word, paint };
})();
