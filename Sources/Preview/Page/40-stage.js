// The device bar: device, orientation, window and look. The screen is drawn to scale.
const stageParts = {};

function segment(label, names, chosen, choose) {
  return make("div", { class: "segment wide", role: "group", "aria-label": label }, names.map((name,
      place) =>
    make("button", { type: "button", "aria-pressed": String(place === chosen), onclick: () =>
        choose(place) }, titled(name))));
}

function field(label, control) {
  return make("label", { class: "field" }, make("span", null, label), control);
}

function deviceSelect() {
  const groups = new Map();
  data.devices.forEach((one, place) => {
    const name = idiomNames[one.idiom] || one.idiom;
    if (!groups.has(name)) groups.set(name, make("optgroup", { label: name }));
    groups.get(name).append(make("option", { value: String(place) },
    `${one.name} (${one.id})`));
  });
  return make("select", { onchange: event => chooseDevice(Number(event.target.value)) }, [...groups
    .values()
  ]);
}

function stepDevice(step) {
  const count = data.devices.length;
  chooseDevice((state.device + step + count) % count);
}

/** On narrow screens all but the device is folded away. */
function stageToggle() {
  const toggle = make("button", { class: "step more", type: "button", "aria-expanded": "false",
    onclick: () => toggle.setAttribute("aria-expanded",
      String(byId("stage").classList.toggle("open"))) }, "Window, style");
  return toggle;
}

function buildStage() {
  const parts = stageParts;
  parts.select = deviceSelect();
  parts.box = make("div", { class: "screen-box" });
  parts.windows = make("div", { class: "windows", role: "group", "aria-label": "Window" });
  parts.turns = make("div");
  parts.looks = make("div", { class: "looks" });
  parts.facts = make("dl", { class: "facts" });
  byId("stage").append(
    make("div", { class: "stage-row" }, field("Device", parts.select),
      make("button", { class: "step", type: "button", "aria-label": "Previous device",
        title: "Previous device  [", onclick: () => stepDevice(-1) }, "‹"),
      make("button", { class: "step", type: "button", "aria-label": "Next device",
        title: "Next device  ]", onclick: () => stepDevice(1) }, "›"), stageToggle()),
    parts.box, parts.turns, parts.windows, parts.looks, parts.facts);
  drawStage();
  whenChanged(drawStage);
}

/** Returns the orientation of the device: windows of any orientation keep the previous one. */
let lastTurn = "portrait";

function heldAs() {
  const window = shownWindow();
  if (window.o !== "any") lastTurn = window.o;
  else if (!device().windows.some(other => other.o === lastTurn)) lastTurn = "any";
  return lastTurn;
}

/** Turns the device, and keeps the kind of window. */
function rotate() {
  const window = shownWindow(),
    windows = device().windows;
  const wanted = heldAs() === "portrait" ? "landscape" : "portrait";
  const rank = other => other.o !== wanted ? 9 : (other.m === window.m ? 0 : other.m === "full" ?
    2 : 4) + (other.w === window.w ? 0 : 1);
  if (window.o === "any") {
    lastTurn = wanted;
    return change({ window: state.window });
  }
  const best = windows.reduce((best, other, place) => rank(other) < rank(windows[best]) ? place :
    best, 0);
  if (windows[best].o === wanted) change({ window: best, free: null });
}

/** Returns the size of the screen in points, turned as the window requires. */
function screenSize(one, window) {
  const points = displayOf(one, window).pt || [400, 300];
  const isTurned = window.o === "landscape" || window.o === "any" && one === device() &&
  heldAs() === "landscape";
  const [short, long] = points[0] <= points[1] || window.o === "any" && !isTurned ? points : [
    points[1], points[0]
  ];
  return isTurned ? [long, short] : [short, long];
}

/** Returns the place of a window on its screen. */
function paneOf(one, window, free) {
  const [width, height] = screenSize(one, window);
  const size = free || window.p;
  if (window.m === "full" || window.m === "unfolded" || !size && !isFree(window)) {
    return { x: 0, y: 0, width, height, kind: "" };
  }
  const [w, h] = size || [Math.min(width, window.w === "compact" ? 500 : width * .8), height * .7];
  if (window.m === "slide-over") return { x: width - w - 12, y: (height - Math.min(h, height -
      24)) / 2, width: w, height: Math.min(h, height - 24), kind: "floating" };
  if (isFree(window)) {
    return { x: (width - w) / 2, y: (height - h) / 2, width: Math.min(w, width), height: Math.min(h,
        height), kind: "floating" };
  }
  return { x: 0, y: 0, width: w, height: Math.min(h, height), kind: "part" };
}

