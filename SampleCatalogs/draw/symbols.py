"""Writes templates of symbols: drawings by weight and size, with the guides that place them beside
text.
"""

PAGE = (1200, 700)
BASE = {"S": 200, "M": 400, "L": 600}
CAP_HEIGHT = 70.459


def line(name, x1, y1, x2, y2):
    return (f'    <line id="{name}" style="fill:none;stroke:#27AAE1;stroke-width:0.5;" '
            f'x1="{x1:g}" x2="{x2:g}" y1="{y1:g}" y2="{y2:g}"/>')


def template(version, drawings, style):
    """Returns a template. Each of `drawings` is an id, the left edge, the width and the elements,
    at the origin of its group.
    """
    guides = []
    for size in sorted({name[-1] for name, *_ in drawings}, key="SML".index):
        guides.append(line(f"Baseline-{size}", 0, BASE[size], PAGE[0], BASE[size]))
        guides.append(line(f"Capline-{size}", 0, BASE[size] - CAP_HEIGHT, PAGE[0], BASE[size] - CAP_HEIGHT))
    for name, x, width, _ in drawings:
        guides.append(line(f"left-margin-{name}", x - 8, 20, x - 8, 680))
        guides.append(line(f"right-margin-{name}", x + width + 8, 20, x + width + 8, 680))
    groups = [f'    <g id="{name}" transform="matrix(1 0 0 1 {x:g} {BASE[name[-1]]})">\n{body}\n    </g>'
              for name, x, _, body in drawings]
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<svg version="1.1" xmlns="http://www.w3.org/2000/svg" width="{PAGE[0]}" height="{PAGE[1]}">
  <style>
{style}
  </style>
  <g id="Notes">
    <text x="900" y="690">Template v.{version}</text>
  </g>
  <g id="Guides">
{chr(10).join(guides)}
  </g>
  <g id="Symbols">
{chr(10).join(groups)}
  </g>
</svg>
""".encode()


def bar(x, width, height, layers):
    r = width / 2
    return (f'      <path class="{layers}" d="M{x:g} {r - height:g}C{x:g} {-height:g} {x + width:g} {-height:g} '
            f'{x + width:g} {r - height:g}L{x + width:g} {-r:g}C{x + width:g} 0 {x:g} 0 {x:g} {-r:g}Z"/>')


def signal():
    """Returns three bars, bolder from drawing to drawing; weights between the drawings are
    interpolated at run time.
    """
    drawings = []
    for name, x, thick in (("Ultralight-S", 100, 6), ("Regular-S", 400, 16), ("Black-S", 700, 30)):
        gap = 34
        bars = [bar(gap * n, thick, height, f"monochrome-{n} multicolor-{n}:tintColor hierarchical-{n}:{level}")
                for n, (height, level) in enumerate(((30, "primary"), (52, "secondary"), (74, "tertiary")))]
        drawings.append((name, x, 2 * gap + thick, "\n".join(bars)))
    return template("5.0", drawings, "    .hierarchical-1:secondary{-sfsymbols-motion-group:1;}")


def lamp():
    """Returns a lamp in one drawing, with a light of its own colour and a filament that is cut out
    of it.
    """
    glass = "M35 -80C54 -80 70 -64 70 -45C70 -30 58 -22 54 -8L16 -8C12 -22 0 -30 0 -45C0 -64 16 -80 35 -80Z"
    body = "\n".join([
        f'      <path class="monochrome-0 multicolor-0:systemYellowColor hierarchical-0:secondary" d="{glass}"/>',
        '      <path class="monochrome-1 multicolor-1:systemOrangeColor hierarchical-1:primary" '
        'd="M31 -8L24 -40L46 -40L39 -8Z"/>',
        '      <path class="monochrome-2 multicolor-2:tintColor hierarchical-2:primary" d="M18 -2L52 -2L46 16L24 16Z"/>'])
    return template("2.0", [("Regular-M", 400, 70, body)], "    .monochrome-1{-sfsymbols-clear-behind:true;}")
