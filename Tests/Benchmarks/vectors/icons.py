#!/usr/bin/env python3
"""Makes icons as PDF and SVG, two files for each picture, and catalogues of them.

usage: icons.py FOLDER COUNT. Icon i is the same for every COUNT. The mix follows real applications:
most icons are a few fills with curves, some have a clip, strokes, a group with alpha or a gradient.
"""
import json
import math
import pathlib
import random
import sys
import zlib

KAPPA = 0.5522847
KINDS = ["fill"] * 9 + ["clip"] * 5 + ["group"] * 3 + ["stroke"] * 2 + ["gradient"]


def circle(x, y, r):
    k = r * KAPPA
    return [("M", x + r, y), ("C", x + r, y + k, x + k, y + r, x, y + r),
            ("C", x - k, y + r, x - r, y + k, x - r, y), ("C", x - r, y - k, x - k, y - r, x, y - r),
            ("C", x + k, y - r, x + r, y - k, x + r, y), ("Z",)]


def rounded(x, y, w, h, r):
    k = r * (1 - KAPPA)
    right, low = x + w, y + h
    return [("M", x + r, y), ("L", right - r, y), ("C", right - k, y, right, y + k, right, y + r),
            ("L", right, low - r), ("C", right, low - k, right - k, low, right - r, low),
            ("L", x + r, low), ("C", x + k, low, x, low - k, x, low - r), ("L", x, y + r),
            ("C", x, y + k, x + k, y, x + r, y), ("Z",)]


def blob(dice, x, y, r):
    """Returns a closed outline of smooth curves around a point."""
    count = dice.randrange(4, 9)
    radii = [r * dice.uniform(0.5, 1) for _ in range(count)]
    points = [(x + radii[i] * math.cos(i * math.tau / count), y + radii[i] * math.sin(i * math.tau / count))
              for i in range(count)]
    steps = [("M", *points[0])]
    for i in range(count):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (points[(i + j) % count] for j in (-1, 0, 1, 2))
        steps.append(("C", bx + (cx - ax) / 6, by + (cy - ay) / 6, cx - (dx - bx) / 6, cy - (dy - by) / 6,
                      cx, cy))
    return steps + [("Z",)]


def shape(dice, side):
    x, y, r = (dice.uniform(0.3, 0.7) * side, dice.uniform(0.3, 0.7) * side, dice.uniform(0.15, 0.3) * side)
    kind = dice.randrange(3)
    if kind == 0:
        return circle(x, y, r) + circle(x, y, r * 0.6)
    if kind == 1:
        return rounded(x - r, y - r * 0.7, 2 * r, 1.4 * r, r * 0.3)
    return blob(dice, x, y, r * 1.2)


def icon(number):
    dice = random.Random(number)
    side = dice.choice([16, 20, 24, 24, 24, 28, 32, 44])
    return {"kind": dice.choice(KINDS), "side": side,
            "shapes": [shape(dice, side) for _ in range(dice.randrange(2, 6))],
            "colors": [tuple(dice.randrange(256) / 255 for _ in range(3)) for _ in range(6)],
            "clip": circle(side / 2, side / 2, side * 0.45), "width": dice.choice([1.5, 2, 3])}


def words(steps):
    return " ".join(step[0] + " ".join(f"{v:.5g}" for v in step[1:]) for step in steps)