function drawStage() {
  const parts = stageParts,
    one = device(),
    window = shownWindow();
  parts.select.value = String(state.device);
  byId("printed").textContent = `${one.name}, ${windowName(window).toLowerCase()}, `
    + `${looks.styles[state.style]}`;
  drawScreen(parts.box, one, window);
  const held = heldAs();
  parts.windows.replaceChildren(...one.windows.flatMap((other, place) => other.o === held || other
    .o === "any" ? [windowButton(one, other, place)] : []));
  parts.windows.hidden = parts.windows.children.length < 2;
  const choices = [];
  const turns = ["portrait", "landscape"].filter(turn => one.windows.some(other => other.o ===
    turn));
  parts.turns.hidden = turns.length < 2;
  parts.turns.replaceChildren(segment("Orientation", turns, turns.indexOf(held), place => { if (
      turns[place] !== heldAs()) rotate(); }));
  if (looks.styles.length > 1) choices.push(segment("Style", looks.styles, state.style, style =>
    change({ style })));
  if (looks.contrasts.length > 1) {
    choices.push(segment("Contrast", looks.contrasts.map(name => `${name} contrast`), state
      .contrast, contrast => change({ contrast })));
  }
  if (looks.languages.length > 1) {
    const select = make("select", { onchange: event => change({ language: Number(event.target
            .value) }) },
      looks.languages.map(([tag, rtl], place) => make("option", { value: String(place) }, tag ===
        "" ? "no language" : tag + (rtl ? " (right to left)" : ""))));
    select.value = String(state.language);
    choices.push(field("Language of the user", select));
  }
  choices.push(field("Ground", groundSegment()));
  parts.looks.replaceChildren(...choices);
  const display = displayOf(one, window);
  const facts = [
    ["Model", one.id],
    ["Scale", display.scales.length ? display.scales.map(scale => `${scale}x`).join(", ") :
      "not known"
    ]
  ];
  if (display.pt) facts.push(["Points", sizeText(...display.pt)]);
  if (display.px) facts.push(["Pixels", sizeText(...display.px)]);
  facts.push(["Gamut", display.gamuts.join(", ") || "not known"]);
  if (one.supposed) facts.push(["Not confirmed", one.supposed.join(", ")]);
  parts.facts.replaceChildren(...facts.flatMap(([name, value]) => [make("dt", null, name), make(
    "dd", null, value)]));
}

function drawScreen(box, one, window) {
  const [width, height] = screenSize(one, window);
  const factor = Math.min(206 / width, 156 / height);
  const pane = paneOf(one, window, state.free);
  const px = value => `${Math.max(0, value * factor)}px`;
  const label = make("span", null, modeNames[window.m] || window.m,
    make("small", null, window.p || state.free ? sizeText(pane.width, pane.height) : window.m ===
      "full" && one.pt ? sizeText(width, height) : ""));
  const paneElement = make("div", { class: `pane ${pane.kind}`, style: { left: px(pane.x), top: px(
        pane.y), width: px(pane.width), height: px(pane.height) } }, label);
  if (isFree(window)) {
    paneElement.append(grip(one, window, pane, factor, paneElement));
  }
  const frame = make("div", { class: `device ${one.idiom}`, style: { width: px(width), height: px(
        height) } }, paneElement);
  if (one.idiom === "tv" || one.idiom === "mac") frame.style.borderRadius = "6px";
  box.replaceChildren(frame, make("div", { class: "classes" },
    classTag("w", window.w), classTag("h", window.h)));
}

const classTag = (letter, name) => make("span", { class: "class-tag", title: letter === "w" ?
      "width class" : "height class" },
  letter === "w" ? "width " : "height ", make("b", null, name || "not known"));

/** Makes the corner with which a free window is resized; its width class follows. */
function grip(one, window, pane, factor, element) {
  const handle = make("button", { class: "grip",
  type: "button", "aria-label": "Size of the free window; arrow keys change it" });
  const [screenWidth, screenHeight] = screenSize(one, window);
  const resize = (width, height) => {
    const size = [Math.round(Math.min(screenWidth, Math.max(280, width))), Math.round(Math.min(
      screenHeight, Math.max(280, height)))];
    const wanted = size[0] < data.undecided[2] ? "compact" : "regular";
    const place = one.windows.findIndex(other => other.m === window.m && other.o === window.o && (
      other.w || wanted) === wanted);
    change({ free: size, window: place < 0 ? state.window : place });
  };
  handle.addEventListener("pointerdown", event => {
    event.preventDefault();
    const start = [event.clientX, event.clientY];
    const box = stageParts.box;
    box.setPointerCapture(event.pointerId);
    const move = moved => resize(pane.width + 2 * (moved.clientX - start[0]) / factor, pane
      .height + 2 * (moved.clientY - start[1]) / factor);
    box.addEventListener("pointermove", move);
    box.addEventListener("pointerup", () => box.removeEventListener("pointermove",
    move), { once: true });
  });
  handle.addEventListener("keydown", event => {
    const step = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0,
        20
      ] } [event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    resize(pane.width + step[0], pane.height + step[1]);
    stageParts.box.querySelector(".grip")?.focus();
  });
  return handle;
}

/** Makes a small drawing of a screen with a window on it. */
function miniScreen(one, window, room) {
  const [width, height] = screenSize(one, window);
  const factor = Math.min(room / width, room / height);
  const pane = paneOf(one, window, null);
  const px = value => `${Math.max(1, value * factor)}px`;
  return make("span", { class: "mini", style: { width: px(width), height: px(height) } },
    make("i", { style: { left: `${pane.x * factor}px`, top: `${pane.y * factor}px`, width: px(pane
          .width), height: px(pane.height) } }));
}

const windowName = window =>
  `${modeNames[window.m] || window.m}${window.o === "any" ? "" : ", " + window.o}` +
  (isFree(window) ? `, ${window.w || "any"} width` :
  "");

function windowButton(one, window, place) {
  return make("button", {
      type: "button",
      "aria-pressed": String(place === state.window),
      "aria-label": windowName(window),
      title: windowName(window),
      onclick: () => change({ window: place, free: null }),
    }, miniScreen(one, window, 34), (modeNames[window.m] || window.m),
    isFree(window) ? make("span", null, window.w ||
      "") : null);
}
