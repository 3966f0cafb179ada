// A picture that can be moved and scaled: by wheel, drag, buttons and keys.
"use strict";

// A layer of a picture. A selection dims the layer as one element and copies what is selected above
// it, so that a browser styles the copies alone. Lines in transfer do not step back.
function layer(parent, kind, name) {
  const host = draw(parent, "g", { class: kind, "data-layer": name });
  const rest = draw(host, "g", { class: "rest" });
  const front = draw(host, "g", { class: "front", "aria-hidden": "true" });
  const light = (some, chosen, main) => {
    const copy = (element) => {
      const it = element.cloneNode(true);
      if (chosen.includes(element)) it.classList.add(element === main ? "main" : "on");
      return it;
    };
    const above = new Set([...rest.getElementsByClassName("carries"), ...chosen]);
    front.replaceChildren(...[...above].filter(Boolean).map(copy));
    rest.classList.toggle("dim", some);
  };
  return { host, rest, light };
}

const middle = (box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

// `margin` is the room around the picture, in its unit.
function pane(id, name, size, margin, labels) {
  const host = by(id);
  const bar = html(host, "div", { class: "bar" });
  html(bar, "h2", {}, name);
  const frame = html(host, "div", { class: "frame" });
  const whole = { x: -margin, y: -margin, width: size[0] + 2 * margin, height: size[1] + 2 * margin };
  const svg = draw(frame, "svg", { tabindex: "0", role: "application", "aria-label": labels, viewBox: `${whole.x} ${whole.y} ${whole.width} ${whole.height}` });
  frame.style.setProperty("--aspect", String(whole.width / whole.height));
  // The part of the picture that the frame shows.
  let box = { ...whole };
  // The size of the frame in pixels, read when nothing waits for a layout: a selection that asks
  // for it would lay out the page in between.
  let client = [0, 0];
  // Pixels of the screen for a unit of the picture.
  const scaleOf = (part) => Math.min(client[0] / part.width, client[1] / part.height) || 1;
  const scale = () => scaleOf(box);
  // A transform of the element moves and scales what is laid out already. Another `viewBox` would
  // lay out every label again.
  const show = () => {
    const now = scale();
    const [x, y] = [middle(whole).x - middle(box).x, middle(whole).y - middle(box).y];
    svg.style.transform = `translate(${x * now}px, ${y * now}px) scale(${now / scaleOf(whole)})`;
  };
  const measure = () => {
    client = [frame.clientWidth, frame.clientHeight];
    show();
  };
  new ResizeObserver(measure).observe(frame);
  const zoom = (factor, at) => {
    const centre = at || middle(box);
    const most = Math.max(whole.width, whole.height) * 1.5;
    const width = Math.min(Math.max(box.width / factor, 60), most);
    const by = width / box.width;
    box = { x: centre.x + (box.x - centre.x) * by, y: centre.y + (box.y - centre.y) * by, width, height: box.height * by };
    show();
  };
  const fit = () => {
    box = { ...whole };
    show();
  };
  const place = (event) => {
    const { left, top } = frame.getBoundingClientRect();
    const [x, y] = [event.clientX - left - client[0] / 2, event.clientY - top - client[1] / 2];
    return { x: middle(box).x + x / scale(), y: middle(box).y + y / scale() };
  };
  const button = (text, title, action) => html(bar, "button", { type: "button", title, "aria-label": `${name}: ${title}` }, text).addEventListener("click", action);
  button("+", "closer", () => zoom(1.5));
  button("\u2212", "farther", () => zoom(1 / 1.5));
  button("Fit", "whole picture", fit);

  frame.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), place(event));
  }, { passive: false });
  let grip = null;
  frame.addEventListener("pointerdown", (event) => {
    grip = { x: event.clientX, y: event.clientY, box: { ...box }, moved: false };
  });
  frame.addEventListener("pointermove", (event) => {
    if (!grip || !event.buttons) return;
    const step = scale();
    const [dx, dy] = [event.clientX - grip.x, event.clientY - grip.y];
    if (!grip.moved && Math.abs(dx) + Math.abs(dy) < 5) return;
    if (!grip.moved) frame.setPointerCapture(event.pointerId);
    grip.moved = true;
    box = { ...grip.box, x: grip.box.x - dx / step, y: grip.box.y - dy / step };
    show();
  });
  const wasMoved = () => grip !== null && grip.moved;
  svg.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") zoom(1.5);
    else if (event.key === "-") zoom(1 / 1.5);
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
  });
  // Moves the picture to a place that the frame does not show, and scales it until `least` pixels
  // show a unit. At a side where the picture goes on, the last pixels show a part of a box alone.
  const reveal = (x, y, least) => {
    const now = scale();
    if (now < least) {
      const by = now / least;
      box = { x: x - (box.width * by) / 2, y: y - (box.height * by) / 2, width: box.width * by, height: box.height * by };
      show();
      return;
    }
    const inside = (at, centre, pixels, first, last) => {
      const [low, high] = [centre - pixels / now / 2, centre + pixels / now / 2];
      const edge = 12 / now;
      return at > (low > first ? low + edge : low) && at < (high < last ? high - edge : high);
    };
    const [shownX, shownY] = [
      inside(x, middle(box).x, client[0], whole.x, whole.x + whole.width),
      inside(y, middle(box).y, client[1], whole.y, whole.y + whole.height),
    ];
    if (!shownX || !shownY) {
      box = { ...box, x: x - box.width / 2, y: y - box.height / 2 };
      show();
    }
  };
  // Paper shows the whole picture.
  let kept = null;
  window.addEventListener("beforeprint", () => {
    kept = box;
    fit();
  });
  window.addEventListener("afterprint", () => {
    box = kept || box;
    show();
  });
  show();
  return { svg, frame, bar, measure, zoom, fit, reveal, wasMoved, place };
}
