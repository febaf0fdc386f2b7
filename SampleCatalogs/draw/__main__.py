"""Draws every picture of the sample catalogues: `make samples`.

A row has a folder, a file, the size in pixels and the function that draws it. Contents.json files
are written by hand. The same rows give the same bytes.
"""

import os
import sys

import pictures
import raster
import scenes
import symbols
import vectors

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def scaled(folder, stem, points, draw, box=(1.0, 1.0), scales=(1, 2, 3)):
    """Yields one file for each scale: `stem.png`, `stem@2x.png`, `stem@3x.png`."""
    for scale in scales:
        suffix = f"@{scale}x" if scale > 1 else ""
        yield folder, f"{stem}{suffix}.png", points * scale, draw, box


def rows():
    star, dot = pictures.star, pictures.dot
    yield from scaled("Scales.xcassets/Rocket.imageset", "rocket", 32, pictures.rocket)
    yield from scaled("Scales.xcassets/Moon.imageset", "moon", 32, pictures.moon, scales=(1, 3))
    scales = {"any": (2, 3), "phone": (2, 3), "pad": (2,), "mac": (1, 2)}
    for kind in scales:
        draw = lambda c, kind=kind: pictures.device(c, kind)
        yield from scaled("Scales.xcassets/Device.imageset", kind, 32, draw, scales=scales[kind])
    yield from scaled("SizeClasses.xcassets/Star.imageset", "star-any", 64, star)
    yield from scaled("SizeClasses.xcassets/Star.imageset", "star-compact", 20, dot)
    for name, draw in (("tall", pictures.pole), ("wide", pictures.bar)):
        box = (1, 3) if name == "tall" else (3, 1)
        yield from scaled("SizeClasses.xcassets/Panel.imageset", name, 60, draw, box, (2, 3))
    yield from scaled("SizeClasses.xcassets/Panel.imageset", "any", 30, star, scales=(2, 3))
    yield from scaled("Alignment.xcassets/Face.imageset", "face", 45, pictures.face, (1.5, 1.2))
    yield from scaled("Slicing.xcassets/Bubble.imageset", "bubble", 48, pictures.bubble, (1.2, 1.0), (1, 2, 3))
    yield from scaled("Slicing.xcassets/Bar.imageset", "bar", 48, pictures.bar, (3, 1), (1, 2, 3))
    yield from scaled("Slicing.xcassets/Pole.imageset", "pole", 48, pictures.pole, (1, 3), (1, 2, 3))
    looks = {
        "sky": pictures.sun, "sky-dark": pictures.crescent,
        "sky-high": lambda c: pictures.sun(c, True),
        "sky-dark-high": lambda c: pictures.crescent(c, True)}
    for stem, draw in looks.items():
        yield from scaled("Appearances.xcassets/Sky.imageset", stem, 32, draw, scales=(2, 3))
    for side in ("right", "left"):
        draw = lambda c, side=side: pictures.arrow(c, side == "right")
        yield from scaled("Directions.xcassets/Forward.imageset", f"forward-{side}", 28, draw, scales=(2, 3))
    yield from scaled("Directions.xcassets/Next.imageset", "next", 28, pictures.chevron, scales=(2, 3))
    yield from scaled("Directions.xcassets/Clock.imageset", "clock", 28, pictures.clock, scales=(2, 3))
    for country in ("en", "fr", "sv"):
        draw = lambda c, country=country: scenes.sign(c, country)
        yield from scaled("Languages.xcassets/Warning.imageset", f"warning-{country}", 28, draw, scales=(2, 3))
    yield from scaled("WideGamut.xcassets/Sunset.imageset", "sunset", 60, scenes.sunset, (1.5, 1.0), (2, 3))
    yield from scaled("WideGamut.xcassets/Sunset.imageset", "sunset-p3", 60, scenes.sunset, (1.5, 1.0), (2, 3))
    for name in ("apple", "pear"):
        yield from scaled(f"Namespaces.xcassets/Fruit/{name.title()}.imageset", name, 24, getattr(scenes, name), scales=(2, 3))
    yield from scaled("Namespaces.xcassets/Roots/Carrot.imageset", "carrot", 24, scenes.carrot, scales=(2, 3))
    for detail, memory in enumerate(("any", "2GB", "4GB"), 1):
        draw = lambda c, detail=detail: scenes.landscape(c, detail)
        yield from scaled("Hardware.xcassets/Landscape.imageset", f"landscape-{memory}", 45, draw, (1.5, 1.0), (2, 3))
    for detail, name in enumerate(("any", "apple2", "apple4"), 1):
        draw = lambda c, detail=detail: scenes.cube(c, detail)
        yield from scaled("Hardware.xcassets/Cube.imageset", f"cube-{name}", 32, draw, scales=(2, 3))
    for pixels in (20, 29, 40, 58, 60, 76, 80, 87, 120, 152, 167, 180):
        yield "AppIcon.xcassets/AppIcon.appiconset", f"icon-{pixels}.png", pixels, scenes.icon, (1, 1)
    yield "AppIcon.xcassets/AppIcon.appiconset", "icon-1024.png", 1024, scenes.icon, (1, 1)
    for look in ("any", "dark", "tinted"):
        draw = lambda c, look=look: scenes.icon(c, look, single=True)
        yield "AppIcon.xcassets/AppIconSingle.appiconset", f"icon-{look}.png", 1024, draw, (1, 1)
    poster = "Kinds.xcassets/Poster.imagestack"
    for layer, draw in (("front", star), ("back", scenes.sunset)):
        folder = f"{poster}/{layer.title()}.imagestacklayer/Content.imageset"
        yield from scaled(folder, layer, 120, draw, (5 / 3, 1.0), scales=(1, 2))
    yield "Kinds.xcassets/Museum.arresourcegroup/Painting.arreferenceimage", "painting.png", 900, scenes.sunset, (1.5, 1.0)
    for name, draw in (("Moon", pictures.moon), ("Sun", pictures.sun)):
        yield from scaled(f"Kinds.xcassets/Sky.spriteatlas/{name}.imageset", name.lower(), 24, draw)
    yield from scaled("Broken.xcassets/Typo.imageset", "typo", 16, pictures.moon, scales=(2,))
    yield from scaled("Broken.xcassets/Unassigned.imageset", "used", 16, pictures.clock, scales=(2,))
    yield from scaled("Broken.xcassets/Unassigned.imageset", "forgotten", 16, pictures.arrow, scales=(2,))


