// One asset: its picture large, with overlays; its variants; the variant in each window of the
// device.
const detailView = { insets: true, slices: true, zoom: 0, stretch: null, asset: null };

function showDetail(changed) {
  const dialog = byId("detail"),
    asset = assetsById.get(state.asset);
  if (!asset) {
    if (dialog.open && !state.open) dialog.close();
    return;
  }
  if (changed.includes("asset")) Object.assign(detailView, { zoom: 0, stretch: null, asset });
  const focused = dialog.contains(document.activeElement) ? document.activeElement.dataset.keep :
    null;
  const scrolled = changed.includes("asset") ? 0 : dialog.scrollTop;
  dialog.classList.remove("fits");
  dialog.replaceChildren(detailHead(asset), ...detailBody(asset));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = scrolled;
  const keep = focused && dialog.querySelector(`[data-keep="${focused}"]`);
  if (keep) keep.focus();
}

byId("detail").addEventListener("close", () => {
  const id = state.asset;
  if (id) change({ asset: "" });
  const card = cardsById.get(id);
  const isFree = document.activeElement === document.body;
  if (card && card.isConnected && isFree) card.focus({ preventScroll: true });
});
byId("detail").addEventListener("click", event => {
  if (event.target === byId("detail")) byId("detail").close();
});

function stepAsset(step) {
  const here = shownAssets.findIndex(asset => asset.id === state.asset);
  const next = shownAssets[(here + step + shownAssets.length) % shownAssets.length];
  if (next) change({ asset: next.id });
}

function detailHead(asset) {
  return make("header", { class: "detail-head" },
    make("div", null, make("h2", { id: "detail-name", tabindex: "-1", autofocus: true }, nameText(
        asset.n)),
      make("p", { class: "muted" },
        `${titled(asset.k)}, ${plural(asset.v.length, "variant")}, ${bytesText(asset.bytes)}`)),
    make("div", { class: "head-tools" }, make("div", { class: "head-ground" }, groundSegment()),
      make("button", { class: "step", type: "button", "aria-label": "Previous asset",
        data: { keep: "before" }, onclick: () => stepAsset(-1) }, "‹"),
      make("button", { class: "step", type: "button", "aria-label": "Next asset",
        data: { keep: "next" }, onclick: () => stepAsset(1) }, "›"),
      make("button", { class: "step", type: "button", "aria-label": "Close",
      data: { keep: "close" }, onclick: () => byId("detail").close() }, "✕")));
}

function detailBody(asset) {
  const answer = currentAnswer(asset),
    variant = variantOf(asset, answer);
  const parts = [make("div", { class: "detail-top" }, bigPicture(asset, answer, variant),
    situationFacts(asset, answer, variant))];
  if (variant?.s) parts.push(stretchSection(asset, answer, variant));
  if (asset.v.some(one => one.c)) parts.push(colorSection(asset));
  if (asset.g?.length) parts.push(glyphSection(asset));
  if (asset.i) parts.push(iconLooks(asset));
  if (asset.l) parts.push(layerSection(asset));
  parts.push(variantSection(asset, answer), windowSection(asset));
  return parts;
}

const section = (title, ...children) => make("section", { class: "part" }, make("h3", null, title),
  ...children);

// MARK: - The picture

function bigPicture(asset, answer, variant) {
  const ground = make("div", { class: `big ground on-${groundName()}` });
  const shown = pictureOf(variant, screenScale());
  if (!shown) {
    ground.append(...lookOf(asset, answer));
    return make("div", { class: "big-box" }, ground);
  }
  const size = pointSize(variant, screenScale());
  const fitting = Math.min(520 / size[0], 330 / size[1]);
  const zoom = detailView.zoom || Math.max(.05, Math.min(8, fitting >= 1 ? Math.floor(fitting) :
    fitting));
  const isCrisp = zoom >= 2 && variant.p !== undefined;
  const label = `${asset.n}, ${keyText(asset, answer.w)}`;
  const canvas = make("canvas",
    { role: "img", "aria-label": label, id: "big-canvas", class: isCrisp ? "crisp" : "" });
  if (variant.tpl) canvas.classList.add("as-template");
  const frame = make("div", { class: "frame", style: { width: `${size[0] * zoom}px`,
      height: `${size[1] * zoom}px` } }, canvas);
  if (detailView.insets && variant.i) frame.append(insetOverlay(variant.i, zoom, answer.m));
  if (detailView.slices && variant.s) frame.append(...sliceGuides(variant.s, size, zoom, answer.m));
  ground.append(frame);
  drawPicture(canvas, shown.number, { mirrored: Boolean(answer.m), most: 4096 })
    .catch(() => ground.replaceChildren(quiet("No picture",
      `this browser cannot show ${data.pictures[shown.number].t.toUpperCase()}`)));
  const zoomInput = make("input", {
    type: "range",
    min: "-3",
    max: "4",
    step: "0.25",
    value: String(Math.log2(zoom)),
    "aria-label": "Zoom",
    data: { keep: "zoom" },
    oninput: event => { detailView.zoom = 2 ** Number(event.target.value);
      showDetail([]); }
  });
  const tools = [make("label", { class: "zoom" }, zoomInput, make("span", null,
    `${Math.round(zoom * 100)} %`))];
  if (variant.i) tools.push(toggle("Alignment insets", "insets"));
  if (variant.s) tools.push(toggle("Slices", "slices"));
  return make("div", { class: "big-box" }, ground, make("div", { class: "big-tools" }, tools));
}

