"""Checks of the page of an app and of the page of a history."""
import json
import os
import subprocess

import catalogs
import pictures
from contrast import readable_text
from pages import named, press, wait_for


def app_page(bench):
    """Makes an app with two archives, one of them in a framework, and loose files."""
    page = bench.place("app.html")
    if os.path.exists(page):
        return page
    app = bench.place("Shop.app")
    kit = "Frameworks/Kit.framework/Assets.car"
    for catalog, place in (("Scales", "Assets.car"), ("SizeClasses", kit)):
        path = os.path.join(app, place)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        bench.carve("compile", os.path.join(bench.samples, f"{catalog}.xcassets"), "-o", path)
    pictures.write(os.path.join(app, "loose@2x.png"), 30, 30, catalogs.noise("loose", True))
    with open(os.path.join(app, "Shop"), "wb") as file:
        file.write(bytes(200000))
    bench.carve("app", app, "--html", page)
    return page


def cells(bench):
    """Returns the labels and boxes of the map's cells."""
    return bench.browser.run(
        "[...document.querySelectorAll('.cell')].map(cell => {"
        " const box = cell.getBoundingClientRect(); return [cell.title, box.left, box.top, box.width, box.height]; })")


def app(bench):
    page = app_page(bench)
    run = bench.browser.run
    bench.open(page)
    bench.check.same(run("state.view"), "map", "an app begins with its map")
    report = json.loads(bench.carve("app", bench.place("Shop.app"), "--json"))
    bench.check.same(run("nodePath()[0].bytes"), report["bytes"], "the bytes of the app")
    sums = run("(function sum(node) { return !node.children || node.bytes === node.children.reduce("
               "(all, child) => all + child.bytes, 0) && node.children.every(sum); })(appTree)")
    bench.check.that(sums, "the children of each node have its bytes together")
    # The areas of the cells are in the ratio of the bytes.
    area = run("(() => { const box = document.querySelector('.map').getBoundingClientRect();"
               " return box.width * box.height; })()")
    for title, _, _, width, height in cells(bench):
        share = float(title.rsplit(", ", 1)[1].split()[0])
        bench.check.that(abs(width * height / area * 100 - share) < 1, f"map: the area of {title}")
    for scheme in ("light", "dark"):
        readable_text(bench, f"map, {scheme}", least=8)
    named(bench, "map", least=6)
    # By keys: into the app, into its archive, to an asset.
    run("document.querySelector('button.cell').focus()")
    press(bench, "Enter")
    bench.check.same(run("nodePath().length"), 2, "Enter goes into a bundle")
    press(bench, "Escape")
    bench.check.same(run("nodePath().length"), 1, "Escape goes out again")
    run("change({ node: '0.' + appTree.children[0].children.findIndex("
        "one => one.page !== undefined) })")
    named(bench, "map of an archive", least=6)
    readable_text(bench, "map of an archive", least=8)
    name = run("nodePath()[2].children.find(one => one.asset).asset")
    run("document.querySelector('button.cell').click()")
    bench.check.that(wait_for(bench, "typeof state !== 'undefined' && state.view === 'assets'"),
                     "a cell of an asset opens it")
    bench.check.that(wait_for(bench, f"shownAssets.some(one => one.n === {json.dumps(name)})"),
                     "the asset is shown")
    bench.quiet("map")
    switch(bench, page)
    phone(bench, page)


def switch(bench, page):
    """Checks the switch between archives, with its pictures."""
    run = bench.browser.run
    names = ["Device", "Moon", "Rocket"], ["Panel", "Star"]
    for number in (0, 1):
        bench.open(page, f"#archive={number}&view=assets")
        shown = run("data.assets.map(one => one.n).sort()")
        bench.check.same(shown, names[number], f"the assets of archive {number}")
        drawn = run("drawAll().then(() => [...document.querySelectorAll('#view canvas')]"
                    ".every(canvas => canvas.dataset.drawn))")
        bench.check.that(drawn, f"the pictures of archive {number} are drawn")
    run("(() => { const select = document.getElementById('archive'); select.value = '0';"
        " select.dispatchEvent(new Event('change')); })()")
    bench.check.that(wait_for(bench, "document.readyState === 'complete' && archiveNumber === 0"),
                     "the switch shows the other archive")
    bench.check.same(run("state.view"), "assets", "the switch keeps the view")
    bench.quiet("switch")


