# The inputs of the engines: the sample catalogues, and the archive that one step makes of them.
import filecmp
import glob
import pathlib
import re
import shutil

from .base import check, fail, out, run, samples, tool

GROUPS = {"Namespaces.xcassets": ["Fruit", "Roots"]}
# The catalogue in which a file changes; its object and the link are then made again.
CHANGED = "Colors.xcassets"


def catalogs():
    return sorted(path.name for path in samples.glob("*.xcassets") if path.name != "Broken.xcassets")


def lay_out(folder):
    """Writes a workspace of Bazel with the sample catalogues, and with a target that does not
    declare all files that it reads.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in catalogs():
        shutil.copytree(samples / name, folder / name)
    for name in ["WORKSPACE", "carve.bzl", "tools"]:
        source = samples / "Builds" / "Bazel" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    shutil.copy(tool, folder / "tools" / "carve")
    listed = ",\n".join(f'        "{name}": {GROUPS.get(name, [])!r}'.replace("'", '"') for name in catalogs())
    (folder / "BUILD").write_text(f"""\
load(":carve.bzl", "carve_assets", "carve_object")

carve_assets(
    name = "assets",
    catalogs = {{
{listed},
    }},
    header = "assets.h",
    settings = ["--include-all-app-icons"],
)

carve_object(
    name = "undeclared",
    catalog = "Scales.xcassets",
    srcs = glob(["Scales.xcassets/**/Contents.json"]),
)
""")
    return folder


def object_count():
    return len(catalogs()) + sum(len(groups) for groups in GROUPS.values())


def one_step(folder):
    """Makes the archive and the ids from the same catalogues with one command."""
    place = out / "one-step"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    run([tool, "compile", *catalogs(), "--include-all-app-icons", "-o", place / "Assets.car", "--c",
         place / "assets.h"], folder)
    return place


def check_outputs(made, folder, engine):
    expected = one_step(folder)
    for name in ["Assets.car", "assets.h"]:
        check(filecmp.cmp(made / name, expected / name, shallow=False),
              f"{engine}: {name} is not that of compiling in one step")
    for path in [*glob.glob(f"{made}/*.caro"), made / "Assets.car", made / "assets.h"]:
        contents = pathlib.Path(path).read_bytes()
        for place in [out, folder, tool]:
            check(str(place).encode() not in contents, f"{engine}: {path} has the path {place}")


def change(folder):
    for path in sorted((folder / CHANGED).rglob("Contents.json")):
        text = path.read_text()
        other = re.sub(r'"red"\s*:\s*"[^"]*"', '"red" : "0x21"', text)
        if other != text:
            path.write_text(other)
            return
    fail(f"no colour of {CHANGED} can be changed")