function toggle(label, name) {
  return make("label", { class: "check" }, make("input", {
    type: "checkbox",
    checked: detailView[name],
    data: { keep: name },
    onchange: event => { detailView[name] = event.target.checked;
      showDetail([]); }
  }), label);
}

/** Frames the part that layout aligns; the rest is dimmed. */
function insetOverlay(insets, zoom, mirrored) {
  const [top, left, bottom, right] = insets.map(edge => `${edge * zoom}px`);
  return make("div", { class: "inset-overlay", title: `alignment insets: ${insets.join(", ")}`,
    style: { inset: mirrored ? `${top} ${left} ${bottom} ${right}` :
        `${top} ${right} ${bottom} ${left}` } });
}

function sliceGuides(slicing, size, zoom, mirrored) {
  const [top, left, bottom, right] = slicing.caps, guides = [];
  const line = style => guides.push(make("div", { class: "guide", style }));
  const px = value => `${value * zoom}px`;
  const [near, far] = mirrored ? ["right", "left"] : ["left", "right"];
  if (slicing.mode !== "threePartVertical") {
    line({
      [near]: px(left), top: "0", bottom: "0", borderLeftWidth: "1px" });
    line({
      [far]: px(right), top: "0", bottom: "0", borderLeftWidth: "1px" });
    line({
      [near]: px(left + slicing.center[0]), top: "0", bottom: "0", borderLeftWidth: "1px",
      opacity: ".5" });
  }
  if (slicing.mode !== "threePartHorizontal") {
    line({ top: px(top), left: "0", right: "0", borderTopWidth: "1px" });
    line({ bottom: px(bottom), left: "0", right: "0", borderTopWidth: "1px" });
    line({ top: px(top + slicing.center[1]), left: "0", right: "0", borderTopWidth: "1px",
      opacity: ".5" });
  }
  return guides;
}

// MARK: - Facts

function situationFacts(asset, answer, variant) {
  const window = shownWindow(),
    rows = [];
  const add = (name, ...value) => rows.push(make("dt", null, name), make("dd", null, ...value));
  add("On", `${device().name}, ${windowName(window).toLowerCase()}`);
  add("Size class", `${window.w || "not known"} width, ${window.h || "not known"} height`);
  add("Style", [looks.styles[state.style], looks.contrasts[state.contrast] === "high" ?
    "high contrast" : "", looks.languages[state.language][0]
  ].filter(Boolean).join(", "));
  if (variant) {
    add("Shows", keyText(asset, answer.w) + (answer.m ? ", mirrored" : ""));
    if (variant.f && !variant.c) add("File", nameText(variant.f));
    if (variant.src) add("From", pathText(variant.src));
    const size = pointSize(variant, screenScale());
    if (size) add("Points", sizeText(...size));
    const shown = pictureOf(variant, screenScale());
    if (variant.w || shown) add("Pixels", variant.w ? sizeText(variant.w, variant.h) : sizeText(data
      .pictures[shown.number].w, data.pictures[shown.number].h));
    add("Bytes", variant.b.toLocaleString("en"));
    if (variant.i) add("Insets", variant.i.map(numberText).join(", "));
    if (variant.tpl) add("Rendering", "template: only its shape is used");
    if (variant.uti) add("Type", variant.uti);
    if (variant.r) add("Vector", variant.r);
  } else {
    add("Shows", make("strong", { class: "bad-text" },
      `nothing: ${answer.x || "name"} removes the last variant`));
  }
  if (answer.ua) {
    add("Not known",
      `${answer.ua.join(", ")}: ${answer.uw.map(ordinal => shownText(asset, ordinal)).join(" or ")}`
      );
  }
  const remarks = remarksOn(asset, answer).map(([level, text]) => make("li", { class: level ?
      "warn-text" : "muted" }, text));
  return make("div", { class: "situation" }, make("dl", { class: "facts" }, rows), remarks.length ?
    make("ul", { class: "remarks" }, remarks) : null);
}

