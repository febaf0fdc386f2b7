"""Draws larger pictures: landscapes, fruit, signs, the application's icon."""

import math

from pictures import GOLD, SILVER, around, star, star_points
from raster import Path, linear, mix, radial, rgb


def sunset(c):
    """Draws colours at the limit of the colour space. Box 1.5 x 1."""
    frame = Path().box(0, 0, 1.5, 1, 0.08)
    c.fill(frame, linear((0, 0), (0, 0.66), (0.2, 0.0, 0.5), (1.0, 0.0, 0.45), (1.0, 0.42, 0.0), (1.0, 0.85, 0.0)))
    c.fill(Path().circle(0.75, 0.6, 0.42), radial((0.75, 0.6), 0.42, (1, 0.8, 0, 0.8), (1, 0.4, 0, 0)), clip=frame)
    c.fill(Path().circle(0.75, 0.6, 0.2), linear((0, 0.4), (0, 0.66), (1, 0.97, 0.4), (1, 0.6, 0)), clip=frame)
    sea = Path().box(0, 0.64, 1.5, 0.4)
    c.fill(sea, linear((0, 0.64), (0, 1), (0.9, 0.1, 0.4), (0.25, 0.0, 0.5), (0.02, 0.0, 0.25)), clip=frame)
    for i in range(7):
        y, w = 0.665 + i * 0.045, 0.26 - abs(i - 1.5) * 0.026
        shift = 0.03 * (-1) ** i
        c.fill(Path().box(0.75 + shift - w, y, w * 2, 0.018, 0.009), (1, 0.75 - i * 0.07, 0.1, 0.9 - i * 0.09), clip=frame)
    for x, y, s in ((0.28, 0.22, 1), (0.4, 0.3, 0.7), (1.2, 0.18, 0.8)):
        wing = Path()
        for side in (-1, 1):
            wing.curve((x, y), ((x + side * 0.03 * s, y - 0.05 * s), (x + side * 0.08 * s, y - 0.05 * s), (x + side * 0.1 * s, y - 0.02 * s)),
                       ((x + side * 0.08 * s, y - 0.03 * s), (x + side * 0.04 * s, y - 0.025 * s), (x, y + 0.015 * s)))
        c.fill(wing, (0.1, 0.0, 0.2))
    return c


def apple(c):
    body = Path().curve((0.5, 0.3), ((0.66, 0.18), (0.96, 0.26), (0.92, 0.6)), ((0.88, 0.86), (0.68, 1.02), (0.5, 0.93)),
                        ((0.32, 1.02), (0.12, 0.86), (0.08, 0.6)), ((0.04, 0.26), (0.34, 0.18), (0.5, 0.3)))
    c.fill(body, radial((0.36, 0.42), 0.7, rgb("ff8d7a"), rgb("e5302f"), rgb("8f1220")))
    c.fill(Path().line([(0.5, 0.32), (0.52, 0.2), (0.57, 0.1)], 0.045), rgb("6b4423"))
    c.fill(Path().curve((0.55, 0.2), ((0.6, 0.06), (0.76, 0.02), (0.86, 0.06)), ((0.84, 0.18), (0.7, 0.26), (0.55, 0.2))),
           linear((0.55, 0.05), (0.85, 0.2), rgb("9be06a"), rgb("3a9a3a")))
    c.fill(Path().circle(0.29, 0.44, 0.06, 0.1), rgb("ffffff", 0.45))
    return c


def pear(c):
    body = Path().curve((0.5, 0.16), ((0.68, 0.16), (0.66, 0.38), (0.74, 0.5)), ((0.92, 0.72), (0.8, 0.97), (0.5, 0.96)),
                        ((0.2, 0.97), (0.08, 0.72), (0.26, 0.5)), ((0.34, 0.38), (0.32, 0.16), (0.5, 0.16)))
    c.fill(body, radial((0.38, 0.58), 0.6, rgb("f4f59a"), rgb("bfd63c"), rgb("6f8f1d")))
    c.fill(Path().line([(0.5, 0.18), (0.49, 0.1), (0.54, 0.03)], 0.045), rgb("6b4423"))
    for x, y in ((0.62, 0.7), (0.54, 0.82), (0.68, 0.84), (0.58, 0.58), (0.4, 0.86)):
        c.fill(Path().circle(x, y, 0.014), rgb("6f8f1d", 0.7))
    return c


