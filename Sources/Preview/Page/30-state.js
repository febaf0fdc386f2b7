// The settings of the page. They are kept in the fragment, so that a link opens the same view.
const state = {
  device: 0,
  window: 0,
  style: 0,
  contrast: 0,
  language: 0,
  free: null,
  view: data.difference ? "difference" : app ? "map" : "assets",
  query: "",
  kind: "",
  problem: "",
  sort: "name",
  ground: "auto",
  asset: "",
  size: "",
  matrix: "device",
  group: "",
  baseline: "",
  rounding: "",
  becomes: "",
  open: "",
  node: "",
};
const listeners = [];
const whenChanged = listener => listeners.push(listener);

/** The device of a page without devices. */
const noDevice = { id: "", name: "no device", idiom: "", scales: [2], gamuts: [],
  windows: [{ o: "any", m: "full", c: 0 }] };
const device = () => data.devices[state.device] || noDevice;
const shownWindow = () => device().windows[state.window];
const lookNumber = (style = state.style, contrast = state.contrast, language = state.language) =>
  (language * looks.contrasts.length + contrast) * looks.styles.length + style;
/** Returns the display of a window: the second one of a phone that unfolds, or the device's. */
const displayOf = (one, window) => window.m === "unfolded" && one.unfolded || one;
const screenScale = (of = displayOf(device(), shownWindow())) =>
  of.scales[of.scales.length - 1] || 2;
const currentAnswer = asset => answerAt(asset, shownWindow().c, lookNumber());
const groundName = () => state.ground !== "auto" ? state.ground :
  looks.styles[state.style] === "dark" ? "dark" : "light";

/** Windows that the user sizes are listed with both width classes. */
const isFree = window => window.m === "stage-manager" || window.m === "free-window";
const windowId = window => `${window.o}.${window.m}${isFree(window) ? "." + window.w : ""}`;

function change(changes) {
  Object.assign(state, changes);
  writeFragmentSoon();
  for (const listener of listeners) listener(Object.keys(changes));
}

/** Chooses a device, and the one of its windows that is most similar to the previous window. */
function chooseDevice(number) {
  const before = shownWindow();
  const windows = data.devices[number].windows;
  const rank = window => (window.m === before.m ? 0 : window.m === "full" ? 2 : 4) + (window.o ===
    before.o ? 0 : 1);
  const best = windows.reduce((best, window, place) => rank(window) < rank(windows[best]) ? place :
    best, 0);
  change({ device: number, window: best, free: null });
}

const words = ["view", "query", "kind", "problem", "sort", "ground", "asset", "size", "matrix",
  "group", "rounding", "becomes", "open", "node"
];
const defaults = { ...state };

/** Browsers refuse too many changes of the address; the last of a quick series is enough. */
let fragmentTimer = 0;
let fragmentTime = -1000;

function writeFragmentSoon() {
  clearTimeout(fragmentTimer);
  const wait = fragmentTime + 250 - performance.now();
  if (wait <= 0) return writeFragment();
  fragmentTimer = setTimeout(writeFragment, wait);
}

function fragmentText() {
  const parts = new URLSearchParams();
  if (app) parts.set("archive", String(archiveNumber));
  parts.set("device", device().id);
  parts.set("window", windowId(shownWindow()));
  parts.set("style", looks.styles[state.style]);
  if (state.contrast) parts.set("contrast", looks.contrasts[state.contrast]);
  if (state.language) parts.set("language", looks.languages[state.language][0]);
  if (state.free) parts.set("free", state.free.join("x"));
  for (const word of words)
    if (state[word] !== defaults[word]) parts.set(word, state[word]);
  return parts.toString();
}

function writeFragment() {
  clearTimeout(fragmentTimer);
  fragmentTime = performance.now();
  const fragment = "#" + fragmentText();
  if (fragment !== location.hash) history.replaceState(null, "", fragment);
}

function readFragment() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const find = (list, test) => Math.max(0, list.findIndex(test));
  state.device = parts.has("device") ? find(data.devices, one => one.id === parts.get("device")) :
    firstDevice();
  state.window = find(device().windows, one => windowId(one) === parts.get("window"));
  state.style = find(looks.styles, one => one === parts.get("style"));
  state.contrast = find(looks.contrasts, one => one === parts.get("contrast"));
  state.language = find(looks.languages, one => one[0] === (parts.get("language") || ""));
  const free = (parts.get("free") || "").split("x").map(Number);
  state.free = free.length === 2 && free.every(edge => edge > 0) ? free : null;
  for (const word of words) state[word] = parts.has(word) ? parts.get(word) : defaults[word];
}

/** Returns a recent device of which everything is known. */
function firstDevice() {
  const wished = ["iPhone17,3", "iPhone16,1", "iPhone15,2", "Watch7,1", "AppleTV14,1", "Mac"];
  for (const id of wished) {
    const place = data.devices.findIndex(one => one.id === id);
    if (place >= 0) return place;
  }
  return 0;
}

addEventListener("hashchange", () => {
  clearTimeout(fragmentTimer);
  if (wantedArchive() !== archiveNumber) return location.reload();
  readFragment();
  for (const listener of listeners) listener(Object.keys(state));
});
