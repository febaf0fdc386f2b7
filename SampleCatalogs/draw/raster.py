"""Converts shapes to pixels and pixels to PNG files, with the standard library alone.

Coverage is exact: each edge adds its signed area to the pixels that it crosses, and a running sum
along the row gives the covered part of each pixel. The shapes are in pictures.py.
"""

import math
import struct
import zlib


def mix(a, b, t):
    """Returns the colour between `a` and `b`, both tuples of 3 or 4 components from 0 to 1."""
    a, b = opaque(a), opaque(b)
    return tuple(x + (y - x) * t for x, y in zip(a, b))


def opaque(color):
    return color if len(color) == 4 else (*color, 1.0)


def rgb(text, alpha=1.0):
    """Returns the colour of `rrggbb`."""
    return tuple(int(text[i : i + 2], 16) / 255 for i in (0, 2, 4)) + (alpha,)


def linear(start, end, *stops):
    """Returns a paint that goes through `stops` (evenly spaced colours) from point `start` to
    `end`.
    """
    (x0, y0), (x1, y1) = start, end
    dx, dy = x1 - x0, y1 - y0
    length = dx * dx + dy * dy
    return lambda x, y: ramp(((x - x0) * dx + (y - y0) * dy) / length, stops)


def radial(center, radius, *stops):
    """Returns a paint that goes through `stops` from the centre outwards."""
    cx, cy = center
    return lambda x, y: ramp(math.hypot(x - cx, y - cy) / radius, stops)


def ramp(t, stops):
    t = min(max(t, 0.0), 1.0) * (len(stops) - 1)
    index = min(int(t), len(stops) - 2)
    return mix(stops[index], stops[index + 1], t - index)


class Path:
    """Closed outlines. Points are in the units of the picture, y downwards."""

    def __init__(self):
        self.outlines = []

    def polygon(self, points):
        self.outlines.append([tuple(p) for p in points])
        return self

    def circle(self, cx, cy, r, ry=None):
        ry = r if ry is None else ry
        steps = 96
        turn = 2 * math.pi / steps
        return self.polygon(
            (cx + r * math.cos(i * turn), cy + ry * math.sin(i * turn)) for i in range(steps))

    def box(self, x, y, width, height, radius=0.0):
        if radius <= 0:
            return self.polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
        radius = min(radius, width / 2, height / 2)
        points = []
        corners = [(x + width - radius, y + radius, -90), (x + width - radius, y + height - radius, 0),
                   (x + radius, y + height - radius, 90), (x + radius, y + radius, 180)]
        for cx, cy, start in corners:
            for step in range(17):
                angle = math.radians(start + step * 90 / 16)
                points.append((cx + radius * math.cos(angle), cy + radius * math.sin(angle)))
        return self.polygon(points)

    def curve(self, start, *segments):
        """Adds a closed outline of cubic (three points) and straight (one point) segments."""
        points = [start]
        for segment in segments:
            if len(segment) == 1:
                points.append(segment[0])
                continue
            p0, (p1, p2, p3) = points[-1], segment
            for step in range(1, 25):
                t = step / 24
                u = 1 - t
                points.append(tuple(
                    u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
                    for a, b, c, d in zip(p0, p1, p2, p3)))
        return self.polygon(points)

    def line(self, points, width):
        """Adds a stroke with round ends and joints."""
        for (x0, y0), (x1, y1) in zip(points, points[1:]):
            length = math.hypot(x1 - x0, y1 - y0)
            nx, ny = (y1 - y0) / length * width / 2, (x0 - x1) / length * width / 2
            self.polygon([(x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny), (x0 - nx, y0 - ny)])
        for x, y in points:
            self.circle(x, y, width / 2)
        return self

    def arc(self, cx, cy, r, start, end, width):
        """Adds a stroke along part of a circle, angles in degrees, clockwise from the right."""
        steps = 48
        angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
        return self.line([(cx + r * math.cos(a), cy + r * math.sin(a)) for a in angles], width)


class Canvas:
    """Pixels with premultiplied components from 0 to 1. One unit is `scale` pixels."""

    def __init__(self, width, height, scale=1.0):
        self.width, self.height, self.scale = width, height, scale
        self.rows = [[(0.0, 0.0, 0.0, 0.0)] * width for _ in range(height)]

    def fill(self, path, paint, clip=None):
        """Fills the inside of `path` with a colour or a paint, within `clip` if it is given."""
        shape = coverage(path, self)
        limit = coverage(clip, self) if clip else None
        source = opaque(paint) if not callable(paint) else None
        for y, (first, row) in shape.items():
            target = self.rows[y]
            for x, cover in enumerate(row, first):
                if limit:
                    begin, inside = limit.get(y, (0, ()))
                    cover *= inside[x - begin] if 0 <= x - begin < len(inside) else 0.0
                if cover <= 0.002:
                    continue
                color = source or opaque(paint((x + 0.5) / self.scale, (y + 0.5) / self.scale))
                alpha = color[3] * cover
                rest = 1 - alpha
                old = target[x]
                target[x] = (color[0] * alpha + old[0] * rest, color[1] * alpha + old[1] * rest,
                             color[2] * alpha + old[2] * rest, alpha + old[3] * rest)
        return self

    def samples(self, depth):
        """Yields the rows as integer components that are not premultiplied."""
        top = (1 << depth) - 1
        for row in self.rows:
            line = []
            for r, g, b, a in row:
                k = top / a if a > 0.0005 else 0.0
                line += (min(top, round(r * k)), min(top, round(g * k)), min(top, round(b * k)),
                         round(a * top) if k else 0)
            yield line