def phone(bench, page):
    run = bench.browser.run
    bench.browser.size(375, 812)
    try:
        bench.open(page)
        for view in ("map", "assets", "bytes"):
            run(f"change({{ view: '{view}' }})")
            bench.check.that(run("document.documentElement.scrollWidth <= 375"),
                             f"app on a phone: {view} is too wide")
            readable_text(bench, f"app on a phone, {view}", least=8)
    finally:
        bench.browser.size(1440, 900)


def git(folder, *words):
    names = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
             "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
             "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], cwd=folder, env={**os.environ, **names}, check=True,
                   stdout=subprocess.DEVNULL)


def history_page(bench):
    """Makes a repository in which a set grows, a commit breaks the catalogue, and one mends it."""
    folder = bench.place("repository")
    catalog = os.path.join(folder, "A.xcassets")
    os.makedirs(catalog)
    git(folder, "init", "-q", ".")
    for number, side in enumerate([20, 20, 60, 0, 60, 40]):
        place = os.path.join(catalog, "Star.imageset")
        os.makedirs(place, exist_ok=True)
        contents = os.path.join(place, "Contents.json")
        if side:
            for scale in (2, 3):
                pictures.write(os.path.join(place, f"{scale}.png"), side * scale, side * scale,
                               catalogs.noise(f"star {side}", True))
            catalogs.write_set(catalog, "Star", "imageset", {"images": [
                catalogs.entry(f"{scale}.png", idiom="universal", scale=f"{scale}x")
                for scale in (2, 3)]})
        else:
            with open(contents, "w", encoding="utf-8") as file:
                file.write("{")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "--allow-empty", "-m", f"Step {number} <b>{side}</b>")
    page = bench.place("history.html")
    bench.carve("history", catalog, "--no-cache", "--html", page)
    return page, json.loads(bench.carve("history", catalog, "--no-cache", "--json"))


def history(bench):
    page, told = history_page(bench)
    run = bench.browser.run
    bench.open(page)
    bench.check.same(run("commits.length"), 6, "all commits are there")
    bench.check.same([move["commit"] for move in told["moves"]], [2, 5], "the commits that moved")
    bench.check.same(run("document.querySelectorAll('#lines .line').length"), len(told["lines"]),
                     "a line for each group of devices")
    bench.check.same(run("document.querySelectorAll('#moves tbody tr').length"), 2,
                     "a row for each move")
    bench.check.that("1 commit that did not compile" in run("byId('gaps').textContent"),
                     "the gap is named")
    bench.check.that(run("pathOf(lines[0]).split('M').length") == 3, "a gap interrupts the lines")
    press(bench, "[")
    bench.check.same(run("state.commit"), 2, "the key [ goes to the change before")
    bench.check.that(run("byId('commit').textContent.includes('Step 2 <b>60')"),
                     "names are text, not markup")
    press(bench, "ArrowRight")
    bench.check.that(run("byId('commit').textContent.includes('It does not compile')"),
                     "the reason of a gap is told")
    run("document.querySelector('#moves button').click()")
    bench.check.same(run("state.commit"), 5, "a row chooses its commit")
    run("document.querySelector('#legend button').click()")
    bench.check.same(run("document.querySelectorAll('.line.chosen').length"), 1,
                     "the legend chooses a line")
    run("change({ isWhole: true })")
    readable_text(bench, "history")
    named(bench, "history", least=6)
    bench.check.that(run("location.hash.includes('device=')"), "the fragment keeps the choice")
    bench.browser.size(375, 812)
    try:
        bench.check.that(wait_for(bench, "document.documentElement.scrollWidth <= 375"),
                         "history on a phone is too wide")
        readable_text(bench, "history on a phone")
    finally:
        bench.browser.size(1440, 900)
    bench.quiet("history")


CHECKS = {"app": app, "history": history}
