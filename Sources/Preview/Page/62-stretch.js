// Shows slicing: the user drags the corner of the picture; caps stay as they are, the middle
// stretches or tiles. All sizes are in the picture's own pixels, so that caps are copied one to
// one.

/** Returns the parts along one side in pixels: first cap, middle, last cap of the picture. */
function sliceParts(length, first, middle, last) {
  const start = Math.min(first, length),
    end = Math.min(last, length - start);
  return { start, middle: Math.max(0, Math.min(middle, length - start - end)), end, length };
}

/** Returns the places of the parts along one side of a target: [source, size, target, size] for
    each. */
function placements(parts, target, isSliced, isTiled) {
  if (!isSliced) return [
    [0, parts.length, 0, target]
  ];
  const room = Math.max(0, target - parts.start - parts.end);
  const all = [
    [0, parts.start, 0, parts.start]
  ];
  if (isTiled && parts.middle > 0) {
    for (let done = 0; done < room; done += parts.middle) {
      const part = Math.min(parts.middle, room - done);
      all.push([parts.start, part, parts.start + done, part]);
    }
  } else {
    all.push([parts.start, parts.middle, parts.start, room]);
  }
  all.push([parts.length - parts.end, parts.end, parts.start + room, parts.end]);
  return all.filter(([, from, , to]) => from > 0 && to > 0);
}

/** Draws a sliced picture at a size in pixels. */
function drawSliced(context, bitmap, slicing, scale, width, height) {
  const [top, left, bottom, right] = slicing.caps.map(edge => Math.round(edge * scale));
  const [middleWidth, middleHeight] = slicing.center.map(edge => Math.round(edge * scale));
  const isAcross = slicing.mode !== "threePartVertical",
    isDown = slicing.mode !== "threePartHorizontal";
  const across = placements(sliceParts(bitmap.width, left, middleWidth, right), width, isAcross,
    slicing.across === "tile");
  const down = placements(sliceParts(bitmap.height, top, middleHeight, bottom), height, isDown,
    slicing.down === "tile");
  context.clearRect(0, 0, width, height);
  for (const [y, rows, toY, toRows] of down) {
    for (const [x, columns, toX, toColumns] of across) {
      const isMiddle = x === left && y === top && isAcross && isDown;
      if (slicing.mode === "edgesOnly" && isMiddle) continue;
      context.imageSmoothingEnabled = columns !== toColumns || rows !== toRows;
      context.drawImage(bitmap, x, y, columns, rows, toX, toY, toColumns, toRows);
    }
  }
}

function stretchSection(asset, answer, variant) {
  const shown = pictureOf(variant, screenScale()),
    size = pointSize(variant, screenScale());
  if (!shown || !size) return null;
  const slicing = variant.s,
    scale = shown.scale;
  const least = [slicing.caps[1] + slicing.caps[3] + 1, slicing.caps[0] + slicing.caps[2] + 1];
  const start = detailView.stretch || [
    slicing.mode === "threePartVertical" ? size[0] : Math.max(size[0] * 2, 160),
    slicing.mode === "threePartHorizontal" ? size[1] : Math.max(size[1] * 1.4, 72)];
  const canvas = make("canvas", { id: "stretch-canvas",
  role: "img", "aria-label": `${asset.n} stretched` });
  const label = make("output", { class: "stretch-size" });
  const handle = make("button", { class: "stretch-grip",
  type: "button", "aria-label": "Size of the stretched picture; arrow keys change it",
    data: { keep: "stretch" } });
  const box = make("div", { class: "stretch-frame" }, canvas, handle);
  const draw = async wanted => {
    const width = Math.round(Math.min(900, Math.max(least[0], wanted[0]))),
      height = Math.round(Math.min(420, Math.max(least[1], wanted[1])));
    detailView.stretch = [width, height];
    label.textContent = `${sizeText(width, height)} pt`;
    const bitmap = await bitmapOf(shown.number);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    drawSliced(canvas.getContext("2d", { willReadFrequently: true }), bitmap, slicing, scale,
      canvas.width, canvas.height);
    canvas.dataset.drawn = `${shown.number}/${width}x${height}`;
  };
  handle.addEventListener("pointerdown", event => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const from = [event.clientX, event.clientY],
      old = detailView.stretch;
    const move = moved => draw([old[0] + moved.clientX - from[0], old[1] + moved.clientY - from[
      1]]);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", () => handle.removeEventListener("pointermove",
    move), { once: true });
  });
  handle.addEventListener("keydown", event => {
    const step = { ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] }
      [event.key];
    if (!step) return;
    event.preventDefault();
    draw([detailView.stretch[0] + step[0], detailView.stretch[1] + step[1]]);
  });
  draw(start);
  const fills = [slicing.mode !== "threePartVertical" ? `${slicing.across} across` : "", slicing
    .mode !== "threePartHorizontal" ? `${slicing.down} down` : ""
  ].filter(Boolean);
  return section("Stretched", make("p", { class: "hint" },
      `Drag the corner. Caps ${slicing.caps.map(numberText).join(", ")} pt (top, left, bottom, `,
      `right); the middle: ${fills.join(", ")}. `,
      label),
    make("div", { class: `stretch-ground on-${groundName()}` }, box));
}