def coverage(path, canvas):
    """Returns the covered part of each pixel: row number → (first column, values from 0 to 1)."""
    scale, width, height = canvas.scale, canvas.width, canvas.height
    sums = {}
    for outline in path.outlines:
        points = [(x * scale, y * scale) for x, y in outline]
        turn = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1]))
        if turn < 0:
            points.reverse()
        for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
            add_edge(sums, x0, y0, x1, y1, width, height)
    shape = {}
    for y, cells in sums.items():
        first, last = min(cells), max(cells)
        total, row = 0.0, []
        for x in range(first, min(last, width - 1) + 1):
            total += cells.get(x, 0.0)
            row.append(min(abs(total), 1.0))
        shape[y] = (first, row)
    return shape


def add_edge(sums, x0, y0, x1, y1, width, height):
    if y0 == y1:
        return
    sign = -1.0
    if y0 > y1:
        x0, y0, x1, y1, sign = x1, y1, x0, y0, 1.0
    slope = (x1 - x0) / (y1 - y0)
    for y in range(max(0, math.floor(y0)), min(height, math.ceil(y1))):
        top, bottom = max(y0, y), min(y1, y + 1)
        if bottom <= top:
            continue
        left = min(max(x0 + (top - y0) * slope, 0.0), float(width))
        right = min(max(x0 + (bottom - y0) * slope, 0.0), float(width))
        if left > right:
            left, right = right, left
        add_span(sums.setdefault(y, {}), left, right, sign * (bottom - top))


def add_span(cells, left, right, area):
    """Distributes an edge's height over the pixels between `left` and `right` of one row."""
    x = math.floor(left)
    if right <= x + 1:
        inside = area * (1 - ((left + right) / 2 - x))
        cells[x] = cells.get(x, 0.0) + inside
        cells[x + 1] = cells.get(x + 1, 0.0) + area - inside
        return
    per = area / (right - left)
    carried = 0.0
    while x < right:
        part = min(right, x + 1) - max(left, x)
        middle = (min(right, x + 1) + max(left, x)) / 2 - x
        here = per * part * (1 - middle)
        cells[x] = cells.get(x, 0.0) + here + carried
        carried = per * part * middle
        x += 1
    cells[x] = cells.get(x, 0.0) + carried


def write_png(path, canvas, depth=8, keep_alpha=True, profile=None):
    """Writes 8 or 16 bits for each component, each row with the filter whose result looks smallest."""
    channels = 4 if keep_alpha else 3
    stride = channels * depth // 8
    previous = bytes(canvas.width * stride)
    body = bytearray()
    for line in canvas.samples(depth):
        if not keep_alpha:
            line = [v for i, v in enumerate(line) if i % 4 != 3]
        row = bytes(line) if depth == 8 else struct.pack(f">{len(line)}H", *line)
        body += filtered(row, previous, stride)
        previous = row
    header = struct.pack(">IIBBBBB", canvas.width, canvas.height, depth, 6 if keep_alpha else 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
        if profile:
            file.write(chunk(b"iCCP", b"Display P3\0\0" + zlib.compress(profile, 9)))
        file.write(chunk(b"IDAT", zlib.compress(bytes(body), 9)) + chunk(b"IEND", b""))


def filtered(row, previous, stride):
    shifted = bytes(stride) + row[:-stride]
    candidates = [
        row,
        bytes((a - b) & 255 for a, b in zip(row, shifted)),
        bytes((a - b) & 255 for a, b in zip(row, previous)),
    ]
    costs = [sum(min(v, 256 - v) for v in c) for c in candidates]
    best = costs.index(min(costs))
    return bytes([best]) + candidates[best]


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def display_p3():
    """Returns a small ICC profile (version 2, matrix and curves) of Display P3."""
    def fixed(value):
        return struct.pack(">i", round(value * 65536))

    def xyz(*values):
        return b"XYZ \0\0\0\0" + b"".join(map(fixed, values))

    def text(kind, words):
        if kind == "text":
            return b"text\0\0\0\0" + words + b"\0"
        return b"desc\0\0\0\0" + struct.pack(">I", len(words) + 1) + words + b"\0" + bytes(78)

    def component(v):
        return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4

    curve = b"curv\0\0\0\0" + struct.pack(">I", 256)
    curve += b"".join(struct.pack(">H", round(component(i / 255) * 65535)) for i in range(256))
    tags = [(b"desc", text("desc", b"Display P3")), (b"cprt", text("text", b"No copyright")),
            (b"wtpt", xyz(0.9642, 1.0, 0.8249)), (b"rXYZ", xyz(0.51512, 0.2412, -0.00105)),
            (b"gXYZ", xyz(0.29198, 0.69225, 0.04189)), (b"bXYZ", xyz(0.1571, 0.06657, 0.78407)),
            (b"rTRC", curve), (b"gTRC", None), (b"bTRC", None)]
    table, data, at = b"", b"", 128 + 4 + 12 * len(tags)
    place = None
    for kind, body in tags:
        if body is not None:
            place = (at, len(body))
            body += bytes(-len(body) % 4)
            data += body
            at += len(body)
        table += kind + struct.pack(">II", *place)
    head = struct.pack(">I4sI4s4s4s", at, b"\0\0\0\0", 0x02100000, b"mntr", b"RGB ", b"XYZ ")
    head += struct.pack(">6H", 2020, 1, 1, 0, 0, 0) + b"acsp" + bytes(28)
    head += fixed(0.9642) + fixed(1.0) + fixed(0.8249) + bytes(48)
    return head + struct.pack(">I", len(tags)) + table + data
