"""Writes PNG files for catalogues and reads those of `carve extract`, with the standard library."""
import random
import struct
import zlib


def chunk(name, body):
    return (struct.pack(">I", len(body)) + name + body
            + struct.pack(">I", zlib.crc32(name + body)))


def write(path, width, height, pixel):
    """Writes a picture. `pixel(x, y)` returns red, green, blue and alpha."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            rows += bytes(pixel(x, y))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
                   + chunk(b"IDAT", zlib.compress(bytes(rows), 6)) + chunk(b"IEND", b""))


def write_striped(path, side, colors, seed):
    """Writes two colours with a slanted strip of noise between them, which is fast."""
    strip = random.Random(seed).randbytes(16)
    rows = b"".join(b"\0" + bytes(colors[0]) * (y % (side - 3)) + strip
                    + bytes(colors[1]) * (side - 4 - y % (side - 3)) for y in range(side))
    head = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
                   + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))


def write_plain(path, width, height, color):
    """Writes a picture of one colour and any size, which is fast."""
    row = b"\0" + bytes(color) * width
    packer = zlib.compressobj(6)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data)
                   + chunk(b"IEND", b""))


def read(path):
    """Returns width, height and straight RGBA bytes of an 8-bit file that is not interlaced."""
    with open(path, "rb") as file:
        data = file.read()
    place, packed = 8, b""
    while place < len(data):
        size, name = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + size]
        if name == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
        if name == b"IDAT":
            packed += body
        place += 12 + size
    if depth != 8:
        raise ValueError(f"{path}: {depth} bits")
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    rows = unfiltered(zlib.decompress(packed), width * channels, height, channels)
    return width, height, widened(rows, channels)


def unfiltered(data, length, height, step):
    rows, above = bytearray(), bytearray(length)
    for y in range(height):
        start = y * (length + 1)
        kind, row = data[start], bytearray(data[start + 1:start + 1 + length])
        for x in range(length):
            left = row[x - step] if x >= step else 0
            up = above[x]
            corner = above[x - step] if x >= step else 0
            if kind == 1:
                row[x] = (row[x] + left) & 255
            elif kind == 2:
                row[x] = (row[x] + up) & 255
            elif kind == 3:
                row[x] = (row[x] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up),
                           (abs(guess - corner), 2, corner))
                row[x] = (row[x] + near[2]) & 255
        rows += row
        above = row
    return rows


def widened(rows, channels):
    if channels == 4:
        return bytes(rows)
    pixels = bytearray()
    for place in range(0, len(rows), channels):
        part = rows[place:place + channels]
        gray = part[0]
        pixels += {1: bytes([gray, gray, gray, 255]), 2: bytes([gray, gray, gray, part[-1]]),
                   3: bytes(part) + b"\xff"}[channels]
    return bytes(pixels)


def flat(pixels):
    """Returns the pixels premultiplied, as a canvas stores them."""
    out = bytearray(pixels)
    for place in range(0, len(out), 4):
        alpha = out[place + 3]
        if alpha != 255:
            for channel in range(3):
                out[place + channel] = (out[place + channel] * alpha * 2 + 255) // 510
    return bytes(out)
