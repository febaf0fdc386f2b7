"""The pictures of the sample catalogues. Each function draws into a unit square or into the box
that it names.
"""

import math

from raster import Path, linear, mix, radial, rgb

GOLD = (rgb("fff0a8"), rgb("ffcf3f"), rgb("f2a216"), rgb("b96508"))
SILVER = (rgb("ffffff"), rgb("dfe6f2"), rgb("aab6cc"), rgb("66728c"))


def around(cx, cy, r, degrees):
    angle = math.radians(degrees)
    return (cx + r * math.cos(angle), cy + r * math.sin(angle))


def star_points(cx, cy, r, inner, arms=5):
    return [around(cx, cy, r if i % 2 == 0 else r * inner, -90 + i * 180 / arms)
            for i in range(arms * 2)]


def star(c, cx=0.5, cy=0.53, r=0.49, metal=GOLD, inner=0.44):
    """Draws a star as if cut with a chisel: every arm has a side in the light and one in the shade."""
    points = star_points(cx, cy, r, inner)
    c.fill(Path().polygon(points), metal[2])
    for i, (a, b) in enumerate(zip(points, points[1:] + points[:1])):
        mx, my = (a[0] + b[0]) / 2 - cx, (a[1] + b[1]) / 2 - cy
        # The light comes from the upper left; a facet is inclined like its outer edge.
        nx, ny = (b[1] - a[1]), (a[0] - b[0])
        if nx * mx + ny * my < 0:
            nx, ny = -nx, -ny
        light = (-nx * 0.55 - ny * 0.83) / math.hypot(nx, ny)
        t = (1 - light) / 2
        color = mix(metal[0], metal[1], t * 2) if t < 0.5 else mix(metal[1], metal[3], (t - 0.5) * 1.5)
        tip = a if i % 2 == 0 else b
        c.fill(Path().polygon([a, b, (cx, cy)]), linear(tip, (cx, cy), color, mix(color, metal[1], 0.35)))
    return c


def dot(c, width=1.0):
    """Draws a golden dot, one unit high, which may be stretched between its round ends."""
    edge = 0.075
    c.fill(Path().box(edge, 0.075, width - edge * 2, 0.85, 0.425), rgb("b96508"))
    c.fill(Path().box(edge + 0.05, 0.125, width - edge * 2 - 0.1, 0.75, 0.375),
           linear((0, 0.1), (0, 0.9), GOLD[0], GOLD[1], GOLD[2]))
    c.fill(Path().circle(0.36, 0.34, 0.13, 0.09), rgb("ffffff", 0.75))
    return c


def rocket(c):
    hull = Path().curve((0.5, 0.02), ((0.72, 0.18), (0.74, 0.5), (0.64, 0.74)), ((0.36, 0.74),),
                        ((0.26, 0.5), (0.28, 0.18), (0.5, 0.02)))
    for flame, colors in ((0.98, ("ff8a1f", "ff4d1f")), (0.88, ("fff3b0", "ffc21f"))):
        width = 0.13 if flame > 0.9 else 0.07
        c.fill(Path().curve((0.5 - width, 0.74), ((0.5 - width, 0.86), (0.48, 0.9), (0.5, flame)),
                            ((0.52, 0.9), (0.5 + width, 0.86), (0.5 + width, 0.74))),
               linear((0.5, 0.74), (0.5, flame), rgb(colors[0]), rgb(colors[1])))
    for side in (-1, 1):
        c.fill(Path().curve((0.5 + side * 0.2, 0.46),
                            ((0.5 + side * 0.42, 0.58), (0.5 + side * 0.4, 0.8), (0.5 + side * 0.36, 0.88)),
                            ((0.5 + side * 0.3, 0.78), (0.5 + side * 0.2, 0.75), (0.5 + side * 0.13, 0.74))),
               linear((0.2, 0.5), (0.8, 0.9), rgb("ff6b5e"), rgb("b3202c")))
    c.fill(hull, linear((0.28, 0), (0.72, 0.1), rgb("ffffff"), rgb("e7ecf5"), rgb("9aa6bd")))
    c.fill(Path().box(0, 0, 1, 0.2), linear((0.3, 0), (0.7, 0), rgb("ff6b5e"), rgb("c22a35")), clip=hull)
    c.fill(Path().circle(0.5, 0.37, 0.115), rgb("4c5a75"))
    c.fill(Path().circle(0.5, 0.37, 0.085), radial((0.46, 0.33), 0.14, rgb("c9f1ff"), rgb("2f8fd6")))
    c.fill(Path().box(0, 0.66, 1, 0.035), rgb("4c5a75", 0.8), clip=hull)
    return c


def moon(c, day=(rgb("fbf3d4"), rgb("d9c48c"))):
    disc = Path().circle(0.5, 0.5, 0.48)
    c.fill(disc, radial((0.36, 0.32), 0.8, day[0], day[1], mix(day[1], rgb("5a4b2a"), 0.55)))
    for x, y, r in ((0.36, 0.36, 0.1), (0.63, 0.28, 0.06), (0.66, 0.6, 0.13), (0.35, 0.68, 0.075),
                    (0.5, 0.5, 0.04), (0.2, 0.53, 0.045)):
        c.fill(Path().circle(x, y, r), rgb("8f7b48", 0.45), clip=disc)
        c.fill(Path().circle(x + r * 0.12, y + r * 0.14, r * 0.82), rgb("cdb988"), clip=disc)
    return c