def carrot(c):
    for angle in (-150, -125, -100, -75):
        tip = around(0.68, 0.34, 0.28, angle + 60)
        c.fill(Path().line([(0.68, 0.34), tip], 0.075), linear((0.68, 0.34), tip, rgb("2f8a35"), rgb("7fd15a")))
    body = Path().curve((0.58, 0.26), ((0.72, 0.24), (0.82, 0.36), (0.74, 0.48)), ((0.6, 0.66), (0.34, 0.84), (0.08, 0.94)),
                        ((0.16, 0.7), (0.36, 0.4), (0.58, 0.26)))
    c.fill(body, linear((0.35, 0.45), (0.6, 0.75), rgb("ffb357"), rgb("f5851f"), rgb("c75a0a")))
    for a, b in (((0.5, 0.36), (0.58, 0.43)), ((0.62, 0.56), (0.54, 0.52)), ((0.33, 0.56), (0.4, 0.62)), ((0.4, 0.74), (0.34, 0.7))):
        c.fill(Path().line([a, b], 0.02), rgb("a8480a", 0.7))
    return c


def sign(c, country):
    """Draws a warning sign of a country's roads."""
    if country == "en":
        outline, ground = Path().polygon([(0.5, 0.02), (0.98, 0.5), (0.5, 0.98), (0.02, 0.5)]), rgb("ffc81f")
        c.fill(outline, rgb("22252e"))
        c.fill(Path().polygon([(0.5, 0.08), (0.92, 0.5), (0.5, 0.92), (0.08, 0.5)]), ground)
        top, bottom = 0.24, 0.76
    else:
        edge, ground = (rgb("d8202f"), rgb("fffdf5")) if country == "fr" else (rgb("22252e"), rgb("ffc81f"))
        c.fill(Path().line([(0.5, 0.14), (0.93, 0.87), (0.07, 0.87), (0.5, 0.14)], 0.13), edge)
        c.fill(Path().polygon([(0.5, 0.2), (0.89, 0.85), (0.11, 0.85)]), ground)
        top, bottom = 0.4, 0.79
    mark = bottom - top
    c.fill(Path().line([(0.5, top + 0.04), (0.5, top + mark * 0.6)], 0.09), rgb("22252e"))
    c.fill(Path().circle(0.5, bottom - 0.03, 0.05), rgb("22252e"))
    return c


