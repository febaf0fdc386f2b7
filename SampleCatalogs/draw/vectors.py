"""Writes pictures that stay vectors: SVGs, and PDFs of one page without fonts or pictures."""

import math


def svg(size, body, style=""):
    sheet = f"\n  <style>{style}</style>" if style else ""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" '
            f'viewBox="0 0 64 64">{sheet}\n{body.rstrip()}\n</svg>\n').encode()


def pdf(side, content, resources=""):
    """Returns a page of `side` points; the content is written for a square of 64."""
    content = f"{side / 64:g} 0 0 {-side / 64:g} 0 {side} cm\n{content}".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {side} {side}] /Contents 4 0 R "
        f"/Resources << {resources} >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)]
    file, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return file + (b"xref\n0 5\n0000000000 65535 f \n%strailer\n<< /Size 5 /Root 1 0 R >>\n"
                   b"startxref\n%d\n%%%%EOF\n" % (table, len(file)))


def circle(x, y, r):
    """Returns the operators of a circle, made of four curves."""
    k = r * 0.5522847
    points = [(x + r, y), (x + r, y + k, x + k, y + r, x, y + r), (x - k, y + r, x - r, y + k, x - r, y),
              (x - r, y - k, x - k, y - r, x, y - r), (x + k, y - r, x + r, y - k, x + r, y)]
    words = [" ".join(f"{n:.3f}" for n in point) for point in points]
    return f"{words[0]} m " + " ".join(f"{word} c" for word in words[1:]) + " h"


def balloon():
    """Returns a striped envelope: linear and radial gradients, a clip."""
    envelope = "M32 3C46 3 55 13 55 25C55 36 45 41 40 49H24C19 41 9 36 9 25C9 13 18 3 32 3Z"
    stripes = [("M-2 0H17C11 18 14 36 25 52H-2Z", "e5453d"), ("M17 0H25C21 18 22 36 28 52H25C14 36 11 18 17 0Z", "ffd257"),
               ("M25 0H39C43 18 42 36 36 52H28C22 36 21 18 25 0Z", "e5453d"),
               ("M39 0H47C53 18 50 36 39 52H36C42 36 43 18 39 0Z", "ffd257"), ("M47 0H66V52H39C50 36 53 18 47 0Z", "e5453d")]
    bands = "\n".join(f'    <path d="{d}" fill="#{color}"/>' for d, color in stripes)
    return svg(64, f"""\
  <defs>
    <clipPath id="envelope"><path d="{envelope}"/></clipPath>
    <linearGradient id="shade" x1="0" x2="1">
      <stop offset="0" stop-color="#5a0a2a" stop-opacity="0.35"/>
      <stop offset="0.3" stop-color="#5a0a2a" stop-opacity="0"/>
      <stop offset="0.6" stop-color="#5a0a2a" stop-opacity="0"/>
      <stop offset="1" stop-color="#5a0a2a" stop-opacity="0.6"/>
    </linearGradient>
    <radialGradient id="light" gradientUnits="userSpaceOnUse" cx="25" cy="15" r="17">
      <stop offset="0" stop-color="#fff" stop-opacity="0.75"/>
      <stop offset="1" stop-color="#fff" stop-opacity="0"/>
    </radialGradient>
    <linearGradient id="basket" x2="0" y2="1">
      <stop offset="0" stop-color="#b9793f"/>
      <stop offset="1" stop-color="#6b3f1a"/>
    </linearGradient>
  </defs>
  <g clip-path="url(#envelope)">
{bands}
    <path d="M0 0H64V64H0Z" fill="url(#shade)"/>
    <path d="M0 0H64V64H0Z" fill="url(#light)"/>
  </g>
  <path d="M24.6 49L27.5 55M39.4 49L36.5 55M32 49V55" fill="none" stroke="#6b3f1a" stroke-width="1.2"/>
  <rect x="26" y="54.5" width="12" height="7.5" rx="1.8" fill="url(#basket)"/>
  <path d="M26.5 57.2H37.5" stroke="#f0c48a" stroke-width="1.2"/>""")