def device(c, kind):
    dark, screen = rgb("2b3347"), linear((0, 0), (1, 1), rgb("6fd3ff"), rgb("3a6df0"), rgb("8a3ff0"))
    if kind == "phone":
        c.fill(Path().box(0.26, 0.02, 0.48, 0.96, 0.1), dark)
        c.fill(Path().box(0.3, 0.06, 0.4, 0.88, 0.065), screen)
        c.fill(Path().box(0.42, 0.09, 0.16, 0.04, 0.02), dark)
    elif kind == "pad":
        c.fill(Path().box(0.12, 0.02, 0.76, 0.96, 0.08), dark)
        c.fill(Path().box(0.18, 0.08, 0.64, 0.84, 0.03), screen)
        c.fill(Path().box(0.4, 0.945, 0.2, 0.014, 0.007), rgb("ffffff", 0.6))
    elif kind == "mac":
        c.fill(Path().box(0.12, 0.16, 0.76, 0.54, 0.05), dark)
        c.fill(Path().box(0.16, 0.2, 0.68, 0.45, 0.015), screen)
        c.fill(Path().polygon([(0.08, 0.72), (0.92, 0.72), (0.99, 0.82), (0.01, 0.82)]),
               linear((0, 0.7), (0, 0.84), rgb("cfd6e4"), rgb("8a94aa")))
        c.fill(Path().box(0.4, 0.72, 0.2, 0.03, 0.015), rgb("6b7690"))
    else:
        c.fill(Path().box(0.04, 0.16, 0.92, 0.6, 0.05), dark)
        c.fill(Path().box(0.08, 0.2, 0.84, 0.52, 0.015), screen)
        c.fill(Path().box(0.3, 0.8, 0.4, 0.05, 0.025), dark)
    return c


def face(c):
    """Draws a face with headphones, which reach beyond the square of the face; the alignment insets
    exclude them. Box 1.5 x 1.2.
    """
    c.fill(Path().arc(0.75, 0.62, 0.56, 180, 360, 0.07), rgb("39425a"))
    for x in (0.08, 1.18):
        c.fill(Path().box(x, 0.5, 0.24, 0.42, 0.1),
               linear((x, 0.5), (x + 0.24, 0.92), rgb("ff7b7b"), rgb("c92f4e")))
    head = Path().box(0.25, 0.2, 1.0, 1.0, 0.3)
    c.fill(head, linear((0.3, 0.2), (1.1, 1.2), rgb("ffe27a"), rgb("ffc23a"), rgb("f19a1a")))
    c.fill(Path().circle(0.47, 0.86, 0.1), rgb("ff7a59", 0.55), clip=head)
    c.fill(Path().circle(1.03, 0.86, 0.1), rgb("ff7a59", 0.55), clip=head)
    for x in (0.55, 0.95):
        c.fill(Path().circle(x, 0.62, 0.075, 0.105), rgb("43301c"))
        c.fill(Path().circle(x - 0.02, 0.58, 0.028), rgb("ffffff"))
    c.fill(Path().curve((0.52, 0.84), ((0.6, 0.92), (0.9, 0.92), (0.98, 0.84)),
                        ((0.95, 1.12), (0.55, 1.12), (0.52, 0.84))), rgb("7a2130"))
    c.fill(Path().circle(0.75, 1.06, 0.14, 0.08), rgb("ff6f7d"),
           clip=Path().curve((0.52, 0.84), ((0.6, 0.92), (0.9, 0.92), (0.98, 0.84)),
                             ((0.95, 1.12), (0.55, 1.12), (0.52, 0.84))))
    return c


def bubble(c):
    """Draws a speech bubble whose middle row and column may be stretched. Box 1.2 x 1."""
    body = Path().box(0.04, 0.04, 1.12, 0.72, 0.3)
    tail = Path().curve((0.3, 0.66), ((0.32, 0.82), (0.26, 0.92), (0.14, 0.97)),
                        ((0.34, 0.98), (0.5, 0.88), (0.54, 0.7)))
    c.fill(tail, rgb("2f7fe8"))
    c.fill(body, linear((0, 0.04), (0, 0.76), rgb("7cc4ff"), rgb("4a9cf7"), rgb("2f7fe8")))
    c.fill(Path().box(0.2, 0.1, 0.8, 0.1, 0.05), rgb("ffffff", 0.4))
    return c


def bar(c):
    """Draws a progress bar of three parts; the ribbed middle is tiled. Box 3 x 1."""
    body = Path().box(0.05, 0.15, 2.9, 0.7, 0.35)
    c.fill(body, linear((0, 0.15), (0, 0.85), rgb("a6ec7e"), rgb("4fc24a"), rgb("258a3a")))
    for i in range(-1, 7):
        x = i * 0.5
        c.fill(Path().polygon([(x, 0.85), (x + 0.25, 0.85), (x + 0.5, 0.15), (x + 0.25, 0.15)]),
               rgb("ffffff", 0.25), clip=body)
    return c