def svg(icon):
    side, kind = icon["side"], icon["kind"]
    hues = ["#" + "".join(f"{round(c * 255):02x}" for c in color) for color in icon["colors"]]
    head = group = tail = ""
    if kind in ("clip", "gradient"):
        head += f'<clipPath id="c"><path d="{words(icon["clip"])}"/></clipPath>'
        group, tail = '<g clip-path="url(#c)">', "</g>"
    if kind == "gradient":
        head += ('<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0"'
                 f' y2="{side}"><stop stop-color="{hues[4]}"/>'
                 f'<stop offset="1" stop-color="{hues[5]}"/></linearGradient>')
        group += f'<rect width="{side}" height="{side}" fill="url(#g)"/>'
    if kind == "group":
        group, tail = '<g opacity="0.6">', "</g>"
    style = 'fill="none" stroke="{}" stroke-width="%g" stroke-linecap="round"' % icon["width"]
    if kind != "stroke":
        style = 'fill="{}" fill-rule="evenodd"'
    body = "".join(f'<path {style.format(hues[i % 4])} d="{words(steps)}"/>'
                   for i, steps in enumerate(icon["shapes"]))
    head = f"<defs>{head}</defs>" if head else ""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}"'
            f' viewBox="0 0 {side} {side}">{head}{group}{body}{tail}</svg>').encode()


def operators(steps):
    names = {"M": "m", "L": "l", "C": "c", "Z": "h"}
    return "\n".join(" ".join([f"{v:.5g}" for v in step[1:]] + [names[step[0]]]) for step in steps)


def content(icon):
    kind = icon["kind"]
    lines = []
    if kind in ("clip", "gradient"):
        lines += [operators(icon["clip"]), "W n"]
    if kind == "gradient":
        lines.append("/S1 sh")
    if kind == "stroke":
        lines.append(f"1 J {icon['width']:g} w")
    for i, steps in enumerate(icon["shapes"]):
        color = " ".join(f"{c:.5g}" for c in icon["colors"][i % 4])
        lines += [f"{color} {'RG' if kind == 'stroke' else 'rg'}", operators(steps),
                  "S" if kind == "stroke" else "f*"]
    return "\n".join(lines)


def stream(entries, data):
    packed = zlib.compress(data.encode())
    return f"<< {entries} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n".encode() \
        + packed + b"\nendstream"


def pdf(icon):
    side, kind = icon["side"], icon["kind"]
    flip = f"q 1 0 0 -1 0 {side} cm\n"
    first, last = (" ".join(f"{c:.5g}" for c in icon["colors"][i]) for i in (4, 5))
    resources = ("<< /ExtGState << /G1 << /ca 0.6 >> >> /Shading << /S1 << /ShadingType 2 /ColorSpace"
                 f" /DeviceRGB /Coords [0 0 0 {side}] /Function << /FunctionType 2 /Domain [0 1] /N 1"
                 f" /C0 [{first}] /C1 [{last}] >> >> >>")
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {side} {side}] /Contents 4 0 R"
               f" /Resources {resources} /XObject << /X1 5 0 R >> >> >>".encode()]
    if kind == "group":
        form = f"/Type /XObject /Subtype /Form /BBox [0 0 {side} {side}] /Group << /S /Transparency >>"
        objects += [stream("", flip + "/G1 gs /X1 Do Q"), stream(form, content(icon))]
    else:
        objects.append(stream("", flip + content(icon) + "\nQ"))
    file, places = b"%PDF-1.5\n", []
    for number, body in enumerate(objects):
        places.append(len(file))
        file += f"{number + 1} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    return file + (f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size"
                   f" {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(file)}\n%%EOF\n").encode()


def image_set(folder, images):
    folder.mkdir(parents=True)
    document = {"images": images, "info": {"author": "xcode", "version": 1}}
    (folder / "Contents.json").write_text(json.dumps(document))


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    for kind, write in (("pdf", pdf), ("svg", svg)):
        (folder / kind).mkdir(parents=True)
        for number in range(count):
            file = write(icon(number))
            (folder / kind / f"icon{number}.{kind}").write_bytes(file)
            if (number % 2 == 0) == (kind == "pdf"):
                place = folder / "Vectors.xcassets" / f"icon{number}.imageset"
                image_set(place, [{"idiom": "universal", "filename": f"icon{number}.{kind}"}])
                (place / f"icon{number}.{kind}").write_bytes(file)


if __name__ == "__main__":
    main()