def lagoon(dark=False):
    """Returns a sea with fading light: masks. The moon is a disc minus another disc."""
    sky = ("1a2150", "5b4a9c") if dark else ("4fb3e8", "c9eefb")
    sea = ("243a86", "0b1338") if dark else ("2fb7c9", "0f5f8f")
    light = "fff3c4" if dark else "fffdf0"
    glow = "ffe9a0" if dark else "ffd257"
    bite = '<circle cx="39" cy="18" r="10" fill="#000"/>' if dark else ""
    glints = "\n".join(
        f'    <rect x="{32 - w / 2 + shift:g}" y="{y}" width="{w}" height="1.8" rx="0.9"/>'
        for y, w, shift in ((40, 22, 0), (43.6, 16, 3), (47.2, 19, -3), (50.8, 11, 2), (54.4, 7, -1)))
    return svg(64, f"""\
  <defs>
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#{sky[0]}"/><stop offset="1" stop-color="#{sky[1]}"/></linearGradient>
    <linearGradient id="sea" x2="0" y2="1"><stop stop-color="#{sea[0]}"/><stop offset="1" stop-color="#{sea[1]}"/></linearGradient>
    <linearGradient id="fade" x2="0" y2="1">
      <stop offset="0.55" stop-color="#fff"/>
      <stop offset="0.95" stop-color="#000"/>
    </linearGradient>
    <radialGradient id="glow"><stop stop-color="#{glow}" stop-opacity="0.8"/><stop offset="1" stop-color="#{glow}" stop-opacity="0"/></radialGradient>
    <mask id="badge" maskUnits="userSpaceOnUse" x="0" y="0" width="64" height="64">
      <circle cx="32" cy="32" r="30" fill="#fff"/>
    </mask>
    <mask id="disc" maskUnits="userSpaceOnUse" x="0" y="0" width="64" height="64">
      <circle cx="32" cy="22" r="11" fill="#fff"/>{bite}
    </mask>
    <mask id="far" maskUnits="userSpaceOnUse" x="0" y="0" width="64" height="64">
      <rect width="64" height="64" fill="url(#fade)"/>
    </mask>
  </defs>
  <g mask="url(#badge)">
    <rect width="64" height="40" fill="url(#sky)"/>
    <circle cx="32" cy="22" r="24" fill="url(#glow)"/>
    <rect width="64" height="64" fill="#{light}" mask="url(#disc)"/>
    <rect y="37" width="64" height="27" fill="url(#sea)"/>
    <g fill="#{light}" fill-opacity="0.85" mask="url(#far)">
{glints}
    </g>
    <path d="M0 37C6 31 12 35 16 33C22 30 24 36 28 37Z" fill="#{'0d1440' if dark else '1f7f6a'}"/>
    <path d="M64 37C60 33 56 34 52 32C48 31 45 36 42 37Z" fill="#{'161d55' if dark else '3fa37a'}"/>
  </g>""")