def pole(c):
    """Draws a barber's pole; the stripes of its middle are tiled upwards. Box 1 x 3."""
    body = Path().box(0.25, 0.3, 0.5, 2.4)
    c.fill(body, rgb("f6f7fb"))
    for i, color in enumerate(("d8353f", "2f5fd0") * 4):
        y = i * 0.5 - 0.5
        c.fill(Path().polygon([(0.25, y + 0.5), (0.75, y), (0.75, y + 0.25), (0.25, y + 0.75)]),
               rgb(color), clip=body)
    c.fill(body, linear((0.25, 0), (0.75, 0), rgb("000000", 0.35), rgb("ffffff", 0.25), rgb("000000", 0.4)))
    for y in (0.18, 2.64):
        c.fill(Path().box(0.15, y, 0.7, 0.18, 0.06),
               linear((0.15, 0), (0.85, 0), *SILVER[1:3], SILVER[0], *SILVER[2:]))
    for y in (0.15, 2.85):
        c.fill(Path().circle(0.5, y, 0.13), radial((0.45, y - 0.05), 0.2, SILVER[0], SILVER[2], SILVER[3]))
    return c


def sun(c, high=False):
    ray, core = ("e08a00", "ffb000") if high else ("ffcf5a", "ffe27a")
    for i in range(12):
        a, b = around(0.5, 0.5, 0.34, i * 30), around(0.5, 0.5, 0.47 if i % 2 else 0.43, i * 30)
        c.fill(Path().line([a, b], 0.07 if high else 0.05), rgb(ray))
    if high:
        c.fill(Path().circle(0.5, 0.5, 0.29), rgb("5a3200"))
    c.fill(Path().circle(0.5, 0.5, 0.25), radial((0.42, 0.4), 0.4, rgb("fffbe0"), rgb(core), rgb("f7a51c")))
    return c


def crescent(c, high=False):
    glow = ("ffffff", "c9d6ff") if high else ("f2f5ff", "a9b8f0")
    shape = Path().curve((0.62, 0.08), ((0.1, 0.06), (0.02, 0.86), (0.56, 0.93)),
                         ((0.7, 0.95), (0.84, 0.86), (0.9, 0.74)),
                         ((0.46, 0.82), (0.3, 0.34), (0.62, 0.08)))
    c.fill(shape, linear((0.2, 0.1), (0.7, 0.9), rgb(glow[0]), rgb(glow[1])))
    for x, y, r in ((0.72, 0.34, 0.1), (0.88, 0.52, 0.055), (0.84, 0.16, 0.05)):
        c.fill(Path().polygon(star_points(x, y, r * (1.25 if high else 1), 0.4, 4)), rgb("fff4c2"))
    return c


def arrow(c, right=True):
    def flip(points):
        return [p if right else (1 - p[0], p[1]) for p in points]

    c.fill(Path().circle(0.5, 0.5, 0.48), linear((0, 0), (1, 1), rgb("5bd6c0"), rgb("1b8fa8")))
    c.fill(Path().line(flip([(0.26, 0.5), (0.7, 0.5)]), 0.11), rgb("ffffff"))
    c.fill(Path().line(flip([(0.52, 0.3), (0.74, 0.5), (0.52, 0.7)]), 0.11), rgb("ffffff"))
    return c


def chevron(c):
    """Draws an arrow that points forward; it is mirrored if there is no picture for the other
    direction.
    """
    c.fill(Path().box(0.02, 0.02, 0.96, 0.96, 0.26), linear((0, 0), (1, 1), rgb("b58cff"), rgb("5b4be0")))
    for x, alpha in ((0.28, 0.55), (0.5, 1.0)):
        c.fill(Path().line([(x, 0.28), (x + 0.22, 0.5), (x, 0.72)], 0.11), rgb("ffffff", alpha))
    return c


def clock(c):
    """Draws a picture that is the same in every direction of writing."""
    c.fill(Path().circle(0.5, 0.5, 0.48), rgb("39425a"))
    c.fill(Path().circle(0.5, 0.5, 0.41), radial((0.45, 0.42), 0.5, rgb("ffffff"), rgb("e4e9f4")))
    for i in range(12):
        c.fill(Path().line([around(0.5, 0.5, 0.37, i * 30), around(0.5, 0.5, 0.31 if i % 3 == 0 else 0.345, i * 30)],
                           0.03), rgb("39425a"))
    c.fill(Path().line([(0.5, 0.5), around(0.5, 0.5, 0.2, -150)], 0.05), rgb("39425a"))
    c.fill(Path().line([(0.5, 0.5), around(0.5, 0.5, 0.29, -30)], 0.035), rgb("39425a"))
    c.fill(Path().line([(0.5, 0.5), around(0.5, 0.5, 0.31, 80)], 0.015), rgb("e0344a"))
    c.fill(Path().circle(0.5, 0.5, 0.035), rgb("e0344a"))
    return c
