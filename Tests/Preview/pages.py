"""Checks of the page apart from its decisions: stretching, colours, phones,
accessibility, bad input, size."""
import json
import os
import time

import catalogs
import pictures
from browser import PageLeft
from contrast import readable_text


def wait_for(bench, script, seconds=10):
    """Waits until an expression holds. The page may be replaced by another one meanwhile."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if bench.browser.run(script):
                return True
        except PageLeft:
            pass
        time.sleep(0.05)
    return False


def sample_page(bench):
    """Returns the page of the sample catalogues, which is made once."""
    page = bench.place("samples.html")
    if not os.path.exists(page):
        names = sorted(name for name in os.listdir(bench.samples)
                       if name.endswith(".xcassets") and name != "Broken.xcassets")
        bench.carve("preview", "--together", *(os.path.join(bench.samples, name) for name in names),
                    "-o", page)
    return page


# MARK: Stretching

CORNERS = """(async () => {
  const canvas = document.getElementById("stretch-canvas");
  for (let tries = 0; tries < 300 && !canvas.dataset.drawn; tries += 1) {
    await new Promise(done => setTimeout(done, 10));
  }
  const context = canvas.getContext("2d"), [top, left, bottom, right] = %s;
  const part = (x, y, width, height) => [...context.getImageData(x, y, width, height).data];
  return { size: [canvas.width, canvas.height], corners: [part(0, 0, left, top),
    part(canvas.width - right, 0, right, top), part(0, canvas.height - bottom, left, bottom),
    part(canvas.width - right, canvas.height - bottom, right, bottom)],
    middle: part(left, 0, canvas.width - left - right, 1) };
})()"""


def stretch(bench):
    """Checks that caps are copied unscaled at every size, and that the centre is tiled."""
    catalog = bench.place("Sliced.xcassets")
    place = os.path.join(catalog, "Sliced.imageset")
    os.makedirs(place, exist_ok=True)
    pictures.write(os.path.join(place, "s.png"), 40, 36, catalogs.noise("sliced", True))
    slicing = {"mode": "9-part", "center": {"mode": "tile", "width": 6, "height": 4},
               "cap-insets": {"top": 10, "left": 14, "bottom": 12, "right": 16}}
    catalogs.write_set(catalog, "Sliced", "imageset", {"images": [
        {**catalogs.entry("s.png", idiom="universal", scale="2x"), "resizing": slicing}]})
    page = bench.place("sliced.html")
    bench.carve("preview", catalog, "--devices", "iPhone12,8", "-o", page)
    bench.open(page, "#asset=image:Sliced")
    width, height, source = pictures.read(os.path.join(place, "s.png"))
    caps = [10, 14, 12, 16]

    def part(x, y, columns, rows):
        return [value for row in range(y, y + rows)
                for value in source[(row * width + x) * 4:(row * width + x + columns) * 4]]
    wanted = [part(0, 0, 14, 10), part(width - 16, 0, 16, 10), part(0, height - 12, 14, 12),
              part(width - 16, height - 12, 16, 12)]
    seen = []
    for key in (None, "ArrowRight", "ArrowDown", "ArrowLeft"):
        if key:
            bench.browser.run(
                "(() => { const grip = document.querySelector('.stretch-grip'); grip.focus(); "
                "delete document.getElementById('stretch-canvas').dataset.drawn; "
                f"grip.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}' }})); }})()")
        found = bench.browser.run(CORNERS % json.dumps(caps))
        bench.check.same(found["corners"], wanted, f"stretch after {key}: the caps")
        tile = part(14, 0, 6, 1)
        repeated = (tile * (len(found["middle"]) // len(tile) + 1))[:len(found["middle"])]
        bench.check.same(found["middle"], repeated, f"stretch after {key}: the tiles")
        seen.append(tuple(found["size"]))
    bench.check.same(len(set(seen)), 4, "stretch: sizes that the keys gave")
    bench.quiet("stretch")


# MARK: Colours and phones

VIEWS = ("assets", "matrix", "changes", "bytes")


def contrast(bench):
    """Checks the contrast of all text in every view and for every kind of asset."""
    page = sample_page(bench)
    run = bench.browser.run
    for style in ("light", "dark"):
        bench.open(page, f"#device=iPad13,4&style={style}")
        for view in VIEWS:
            run(f"change({{ view: '{view}' }})")
            readable_text(bench, f"{view}, {style} pictures")
    run("change({ view: 'matrix', matrix: 'all' })")
    readable_text(bench, "every window")
    for kind in ("image", "color", "symbol", "icon", "data"):
        run(f"change({{ view: 'assets', asset: data.assets.find(one => one.k === '{kind}').id }})")
        readable_text(bench, f"one {kind}")
    run("document.getElementById('detail').close()")
    run("showHelp()")
    readable_text(bench, "keys")
    bench.open(page, "#query=no such name")
    readable_text(bench, "nothing found")
    bench.quiet("samples")
    # Holes, fallbacks and remarks.
    catalog = bench.place("Marks.xcassets")
    catalogs.random_catalog(catalog, bench.seed, 40)
    marks = bench.place("marks.html")
    bench.carve("preview", catalog, "-o", marks)
    bench.open(marks)
    run("showBanner('damaged: a picture')")
    for device in run("['iPhone12,8', 'iPad13,4', 'Watch7,1'].map(id => "
                      "data.devices.findIndex(one => one.id === id)).filter(place => place >= 0)"):
        run(f"chooseDevice({device})")
        readable_text(bench, "marks on cards")
    bench.quiet("marks")


# Whether an element lies inside of the window from left to right, and its text is not cut.
INSIDE = """(element => { const box = element.getBoundingClientRect();
  return box.left >= 0 && box.right <= innerWidth && element.scrollWidth <= element.clientWidth; })"""


def phone(bench):
    """Checks a window of 375 points: nothing is cut, and names of files keep their words."""
    page = sample_page(bench)
    run = bench.browser.run
    bench.browser.size(375, 812)
    try:
        bench.open(page)
        for view in VIEWS:
            run(f"change({{ view: '{view}' }})")
            bench.check.that(run("document.documentElement.scrollWidth <= 375"),
                             f"phone: {view} is too wide")
            bench.check.that(run(f"[...document.querySelectorAll('#tabs button')].every({INSIDE})"),
                             f"phone: a tab is cut in {view}")
            bench.check.that(run("[...document.querySelectorAll('#toolbar > *')].every(one => "
                                 "one.getBoundingClientRect().right <= innerWidth)"),
                             f"phone: a filter is cut in {view}")
            readable_text(bench, f"phone, {view}")
        bench.check.that(run("document.getElementById('search').clientWidth >= 200"),
                         "phone: the search field is wide enough")
        # Lines of one name of a file, which has at most three words.
        run("change({ view: 'assets', asset: data.assets.find(one => one.k === 'icon').id })")
        lines = run("[...document.querySelectorAll('.variants .file > bdi')].map(name => "
                    "new Set([...name.getClientRects()].map(box => Math.round(box.top))).size)")
        bench.check.that(lines and max(lines) <= 3, f"phone: lines of names of files: {lines}")
        bench.quiet("phone")
    finally:
        bench.browser.size(1440, 900)


def filters(bench):
    """Checks that each chip has the number of cards that it leaves, under every other filter."""
    bench.open(sample_page(bench))
    run = bench.browser.run
    for query in ("", "a"):
        run(f"change({{ query: '{query}', kind: '', problem: '' }})")
        for name in run("[...document.querySelectorAll('#toolbar .chip')].map(one => "
                        "one.firstChild.data)"):
            number, cards = run(f"""(() => {{
              change({{ kind: "", problem: "" }});
              const chip = () => [...document.querySelectorAll("#toolbar .chip")]
                .find(one => one.firstChild.data === "{name}");
              const number = Number(chip().querySelector("b").textContent);
              chip().click();
              return [number, document.querySelectorAll(".card").length];
            }})()""")
            bench.check.same(cards, number, f"cards under {name} with the search {query!r}")
    bench.quiet("filters")


# MARK: Accessibility

def readable(bench):
    """Checks that every control has a name in each view, that keys work, and the dark style."""
    bench.open(sample_page(bench))
    for view in ("assets", "matrix", "changes", "bytes"):
        bench.browser.run(f"change({{ view: '{view}', device: "
                          "data.devices.findIndex(one => one.id === 'iPad13,4') })")
        named(bench, view)
    bench.browser.run("change({ view: 'assets' })")
    for kind in ("image", "color", "symbol", "icon", "data"):
        bench.browser.run(f"change({{ asset: data.assets.find(one => one.k === '{kind}').id }})")
        named(bench, f"one {kind}")
    bench.browser.run("document.getElementById('detail').close()")
    bench.check.that(wait_for(bench, "state.asset === ''"), "the view of one asset is left")
    keyboard(bench)
    light = bench.browser.run("getComputedStyle(document.body).backgroundColor")
    bench.browser.scheme("dark")
    dark = bench.browser.run("getComputedStyle(document.body).backgroundColor")
    bench.browser.scheme("light")
    bench.check.that(light != dark, "the page follows its reader's style")
    drawn = bench.browser.run("drawAll().then(() => [...document.querySelectorAll('#view canvas')]"
                              ".map(canvas => Boolean(canvas.dataset.drawn)))")
    bench.check.that(len(drawn) > 20 and all(drawn), "all is drawn that is printed")
    paper = bench.browser.call("Page.printToPDF", {"printBackground": True})["data"]
    bench.check.that(len(paper) > 20000, "the page prints")
    bench.quiet("samples")


SEEN = """(async () => {
  await drawAll();
  return Object.fromEntries([...document.querySelectorAll(".card")].map(card => {
    const look = getComputedStyle(card.querySelector("canvas"));
    return [card.dataset.asset, [look.backgroundColor, look.filter]];
  }));
})()"""


def seen(bench):
    """Checks that white pictures on white and black ones on black get a plate, and that templates
    are drawn in black or white."""
    catalog = bench.place("Pale.xcassets")
    for name, value in (("White", 255), ("Black", 0), ("Ink", 255), ("Red", None)):
        place = os.path.join(catalog, f"{name}.imageset")
        os.makedirs(place, exist_ok=True)
        color = [230, 20, 20] if value is None else [value] * 3
        pictures.write(os.path.join(place, "p.png"), 40, 40,
                       lambda x, y, color=color: color + [255 if x + y < 40 else 0])
        contents = {"images": [catalogs.entry("p.png", idiom="universal", scale="2x")]}
        if name == "Ink":
            contents["properties"] = {"template-rendering-intent": "template"}
        catalogs.write_set(catalog, name, "imageset", contents)
    page = bench.place("pale.html")
    bench.carve("preview", catalog, "--devices", "iPhone12,8", "-o", page)
    none, light, dark = "rgba(0, 0, 0, 0)", "rgb(255, 255, 255)", "rgb(23, 24, 27)"
    black, white = "brightness(0)", "brightness(0) invert(1)"
    for fragment, on_white, on_black, ink in (
            ("", dark, none, black), ("#style=dark", none, light, white),
            ("#ground=light", none, none, black)):
        bench.open(page, fragment)
        found = bench.browser.run(SEEN)
        wanted = {"image:White": [on_white, "none"], "image:Black": [on_black, "none"],
                  "image:Ink": [none, ink], "image:Red": [none, "none"]}
        bench.check.same(found, wanted, f"plates and ink {fragment}")
    bench.quiet("pale pictures")


CONTROLS = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "slider", "listbox",
            "dialog", "image", "img", "option", "disclosuretriangle"}


def named(bench, what, least=10):
    """Checks that there are `least` controls, and that each has a name for screen readers."""
    nodes = bench.browser.call("Accessibility.getFullAXTree")["nodes"]
    controls = [node for node in nodes if not node.get("ignored")
                and node.get("role", {}).get("value", "").lower() in CONTROLS]
    unnamed = [node["role"]["value"] for node in controls
               if not node.get("name", {}).get("value", "").strip()]
    bench.check.same(unnamed, [], f"{what}: controls without a name")
    bench.check.that(len(controls) >= least, f"{what}: {len(controls)} controls are few")


def press(bench, key, code=None, text=None):
    for kind in ("keyDown", "keyUp"):
        parameters = {"type": kind, "key": key, "code": code or key}
        if kind == "keyDown" and text:
            parameters["text"] = text
        if key == "Enter":
            parameters.update({"windowsVirtualKeyCode": 13, "text": "\r"})
        if key == "Escape":
            parameters["windowsVirtualKeyCode"] = 27
        bench.browser.call("Input.dispatchKeyEvent", parameters)


def keyboard(bench):
    run = bench.browser.run
    press(bench, "/", "Slash", "/")
    bench.check.same(run("document.activeElement.id"), "search", "the key / goes to the search")
    for letter in "balloon":
        press(bench, letter, text=letter)
    bench.check.same(run("document.querySelectorAll('.card').length"), 1, "the search finds one")
    press(bench, "Escape")
    bench.check.that(run("document.querySelectorAll('.card').length") > 20,
                     "Escape ends the search")
    run("document.querySelector('.card').focus()")
    press(bench, "ArrowRight")
    second = run("document.activeElement.dataset.asset")
    bench.check.same(second, run("document.querySelectorAll('.card')[1].dataset.asset"),
                     "an arrow goes to the next card")
    press(bench, "Enter")
    bench.check.same(run("document.getElementById('detail').open"), True, "Enter opens a card")
    bench.check.that(wait_for(bench, "location.hash.includes('asset=')"),
                     "the fragment names what is open")
    press(bench, "Escape")
    bench.check.same(run("document.getElementById('detail').open"), False, "Escape closes it")
    before = run("state.style")
    press(bench, "s", text="s")
    bench.check.that(run("state.style") != before, "the key s changes the style")
    press(bench, "s", text="s")


# MARK: Bad input

def hostile(bench):
    """Checks that every name is shown as text, and that the page is usable with pictures of any
    size."""
    catalog = bench.place("Hostile.xcassets")
    catalogs.hostile_catalog(catalog)
    page = bench.place("hostile.html")
    bench.carve("preview", catalog, "-o", page)
    bench.open(page)
    run = bench.browser.run
    shown = run("[...document.querySelectorAll('.card h3')].map(one => one.textContent)")
    names = run("data.assets.map(one => one.n)")
    bench.check.same(shown, names, "hostile names are shown as they are")
    wanted = {name.replace("/", "\u2215") for name in catalogs.HOSTILE} | {"Tiny", "Huge"}
    bench.check.same(set(names), wanted, "hostile names are all there")
    for view in ("matrix", "changes", "bytes", "assets"):
        run(f"change({{ view: '{view}' }})")
    for name in names:
        run(f"change({{ asset: 'image:' + {json.dumps(name)} }})")
        bench.check.same(run("document.getElementById('detail-name').textContent"), name,
                         "the name of one asset")
    bench.check.same(run("window.hurt === undefined && !document.querySelector('img')"), True,
                     "nothing of a name is run")
    bench.check.that(run("document.documentElement.scrollWidth <= innerWidth"),
                     "no name is too wide")
    drawn = "Boolean(document.getElementById('big-canvas').dataset.drawn)"
    run("change({ asset: 'image:Huge' })")
    bench.check.that(wait_for(bench, drawn), "a picture of 8000 × 8000 is shown")
    run("change({ asset: 'image:Tiny' })")
    bench.check.that(wait_for(bench, drawn), "a picture of one pixel is shown")
    bench.quiet("hostile names")
    empty_and_broken(bench)


def empty_and_broken(bench):
    empty = bench.place("Empty.xcassets")
    os.makedirs(empty, exist_ok=True)
    page = bench.place("empty.html")
    bench.carve("preview", empty, "-o", page)
    bench.open(page)
    bench.check.that("nothing" in bench.browser.run("document.getElementById('view').textContent"),
                     "an empty catalogue says so")
    bench.quiet("empty catalogue")
    # A picture with damaged bytes, in an archive that is otherwise valid.
    catalog = bench.place("Plain.xcassets")
    place = os.path.join(catalog, "Plain.imageset")
    os.makedirs(place, exist_ok=True)
    pictures.write(os.path.join(place, "p.png"), 300, 300, catalogs.noise("plain", True))
    catalogs.write_set(catalog, "Plain", "imageset",
                       {"images": [catalogs.entry("p.png", idiom="universal", scale="2x")]})
    archive = bench.place("plain.car")
    bench.carve("compile", catalog, "-o", archive)
    with open(archive, "r+b") as file:
        data = bytearray(file.read())
        start = data.find(b"MLEC") + 100
        data[start:start + 400] = b"\xff" * 400
        file.seek(0)
        file.write(data)
    bench.carve("preview", archive, "-o", page)
    bench.open(page)
    text = bench.browser.run("document.querySelector('.card').textContent")
    bench.check.that("No picture" in text and "broken" in text, f"a broken picture is told: {text}")
    bench.quiet("broken picture")


# MARK: Size and changes

def scale(bench):
    """Opens a page of two thousand sets. Its times are printed and have no limit."""
    catalog = bench.place("Many.xcassets")
    catalogs.many_catalog(catalog, int(os.environ.get("CARVE_PREVIEW_SETS", "2000")))
    page = bench.place("many.html")
    started = time.monotonic()
    bench.carve("preview", catalog, "-o", page)
    made = time.monotonic() - started
    bench.open(page)
    found = bench.browser.run(
        "(async () => { await new Promise(done => setTimeout(done, 50)); const times = "
        "performance.getEntriesByType('navigation')[0]; const paint = "
        "performance.getEntriesByName('first-contentful-paint')[0]; return { load: "
        "times.loadEventEnd, paint: paint && paint.startTime }; })()")
    count = bench.browser.run("document.querySelectorAll('.card').length")
    bench.check.same(count, len(os.listdir(catalog)), "a card for each of many sets")
    drawn = bench.browser.run("drawnCanvases.size")
    bench.check.that(drawn < 200, f"{drawn} pictures are decoded before anybody scrolls")
    bench.browser.run("scrollTo(0, document.documentElement.scrollHeight)")
    bench.check.that(wait_for(
        bench, "Boolean([...document.querySelectorAll('.card canvas')].at(-1).dataset.drawn)"),
        "the last picture is drawn when it is in view")
    bench.quiet("many sets")
    print(f"  {count} sets: made in {made:.1f} s, first paint after {found['paint']:.0f} ms, "
          f"loaded after {found['load']:.0f} ms, {os.path.getsize(page):,} bytes")


def difference(bench):
    """Checks that the changes between two catalogues are counted and marked, pixel by pixel."""
    for name, changed in (("Old", False), ("New", True)):
        catalog = bench.place(f"{name}.xcassets")
        for asset in ("Same", "Changed", "Added" if changed else "Removed"):
            place = os.path.join(catalog, f"{asset}.imageset")
            os.makedirs(place, exist_ok=True)
            pixel = catalogs.noise(asset, True)
            dot = asset == "Changed" and changed
            pictures.write(os.path.join(place, "p.png"), 20, 16, lambda x, y, pixel=pixel, dot=dot:
                           [255, 0, 0, 255] if dot and x < 3 and y < 2 else pixel(x, y))
            catalogs.write_set(catalog, asset, "imageset", {
                "images": [catalogs.entry("p.png", idiom="universal", scale="2x")]})
    page, folder = bench.place("difference.html"), bench.place("changes")
    bench.carve("preview", bench.place("Old.xcassets"), bench.place("New.xcassets"), "-o", page,
                "--png", folder)
    bench.open(page)
    run = bench.browser.run
    entries = run("difference.changes.map(entry => [entry.n, changeKind(entry)])")
    bench.check.same(entries, [["Added", "added"], ["Removed", "removed"], ["Changed", "changed"]],
                     "what changed")
    cards = run("[...document.querySelectorAll('.changed-asset')].map(one => "
                "[one.querySelector('h3').textContent, one.querySelector('.tally').textContent])")
    bench.check.same(sorted(cards), [["Added", "added"], ["Changed", "changed"],
                                     ["Removed", "removed"]], "a card for each asset")
    chips = run("[...document.querySelectorAll('#toolbar .chip')].map(one => one.textContent)")
    bench.check.same(chips, ["Added1", "Removed1", "Changed1"], "chips count the cards")
    run("document.querySelector('#toolbar .chip').click()")
    bench.check.same(run("[...document.querySelectorAll('.changed-asset h3')].map(one => "
                         "one.textContent)"), ["Added"], "a chip filters the cards")
    run("document.querySelector('#toolbar .chip').click()")
    readable_text(bench, "difference")
    address(bench, page)
    run("openComparison(difference.changes[2])")
    readable_text(bench, "one change")
    for mode in ("swipe", "blink", "side", "marked"):
        run(f"(() => {{ compareView.mode = '{mode}'; drawComparison(); }})()")
        bench.check.that(wait_for(
            bench, "document.getElementById('compare-note').textContent.startsWith('6 of 320 ')"),
            f"{mode}: six pixels changed")
        named(bench, f"difference, {mode}", least=6)
    bench.quiet("difference")
    files = sorted(os.listdir(folder))
    bench.check.same(len(files), 3, f"a picture for each change: {files}")
    sheet = next(name for name in files if name.startswith("Changed"))
    width, height, pixels = pictures.read(os.path.join(folder, sheet))
    bench.check.same((width, height), (12 + 3 * 32, 16 + 24), "three pictures in a row")
    marks = sum(pixels[place:place + 3] == b"\xe6\x1e\x99" for place in range(0, len(pixels), 4))
    bench.check.same(marks, 6, "marked pixels in the file")


def address(bench, page):
    """Checks that an open change has an address, which opens it, and that closing it clears it."""
    run = bench.browser.run
    run("document.querySelectorAll('.changed-asset .pair')[2].click()")
    bench.check.that(wait_for(bench, "location.hash.includes('open=')"), "an open change has an address")
    fragment = run("location.hash")
    bench.check.that(run("document.getElementById('detail').open"), "a change is open")
    press(bench, "Escape")
    bench.check.that(wait_for(bench, "!location.hash.includes('open=')"), "it is closed")
    bench.open(page, fragment)
    bench.check.same(run("[document.getElementById('detail').open, "
                         "document.getElementById('detail-name').textContent]"), [True, "Changed"],
                     "the address opens the change")
    run("location.hash = location.hash.replace(/&open=[^&]*/, '')")
    bench.check.that(wait_for(bench, "!document.getElementById('detail').open"),
                     "the address without it closes it")
    bench.open(page, fragment.replace("Changed", "Unknown"))
    bench.check.same(run("document.getElementById('detail').open"), False,
                     "the address of a change that does not exist opens nothing")
    bench.open(page)


CHECKS = {"stretch": stretch, "contrast": contrast, "phone": phone, "filters": filters,
          "readable": readable, "seen": seen, "hostile": hostile, "scale": scale,
          "difference": difference}
