// The pictures: each one is in the file once, and is decoded and drawn when it comes into view.
const decoded = new Map();
const mostDecoded = 300;
const pageIsRead = new Promise(resolve => {
  if (document.readyState !== "loading") resolve();
  else document.addEventListener("DOMContentLoaded", resolve, { once: true });
});

async function payload(number) {
  // Pictures come after the script: those at the end may not be read yet.
  if (!byId(pictureId(number))) await pageIsRead;
  const text = byId(pictureId(number)).textContent;
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

/** Returns the picture as a bitmap; the promise is rejected if the browser cannot show it. */
function bitmapOf(number) {
  const known = decoded.get(number);
  if (known) {
    decoded.delete(number);
    decoded.set(number, known);
    return known;
  }
  const made = payload(number).then(bytes =>
    createImageBitmap(new Blob([bytes], { type: `image/${data.pictures[number].t}` })));
  decoded.set(number, made);
  made.catch(() => {});
  if (decoded.size > mostDecoded) {
    const [oldest, bitmap] = decoded.entries().next().value;
    decoded.delete(oldest);
    bitmap.then(old => old.close(), () => {});
  }
  return made;
}

/** The longest side of a canvas of a card; the view of one asset shows every pixel. */
const cardSide = 1024;

/** Draws a picture on a canvas of its size, or on a smaller one if a side is longer than `most`. */
async function drawPicture(canvas, number, { mirrored = false, most = cardSide } = {}) {
  const wanted = `${number}/${mirrored}/${most}`;
  if (canvas.dataset.drawn === wanted) return;
  canvas.dataset.wanted = wanted;
  const bitmap = await bitmapOf(number);
  // Another picture may have been requested in the meantime.
  if (canvas.dataset.wanted !== wanted) return;
  const factor = Math.min(1, most / Math.max(bitmap.width, bitmap.height));
  canvas.width = Math.max(1, Math.round(bitmap.width * factor));
  canvas.height = Math.max(1, Math.round(bitmap.height * factor));
  const context = canvas.getContext("2d", {
    colorSpace: data.pictures[number].wide ? "display-p3" : "srgb",
    willReadFrequently: true,
  });
  context.imageSmoothingQuality = "high";
  if (mirrored) {
    context.translate(canvas.width, 0);
    context.scale(-1, 1);
  }
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  markShade(canvas);
  canvas.dataset.drawn = wanted;
}

const shadeSide = 16;
const shades = make("canvas", { width: shadeSide, height: shadeSide })
  .getContext("2d", { willReadFrequently: true });

/** Marks white and black pictures, which would be invisible on a ground of the same colour. */
function markShade(canvas) {
  shades.clearRect(0, 0, shadeSide, shadeSide);
  shades.drawImage(canvas, 0, 0, shadeSide, shadeSide);
  const values = shades.getImageData(0, 0, shadeSide, shadeSide).data;
  let seen = 0,
    light = 0,
    dark = 0;
  for (let place = 0; place < values.length; place += 4) {
    const [red, green, blue, alpha] = values.subarray(place, place + 4);
    const brightness = 0.3 * red + 0.59 * green + 0.11 * blue;
    seen += alpha;
    if (brightness > 225) light += alpha;
    if (brightness < 45) dark += alpha;
  }
  canvas.classList.toggle("is-light", seen > 0 && light > 0.97 * seen);
  canvas.classList.toggle("is-dark", seen > 0 && dark > 0.97 * seen);
}

// Canvases that come into view are drawn; those that left it long ago free their memory.
const jobs = new WeakMap();
const drawnCanvases = new Set();
const mostDrawn = 500;
const sight = new IntersectionObserver(entries => {
  for (const entry of entries) {
    const job = jobs.get(entry.target);
    if (!entry.isIntersecting || !job) continue;
    runJob(entry.target, job);
  }
}, { rootMargin: "400px" });

async function runJob(canvas, job, most = mostDrawn) {
  drawnCanvases.delete(canvas);
  drawnCanvases.add(canvas);
  try {
    await drawPicture(canvas, job.number, job);
  } catch {
    if (job.failed) job.failed();
  }
  if (drawnCanvases.size > most) {
    const oldest = drawnCanvases.values().next().value;
    drawnCanvases.delete(oldest);
    oldest.width = oldest.height = 1;
    delete oldest.dataset.drawn;
    delete oldest.dataset.wanted;
  }
}

/** Draws a canvas as soon as it comes into view. */
function showWhenSeen(canvas, job) {
  jobs.set(canvas, job);
  sight.unobserve(canvas);
  sight.observe(canvas);
}

/** Draws everything at once, for printing. */
const drawAll = () => Promise.all([...document.querySelectorAll("#view canvas")]
  .filter(canvas => jobs.has(canvas))
  .map(canvas => runJob(canvas, jobs.get(canvas), Infinity)));

/** Makes a canvas for a picture, no larger than `room` in points. */
function pictureCanvas(shown, variant, answer, label, room) {
  const picture = data.pictures[shown.number];
  const canvas = make("canvas", { role: "img", "aria-label": label, width: 1, height: 1 });
  const width = picture.w / shown.scale,
    height = picture.h / shown.scale;
  const factor = room ? Math.min(1, room[0] / (width || 1), room[1] / (height || 1)) : 1;
  if (picture.w) {
    canvas.style.width = `${Math.max(1, width * factor)}px`;
    canvas.style.height = `${Math.max(1, height * factor)}px`;
  }
  if (variant.tpl) canvas.classList.add("as-template");
  showWhenSeen(canvas, {
    number: shown.number,
    mirrored: Boolean(answer && answer.m),
    failed: () => canvas.replaceWith(quiet("No picture",
      `this browser cannot show ${picture.t.toUpperCase()}`)),
  });
  return canvas;
}

const quiet = (title, ...lines) => make("div", { class: "quiet" }, make("b", null, title), ...
lines);
