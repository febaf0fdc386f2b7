"""Compares the page with the answers of `carve resolve` and the pictures of `carve extract`."""
import concurrent.futures
import json
import os
import random

import pictures


class Archive:
    """An archive, its page, its extracted files, and the tool."""

    def __init__(self, carve, path, folder):
        self.carve = carve
        self.path = path
        self.folder = folder
        self.page = os.path.join(folder, "page.html")
        carve("preview", path, "-o", self.page)
        self.extracted = os.path.join(folder, "extracted")
        carve("extract", path, "-o", self.extracted)
        self.files = {}
        for place, _, names in os.walk(self.extracted):
            for name in names:
                self.files[name] = os.path.join(place, name)

    def answer(self, name, kind, device, style, language):
        """Returns the rows of `resolve --windows all`, one for each window of the device."""
        more = ["--language", language] if language else []
        text = self.carve(
            "resolve", self.path, name, "--kind", kind, "--device", device, "--windows", "all",
            "--style", style, "--json", *more, fails=True)
        return [json.loads(line) for line in text.splitlines()]


# Returns the texts on the cards of assets, and every pixel of the large pictures.
SHOWN = """(async () => {
  const all = [];
  for (const [id, chosen] of %s) {
    change({ ...chosen, free: null, asset: id });
    const card = cardsById.get(id), dialog = document.getElementById("detail");
    const rows = {};
    for (const term of dialog.querySelectorAll(".situation dt")) {
      rows[term.textContent] = term.nextElementSibling.textContent;
    }
    const shown = { rows, hole: Boolean(card.querySelector(".hole")),
      wins: [...dialog.querySelectorAll(".variants .wins .file")].map(cell => cell.textContent) };
    all.push(shown);
    const canvas = document.getElementById("big-canvas");
    if (!canvas) continue;
    for (let tries = 0; tries < 2000 && !canvas.dataset.drawn; tries += 1) {
      await new Promise(done => setTimeout(done, 5));
    }
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    shown.width = canvas.width;
    shown.height = canvas.height;
    shown.pixels = btoa(Array.from(pixels.data, byte => String.fromCharCode(byte)).join(""));
  }
  change({ asset: "" });
  return all;
})()"""
AT_ONCE = 20


def mirrored(width, pixels):
    rows = [pixels[start:start + width * 4] for start in range(0, len(pixels), width * 4)]
    return b"".join(row[place:place + 4] for row in rows
                    for place in range(len(row) - 4, -1, -4))


def agree(browser, archive, count, seed, check):
    """Compares `count` random assets, each on a random device, window, style and language."""
    data = browser.run("({ assets: data.assets.map(one => ({ k: one.k, n: one.n })), "
                       "looks: data.looks, devices: data.devices })")
    source = random.Random(seed)
    cases = [random_case(source, data) for _ in range(count)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda case: archive.answer(*question(case, data)), cases))
    compared = 0
    for start in range(0, count, AT_ONCE):
        part = cases[start:start + AT_ONCE]
        wanted = [[f"{asset['k']}:{asset['n']}", chosen] for asset, chosen in part]
        all_shown = browser.run(SHOWN % json.dumps(wanted))
        for case, shown, rows in zip(part, all_shown, answers[start:]):
            name, _, *situation = question(case, data)
            place = f"{name}, window {case[1]['window']} of {' '.join(situation)}"
            compared += compare(shown, rows[case[1]["window"]], archive, place, check)
    check.that(compared >= count // 2, f"only {compared} of {count} pictures were compared")
    return compared


def question(case, data):
    """Returns the arguments for `resolve`: name, kind, device, style and language."""
    asset, chosen = case
    return (asset["n"], asset["k"], data["devices"][chosen["device"]]["id"],
            data["looks"]["styles"][chosen["style"]],
            data["looks"]["languages"][chosen["language"]][0])


def random_case(source, data):
    asset = source.choice(data["assets"])
    device = source.randrange(len(data["devices"]))
    return asset, {
        "device": device,
        "window": source.randrange(len(data["devices"][device]["windows"])),
        "style": source.randrange(len(data["looks"]["styles"])),
        "language": source.randrange(len(data["looks"]["languages"])),
    }


def compare(shown, answer, archive, place, check):
    """Compares a card with an answer. Returns 1 if pixels were compared, otherwise 0."""
    if "unknown" in answer:
        check.same(sorted(shown["rows"].get("Not known", "").split(": ")[0].split(", ")),
                   sorted(answer["unknown"]), f"{place}: what is not known")
        return 0
    check.that("Not known" not in shown["rows"], f"{place}: said to be unknown")
    check.same(shown["hole"], not answer["found"], f"{place}: a hole")
    if not answer["found"]:
        check.that(answer["reason"] in shown["rows"]["Shows"], f"{place}: why there is nothing")
        return 0
    check.same(shown["rows"]["Shows"].endswith(", mirrored"), answer["mirrored"],
               f"{place}: mirrored")
    name = answer["variant"]["file"]
    if name is None:
        return 0
    check.same(shown["rows"]["File"], name, f"{place}: the file")
    check.that(shown["wins"] and shown["wins"][0].startswith(name), f"{place}: the marked variant")
    return compare_pixels(shown, answer, archive.files.get(name), place, check)


def compare_pixels(shown, answer, path, place, check):
    import base64
    if path is None or "pixels" not in shown:
        return 0
    width, height, wanted = pictures.read(path)
    check.same((shown["width"], shown["height"]), (width, height), f"{place}: the size")
    got = base64.b64decode(shown["pixels"])
    if answer["mirrored"]:
        wanted = mirrored(width, wanted)
    opaque = all(alpha == 255 for alpha in wanted[3::4])
    if opaque:
        check.that(got == wanted, f"{place}: the pixels")
        return 1
    # A canvas stores premultiplied bytes, so premultiplied bytes are compared. They must be equal.
    check.same(got[3::4], wanted[3::4], f"{place}: the alpha")
    check.that(pictures.flat(got) == pictures.flat(wanted), f"{place}: the pixels, premultiplied")
    return 1
