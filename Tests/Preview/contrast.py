"""Measures the contrast of all text that a page shows, on the colours that are composed there."""

LEAST = 4.5

# For each text: its colour over the backgrounds of its ancestors, from the nearest opaque one
# outwards. Gradients count with each of their colours. What lies over a picture or a colour of the
# catalogue is measured on white and on black.
MEASURE = """(() => {
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const bytes = color => {
    if (!known.has(color)) {
      pixel.clearRect(0, 0, 1, 1);
      pixel.fillStyle = color;
      pixel.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
      known.set(color, [r, g, b, a / 255]);
    }
    return known.get(color);
  };
  const over = (top, under) => {
    const share = top[3];
    return [0, 1, 2].map(part => top[part] * share + under[part] * (1 - share)).concat(1);
  };
  const light = color => [.2126, .7152, .0722].reduce((sum, weight, part) => {
    const value = color[part] / 255;
    return sum + weight * (value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4);
  }, 0);
  const ratio = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + .05) / (low + .05);
  };
  const colorsIn = text => text.match(/(rgba?|hsla?|color|oklab|oklch)\\([^()]*\\)/g) || [];
  const layersOf = element => {
    const style = getComputedStyle(element), fill = bytes(style.backgroundColor);
    const stops = style.backgroundImage.includes("gradient") && !element.matches("select")
      ? colorsIn(style.backgroundImage).map(bytes) : [];
    return stops.length ? stops.map(stop => over(stop, over(fill, [255, 255, 255]))
      .with(3, Math.max(stop[3], fill[3]))) : [fill];
  };
  const backgrounds = element => {
    let found = [[0, 0, 0, 0]];
    for (let at = element; at; at = at.parentElement) {
      if (found.every(one => one[3] === 1)) break;
      // Pictures of the catalogue lie under whatever is placed over them.
      const isOverPicture = at !== element && at.matches(".ground, .layer-look, .pane-shot")
        && at.querySelector("canvas, .color-fill");
      const layers = isOverPicture ? [[0, 0, 0, 1], [255, 255, 255, 1]] : layersOf(at);
      found = found.flatMap(top => top[3] === 1 ? [top] : layers.map(layer => {
        const alpha = top[3] + layer[3] * (1 - top[3]);
        if (!alpha) return [0, 0, 0, 0];
        return [0, 1, 2].map(part => (top[part] * top[3]
          + layer[part] * layer[3] * (1 - top[3])) / alpha).concat(alpha);
      }));
    }
    return found.map(one => over(one, bytes(getComputedStyle(document.body).backgroundColor)));
  };
  const opacity = element => {
    let product = 1;
    for (let at = element; at; at = at.parentElement) product *= getComputedStyle(at).opacity;
    return product;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
    if (text && !element.closest("script, noscript, option, [aria-hidden=true] > svg")) {
      texts.push([element, text, getComputedStyle(element).color]);
    }
  }
  for (const field of document.querySelectorAll("input[type=search], select")) {
    texts.push([field, field.value, getComputedStyle(field).color]);
    if (field.placeholder) texts.push([field, field.placeholder,
      getComputedStyle(field, "::placeholder").color]);
  }
  const poor = new Map();
  let count = 0, least = 21;
  for (const [element, text, color] of texts) {
    if (element.closest(".unseen, .skip") || !element.checkVisibility({
      opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: false })) continue;
    count += 1;
    const [r, g, b, a] = bytes(color), share = a * opacity(element);
    const worst = Math.min(...backgrounds(element).map(under => ratio(over([r, g, b, share], under),
      under)));
    least = Math.min(least, worst);
    if (worst < 4.5) poor.set(`${element.tagName.toLowerCase()}.${element.className}`,
      `${worst.toFixed(2)} ${text.slice(0, 30)}`);
  }
  return { count, least, poor: [...poor].slice(0, 12) };
})()"""


def readable_text(bench, what, least=20):
    """Checks every text of the page as it is now, on white and on black paper."""
    for scheme in ("light", "dark"):
        bench.browser.scheme(scheme)
        found = bench.browser.run(MEASURE)
        bench.check.same(found["poor"], [], f"{what}, {scheme}: contrast below {LEAST}")
        bench.check.that(found["count"] >= least, f"{what}: {found['count']} texts are few")
    bench.browser.scheme("light")