def landscape(c, detail):
    """Draws mountains; more memory shows more of them. Box 1.5 x 1."""
    frame = Path().box(0, 0, 1.5, 1, 0.06)
    c.fill(frame, linear((0, 0), (0, 0.8), rgb("3f86d8"), rgb("a8d8f5"), rgb("fdeecb")))
    if detail > 1:
        c.fill(Path().circle(1.1, 0.24, 0.3), radial((1.1, 0.24), 0.3, rgb("fff6c8", 0.9), rgb("fff6c8", 0)), clip=frame)
    c.fill(Path().circle(1.1, 0.24, 0.09), rgb("fff6c8"), clip=frame)
    ridges = [((0.0, 0.55), (0.2, 0.38), (0.42, 0.52), (0.68, 0.26), (0.9, 0.5), (1.15, 0.36), (1.5, 0.58)),
              ((0.0, 0.62), (0.3, 0.5), (0.55, 0.66), (0.95, 0.48), (1.25, 0.64), (1.5, 0.52)),
              ((0.0, 0.8), (0.4, 0.7), (0.8, 0.78), (1.1, 0.72), (1.5, 0.82))]
    colors = [("8fa3cf", "b9c4e2"), ("557a9c", "86a9bd"), ("2f6b4f", "6fae6a")]
    for index, (ridge, (high, low)) in enumerate(zip(ridges, colors)):
        if detail == 1 and index == 1:
            continue
        hill = Path().polygon([*ridge, (1.5, 1), (0, 1)])
        c.fill(hill, linear((0, 0.3), (0, 0.95), rgb(high), rgb(low)), clip=frame)
        if index == 0 and detail > 1:
            for x, y in ((0.2, 0.38), (0.68, 0.26), (1.15, 0.36)):
                c.fill(Path().polygon([(x, y), (x + 0.075, y + 0.08), (x + 0.03, y + 0.065), (x, y + 0.09), (x - 0.035, y + 0.06), (x - 0.09, y + 0.075)]),
                       rgb("ffffff", 0.92), clip=frame)
    if detail > 2:
        for i in range(14):
            x, y = 0.05 + i * 0.107, 0.84 + 0.05 * math.sin(i * 2.3)
            s = 0.75 + 0.3 * math.sin(i * 1.7) ** 2
            for step in range(3):
                top, w = y - (0.2 - step * 0.05) * s, (0.03 + step * 0.014) * s
                c.fill(Path().polygon([(x, top), (x + w, top + 0.09 * s), (x - w, top + 0.09 * s)]), mix(rgb("123f33"), rgb("2f7a50"), step / 3), clip=frame)
        c.fill(Path().curve((0.6, 1.0), ((0.7, 0.9), (0.8, 0.88), (0.74, 0.8)), ((0.78, 0.8),), ((0.9, 0.88), (0.95, 0.94), (0.98, 1.0))),
               linear((0, 0.8), (0, 1), rgb("dff3ff"), rgb("6fb6e8")), clip=frame)
    return c


def cube(c, detail):
    """Draws a cube as different graphics processors can: as an outline, with flat faces, or with
    light and shade.
    """
    top, mid, right, left = (0.5, 0.06), (0.5, 0.5), (0.9, 0.28), (0.1, 0.28)
    down, low_right, low_left = (0.5, 0.95), (0.9, 0.72), (0.1, 0.72)
    faces = [([top, right, mid, left], "8fd0ff"), ([left, mid, down, low_left], "4a86e8"), ([mid, right, low_right, down], "2a4fb0")]
    for index, (points, color) in enumerate(faces):
        if detail == 1:
            c.fill(Path().line([*points, points[0]], 0.045), rgb("2a4fb0"))
            continue
        paint = rgb(color)
        if detail == 3:
            paint = linear(points[0], points[2], mix(rgb(color), rgb("ffffff"), 0.55), rgb(color), mix(rgb(color), rgb("1a0a4a"), 0.5))
        c.fill(Path().polygon(points), paint)
        if detail == 3 and index == 0:
            c.fill(Path().circle(0.44, 0.24, 0.16, 0.07), radial((0.44, 0.24), 0.16, rgb("ffffff", 0.7), rgb("ffffff", 0)))
    return c


def icon(c, look="any", single=False):
    """Draws the application's icon: a star cut with a chisel. Opaque and square; the system rounds
    it.
    """
    whole = Path().box(0, 0, 1, 1)
    if look == "tinted":
        c.fill(whole, rgb("000000"))
        return star(c, r=0.36, metal=(rgb("ffffff"), rgb("d8d8d8"), rgb("a0a0a0"), rgb("5a5a5a")))
    if look == "dark":
        c.fill(whole, linear((0, 0), (0, 1), rgb("2b2d45"), rgb("10111d")))
    else:
        c.fill(whole, linear((0, 0), (0, 1), rgb("35c2b5"), rgb("1f7fae"), rgb("27327f")))
    glow = rgb("ffd257", 0.28) if look == "dark" else rgb("ffffff", 0.35)
    c.fill(whole, radial((0.36, 0.2), 0.75, glow, (*glow[:3], 0)))
    c.fill(Path().polygon([(x + 0.012, y + 0.022) for x, y in star_points(0.5, 0.53, 0.375, 0.44)]), rgb("000000", 0.25))
    return star(c, r=0.37, metal=SILVER if single else GOLD)