def compass():
    """Returns a picture with parts that are drawn many times by reference, and with classes of a
    style sheet.
    """
    ticks = "\n".join(
        f'  <use href="#{"mark" if turn % 90 == 0 else "tick"}" transform="rotate({turn} 32 32)"/>'
        for turn in range(0, 360, 15))
    return svg(64, f"""\
  <defs>
    <radialGradient id="face" cx="0.4" cy="0.35" r="0.75"><stop stop-color="#fffdf5"/><stop offset="1" stop-color="#e4d3ae"/></radialGradient>
    <linearGradient id="brass" x2="1" y2="1"><stop stop-color="#fff0a8"/><stop offset="0.5" stop-color="#d99a26"/><stop offset="1" stop-color="#7d4a06"/></linearGradient>
    <path id="tick" class="line" d="M32 10.5V13"/>
    <path id="mark" class="line strong" d="M32 10.5V15"/>
  </defs>
  <circle cx="32" cy="32" r="30" fill="url(#brass)"/>
  <circle class="rim" cx="32" cy="32" r="25"/>
  <circle cx="32" cy="32" r="24" fill="url(#face)"/>
{ticks}
  <g transform="rotate(28 32 32)">
    <path class="north" d="M32 14L36.5 32H27.5Z"/>
    <path class="north shade" d="M32 14L36.5 32H32Z"/>
    <path class="south" d="M32 50L36.5 32H27.5Z"/>
    <path class="south shade" d="M32 50L36.5 32H32Z"/>
  </g>
  <circle cx="32" cy="32" r="3.4" fill="url(#brass)"/>
  <circle cx="32" cy="32" r="1.1" fill="#3a2407"/>""",
               ".line { stroke: #6b4a1a; stroke-width: 0.9; stroke-linecap: round } .strong { stroke-width: 1.7 } "
               ".rim { fill: #5d3a0c } .north { fill: #e5453d } .south { fill: #f4f6fb } .shade { fill: #000; fill-opacity: 0.22 }")


def rosette():
    """Returns overlapping transparent petals: alpha, and shadings of a PDF."""
    petal = "32 32 m 22 25 20 8 32 2 c 44 8 42 25 32 32 c h"
    colors = [(0.93, 0.25, 0.45), (0.98, 0.55, 0.24), (0.99, 0.80, 0.28), (0.42, 0.78, 0.45), (0.25, 0.62, 0.90), (0.52, 0.38, 0.86)]
    lines = ["/Clear gs"]
    for i in range(12):
        angle = math.radians(i * 30)
        cosine, sine = math.cos(angle), math.sin(angle)
        x, y = 32 - 32 * cosine + 32 * sine, 32 - 32 * sine - 32 * cosine
        color = " ".join(f"{part:g}" for part in colors[i % 6])
        lines.append(f"q {cosine:.6f} {sine:.6f} {-sine:.6f} {cosine:.6f} {x:.6f} {y:.6f} cm {color} rg {petal} f Q")
    lines += ["/Solid gs", f"q {circle(32, 32, 7.5)} W n /Button sh Q"]
    button = ("/ShadingType 3 /ColorSpace /DeviceRGB /Coords [29.5 29 0 32 32 8] /Extend [true true] "
              "/Function << /FunctionType 2 /Domain [0 1] /N 1 /C0 [1 0.98 0.8] /C1 [0.93 0.6 0.1] >>")
    return pdf(64, "\n".join(lines),
               "/ExtGState << /Clear << /ca 0.72 >> /Solid << /ca 1 >> >> /Shading << /Button << " + button + " >> >>")


def bell():
    """Returns strokes with round ends, for a template: only their opacity counts."""
    return pdf(24, "\n".join([
        "0 0 0 RG 0 0 0 rg 4.6 w 1 J 1 j",
        "32 8 m 21 8 16 16 16 25 c 16 38 12 42 9 47 c 55 47 l 52 42 48 38 48 25 c 48 16 43 8 32 8 c h S",
        "32 3.5 m 32 8 l S", "26 54 m 28 59 36 59 38 54 c S"]))


def layer(width, height, body):
    """Returns a layer of an icon, on a page of its own size."""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">{body}</svg>\n').encode()


def boat():
    yield "sail.svg", layer(500, 560, '<path d="M240 0C250 180 240 380 240 560H20C60 360 160 160 240 0Z"/>'
                                      '<path d="M270 90C360 220 430 380 480 560H270Z" fill-opacity="0.75"/>')
    yield "hull.svg", layer(560, 150, '<path d="M0 0H560C540 90 480 150 400 150H160C80 150 20 90 0 0Z" fill="#c8452f"/>')
    yield "sea.svg", layer(1024, 1024, '<path d="M0 760C170 700 340 820 512 760S854 700 1024 760V1024H0Z" fill="#0d4f8b"/>')