def shapes():
    """Yields files with fixed contents."""
    for name, contents in (("Signal", symbols.signal()), ("Lamp", symbols.lamp())):
        yield f"Symbols.xcassets/{name}.symbolset", f"{name.lower()}.svg", contents
    for file, contents in vectors.boat():
        yield "LayeredIcon.xcassets/Boat.icon/Assets", file, contents
    for name, file, contents in vector_files():
        yield f"Vectors.xcassets/{name}.imageset", file, contents


def vector_files():
    yield "Balloon", "balloon.svg", vectors.balloon()
    yield "Lagoon", "lagoon.svg", vectors.lagoon()
    yield "Lagoon", "lagoon-dark.svg", vectors.lagoon(dark=True)
    yield "Compass", "compass.svg", vectors.compass()
    yield "Rosette", "rosette.pdf", vectors.rosette()
    yield "Bell", "bell.pdf", vectors.bell()


def main():
    for folder, file, contents in shapes():
        folder = os.path.join(HERE, folder)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, file), "wb") as output:
            output.write(contents)
    for folder, name, longest, draw, (width, height) in rows():
        scale = longest / max(width, height)
        canvas = raster.Canvas(round(width * scale), round(height * scale), scale)
        draw(canvas)
        place = os.path.join(HERE, folder, name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        wide = "-p3" in name
        raster.write_png(
            place, canvas, depth=16 if wide else 8, keep_alpha="AppIcon" not in folder,
            profile=raster.display_p3() if wide else None)
    print("drawn into", os.path.relpath(HERE), file=sys.stderr)


main()
