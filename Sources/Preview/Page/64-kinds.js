// The parts of the detail view that only colours, symbols and layered icons have.

// MARK: - Colours

/** Returns the relative luminance of sRGB from 0 to 255, as WCAG defines it. */
function luminance(rgb) {
  const [red, green, blue] = rgb.map(part => {
    const share = part / 255;
    return share <= .04045 ? share / 12.92 : ((share + .055) / 1.055) ** 2.4;
  });
  return .2126 * red + .7152 * green + .0722 * blue;
}

/** Returns the contrast of a colour with an opaque one behind it, from 1 to 21. */
function contrast(color, behind) {
  const mixed = color.slice(0, 3).map((part, place) => part * color[3] + behind[place] * (1 - color[
    3]));
  const [a, b] = [luminance(mixed), luminance(behind)];
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
}

function contrastTag(name, color, behind) {
  const ratio = contrast(color, behind);
  const grade = ratio >= 7 ? "AAA" : ratio >= 4.5 ? "AA" : ratio >= 3 ? "large text" : "too faint";
  return make("span", { class: `ratio ${ratio >= 4.5 ? "good" : ratio >= 3 ? "fair" : "poor"}`,
      title: `contrast on ${name}: ${grade}` },
    `${name} ${ratio.toFixed(2)} : 1, ${grade}`);
}

function colorSection(asset) {
  const swatches = asset.v.map((variant, ordinal) => {
    if (!variant.c) return null;
    const color = variant.c,
      parts = color.parts.map(part => Math.round(part * 1000) / 1000);
    const others = asset.v.flatMap((other, place) => place !== ordinal && other.c && other.c
      .rgb[3] === 1 ? [contrastTag(keyText(asset, place).replace(/^\d+x, /, ""), color.rgb,
        other.c.rgb)] : []);
    return make("li", { class: "swatch-card" }, make("div", { class: "swatch-fill checker" },
        make("div", { style: { background: color.css } })),
      make("div", { class: "swatch-text" }, make("b", null, keyText(asset, ordinal).replace(
          /^\d+x, /, "")), make("span", { class: "mono" }, hexOf(color)),
        make("span", { class: "muted" },
          `${color.space}: ${parts.slice(0, parts[3] < 1 ? 4 : 3).join(", ")}`
          ),
        color.system ? make("span", { class: "muted" }, color.system) : null,
        make("div", { class: "ratios" }, contrastTag("white", color.rgb, [255, 255, 255]),
          contrastTag("black", color.rgb, [0, 0, 0]), others.slice(0, 4))));
  });
  return section("Colours", make("ul", { class: "swatches" }, swatches));
}

// MARK: - Symbols

function glyphSection(asset) {
  const glyph = one => {
    const picture = data.pictures[one.p];
    const canvas = make("canvas", { role: "img", "aria-label": `${asset.n}, ${one.w}, ${one.z}`,
      class: "as-template", style: { width: `${picture.w / 2}px`,
      height: `${picture.h / 2}px` } });
    showWhenSeen(canvas, { number: one.p, mirrored: false });
    return make("figure", { class: `glyph on-${groundName()}` }, canvas, make("figcaption", null,
      one.z === "medium" ? one.w : `${one.w}, ${one.z}`));
  };
  return section("At every weight", make("div", { class: "glyphs" }, asset.g.map(glyph)));
}

// MARK: - Layers

// The bitmaps of a layered icon that systems without layered icons show.
function iconLooks(asset) {
  const figure = (look, number, words) => {
    const canvas = make("canvas", { role: "img", "aria-label": `${asset.n}, ${look}, ${words}`,
      style: { width: "96px", height: "96px" } });
    showWhenSeen(canvas, { number, mirrored: false });
    return make("figure", { class: "glyph checker" }, canvas, make("figcaption", null,
      `${look}, ${words}`));
  };
  return section("In every look", make("div", { class: "glyphs icon-looks" }, asset.i.flatMap(
    one => [figure(one.look, one.glass, "glass"), figure(one.look, one.plain, "plain")])));
}

function layerSection(asset) {
  const wanted = { dark: "Dark", light: "Light", tinted: "Tint" } [looks.styles[state.style]];
  const stack = asset.l.find(one => one.title.includes(wanted)) || asset.l[0];
  return section(`Layers${stack.title ? `, ${stack.title}` : ""}, from back to front`,
    make("ol", { class: "layers" }, stack.layers.map(layerRow)));
}

function layerRow(layer, place) {
  const look = make("div", { class: "layer-look checker" });
  const target = assetsById.get(layer.id),
    answer = target && currentAnswer(target),
    variant = target && variantOf(target, answer);
  const shown = pictureOf(variant, screenScale());
  if (variant?.c) look.append(make("div", { class: "color-fill", style: { background: variant.c
      .css } }));
  else if (shown) look.append(pictureCanvas(shown, variant, answer, layer.n, [96, 96]));
  else if (layer.g) look.append(make("div", { class: "color-fill", style: { background: gradientCSS(
        layer.g) } }));
  else look.append(make("span", { class: "muted" }, layer.kind));
  const facts = [layer.kind, layer.opacity !== 1 ? `opacity ${Math.round(layer.opacity * 100)} %` :
    "", layer.blend ? `blend ${layer.blend}` : "", layer.glass ? "glass" : "",
    layer.shadow ? `shadow ${layer.shadow}` : "", layer.fill ? `filled with ${layer.fill}` : "",
    layer.light ? `light ${layer.light}` : "",
    layer.refraction ? `refracts ${layer.refraction}` : "",
    layer.w ? sizeText(layer.w, layer.h) : ""
  ].filter(Boolean);
  return make("li", { class: "layer", style: { marginInlineStart: `${layer.depth * 26}px` } }, make(
      "span", { class: "layer-number" }, String(place + 1)), look,
    make("div", null, make("b", null, nameText(layer.n)), make("div", { class: "muted" }, facts
      .join(", "))));
}

function gradientCSS(gradient) {
  const stops = gradient.stops.map(stop => `${stop.css} ${Math.round(stop.at * 100)}%`);
  const angle = Math.round(Math.atan2(gradient.end[1] - gradient.start[1], gradient.end[0] -
    gradient.start[0]) * 180 / Math.PI + 90);
  return stops.length > 1 ? `linear-gradient(${angle}deg, ${stops.join(", ")})` : gradient.stops[0]
    ?.css || "transparent";
}
