// Functions that make elements and texts, for every page.
const byId = id => document.getElementById(id);

/** Makes an element with properties and children; text is never read as markup. */
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined &&
    child !== false));
  return element;
}

/** Isolates a name: names in another writing direction must not turn the text around them. */
const nameText = text => make("bdi", null, text === "" ? "(no name)" : text);

/** Makes a path that may be broken after each folder. */
const pathText = path => make("bdi", null, path.split("/").flatMap((part, place) =>
  place ? ["/", make("wbr"), part] : [part]));

function bytesText(count) {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1000).toFixed(count < 1e4 ? 1 : 0)} KB`;
  return `${(count / 1e6).toFixed(count < 1e7 ? 2 : 1)} MB`;
}
const numberText = number => String(Math.round(number * 100) / 100);
const sizeText = (width, height) => `${numberText(width)} × ${numberText(height)}`;
const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
