#!/usr/bin/env python3
"""Draws the pictures that decode.bench decodes. usage: pictures.py FOLDER

Plain.xcassets holds one picture in each set, named KIND-SIDE; Sprites.xcassets holds icons for an
atlas and a button that stretches.
"""
import json
import pathlib
import random
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from workload import chunk, disc, glyph, png, scene  # noqa: E402
import zlib  # noqa: E402


def wide(side):
    """Returns a ramp of 16 bits for each channel in Display P3, with grain."""
    dice = random.Random("wide")
    rows = bytearray()
    for y in range(side):
        rows += b"\0"
        for x in range(side):
            grain = dice.randrange(256)
            rows += struct.pack(">HHH", 65535 - 128 * y, 200 * x + grain, 120 * (x + y) // 2 + grain)
    header = struct.pack(">IIBBBBB", side, side, 16, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"cICP", bytes([12, 13, 0, 1]))
            + chunk(b"IDAT", zlib.compress(bytes(rows), 6)) + chunk(b"IEND", b""))


def image_set(catalog, name, content, **more):
    folder = catalog / f"{name}.imageset"
    folder.mkdir(parents=True)
    (folder / f"{name}.png").write_bytes(content)
    entry = {"filename": f"{name}.png", "idiom": "universal", "scale": "1x", **more}
    text = {"images": [entry], "info": {"author": "xcode", "version": 1}}
    (folder / "Contents.json").write_text(json.dumps(text, indent=2))


def main():
    root = pathlib.Path(sys.argv[1])
    plain = root / "Plain.xcassets"
    for side in (50, 48, 256, 2048):
        dice = random.Random(f"decode {side}")
        image_set(plain, f"icon-{side}", png(side, side, 6, disc(dice, side)))
        image_set(plain, f"photo-{side}", png(side, side, 2, scene(dice, side, side)))
        image_set(plain, f"glyph-{side}", png(side, side, 4, glyph(dice, side)))
    image_set(plain, "wide-256", wide(256), **{"display-gamut": "display-P3"})
    sprites = root / "Sprites.xcassets"
    for index in range(60):
        dice = random.Random(f"sprite {index}")
        side = dice.choice([20, 24, 32, 44, 48])
        image_set(sprites, f"sprite-{index}", png(side, side, 6, disc(dice, side)))
    resizing = {"mode": "9-part", "center": {"mode": "tile", "width": 8, "height": 8},
                "cap-insets": {"top": 20, "left": 20, "bottom": 20, "right": 20}}
    for mode in ("tile", "stretch"):
        content = png(48, 48, 6, disc(random.Random("button"), 48))
        center = dict(resizing["center"], mode=mode)
        image_set(sprites, f"{mode}-48", content, resizing=dict(resizing, center=center))


main()