// MARK: - Variants and windows

function variantSection(asset, answer) {
  const rows = asset.v.map((variant, ordinal) => {
    const shown = pictureOf(variant, screenScale());
    const look = variant.c ? make("span", { class: "swatch", style: { background: variant.c
          .css } }) :
      shown ? pictureCanvas(shown, variant, null, `${asset.n}, ${keyText(asset, ordinal)}`, [44,
        34
      ]) : "";
    const shape = variant.w ? sizeText(variant.w, variant.h) : variant.c ? hexOf(variant.c) :
      variant.size !== undefined ? bytesText(variant.size) : variant.t;
    return make("tr", { class: ordinal === answer.w ? "wins" : "" },
      make("td", { class: `thumb on-${groundName()}` }, look),
      make("td", null, make("span", { class: "dot", style: { background: winnerColor(asset,
            ordinal) } }), keyText(asset, ordinal)),
      make("td", { class: "file" }, variant.f && !variant.c ? nameText(variant.f) : "",
        variant.src ? make("small", null, pathText(variant.src)) : null,
        variant.e ? make("small", { class: "bad-text" }, variant.e) : null),
      make("td", { class: "number" }, shape), make("td", { class: "number" }, bytesText(
        variant.b)),
      make("td", null, ordinal === answer.w ? make("strong", null, "shown") : make(
      "span", { class: "muted" }, verdictOf(answer, ordinal))));
  });
  return section("Variants", make("div", { class: "table-box" }, make(
  "table", { class: "variants" },
    make("thead", null, make("tr", null, ["Look", "For", "File", "Pixels", "Bytes", "Here"]
      .map(name => make("th", { scope: "col" }, name)))),
    make("tbody", null, rows))));
}

function windowSection(asset) {
  const one = device();
  const screens = one.windows.map((window, place) => {
    const answer = answerAt(asset, window.c, lookNumber()),
      variant = variantOf(asset, answer);
    const [width, height] = screenSize(one, window), factor = Math.min(150 / width, 130 /
      height);
    const pane = paneOf(one, window, null),
      px = value => `${value * factor}px`;
    const inside = make("div", { class: `pane-shot on-${groundName()}`, style: { left: px(pane
          .x), top: px(pane.y), width: px(pane.width), height: px(pane.height),
        borderColor: winnerColor(asset, answer.w) } });
    const scale = screenScale(displayOf(one, window));
    const shown = pictureOf(variant, scale),
      size = pointSize(variant, scale);
    if (variant?.c) inside.style.background = variant.c.css;
    else if (shown && size) {
      const canvas = pictureCanvas(shown, variant, answer,
        `${asset.n} in ${windowName(window)}`, [pane.width, pane.height]);
      const fit = Math.max(factor, Math.min(18 / Math.max(...size), .9 * pane.width * factor /
        size[0], .9 * pane.height * factor / size[1]));
      canvas.style.width = `${Math.max(1, size[0] * fit)}px`;
      canvas.style.height = `${Math.max(1, size[1] * fit)}px`;
      inside.append(canvas);
    } else if (!variant) inside.append(make("b", { class: "bad-text" }, "∅"));
    return make("button", { class: "shot", type: "button", "aria-pressed": String(place ===
          state.window), data: { keep: `shot${place}` }, onclick: () =>
      change({ window: place, free: null }) },
      make("span", { class: "shot-box" }, make("span", { class: "shot-screen",
        style: { width: px(width), height: px(height) } }, inside)),
      make("span", { class: "shot-name" }, windowName(window)),
      make("span", { class: "shot-answer" }, make("span", { class: "dot",
          style: { background: winnerColor(asset, answer.w) } }), answer.w < 0 ?
        `nothing: ${answer.x || "name"}` : keyText(asset, answer.w)));
  });
  return section(`In the windows of ${one.name}`, make("div", { class: "shots" }, screens));
}
