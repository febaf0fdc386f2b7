"""Makes catalogues for the page: random ones, in which all pictures differ, and bad ones."""
import json
import os
import random

import pictures


def entry(name, **traits):
    return {"filename": name, **{key.replace("_", "-"): value for key, value in traits.items()}}


def write_set(folder, name, kind, contents):
    place = os.path.join(folder, f"{name}.{kind}")
    os.makedirs(place, exist_ok=True)
    with open(os.path.join(place, "Contents.json"), "w", encoding="utf-8") as file:
        json.dump({"info": {"author": "xcode", "version": 1}, **contents}, file)
    return place


def noise(seed, is_opaque):
    """Returns a function for pixels that depend on their place and on the picture."""
    source = random.Random(seed)
    tint = [source.randrange(256) for _ in range(3)]

    def pixel(x, y):
        value = [(tint[part] + x * (7 + part) + y * (5 - part)) % 256 for part in range(3)]
        return value + [255 if is_opaque else (40 + 9 * x + 11 * y) % 256]
    return pixel


DARK = [{"appearance": "luminosity", "value": "dark"}]
CHOICES = [
    {}, {"idiom": "iphone"}, {"idiom": "ipad"}, {"appearances": DARK},
    {"width_class": "compact"}, {"width_class": "regular"},
    {"idiom": "ipad", "width_class": "compact"}, {"language_direction": "right-to-left"},
]
SLICING = {"mode": "9-part", "center": {"mode": "stretch", "width": 2, "height": 2},
           "cap-insets": {"top": 5, "left": 7, "bottom": 6, "right": 8}}


def random_catalog(folder, seed, count):
    """Writes image sets in which all files have different names."""
    source = random.Random(seed)
    os.makedirs(folder, exist_ok=True)
    for number in range(count):
        images = []
        is_sliced = number % 7 == 0
        place = os.path.join(folder, f"Asset{number:03}.imageset")
        os.makedirs(place, exist_ok=True)
        side = 24 if is_sliced else source.randrange(4, 40)
        for order, traits in enumerate([{}] + source.sample(CHOICES[1:], source.randrange(0, 4))):
            for scale in source.sample([1, 2, 3], source.randrange(1, 4)):
                name = f"a{number:03}-{order}-{scale}x.png"
                pixel = noise(f"{seed}/{name}", source.random() < 0.6)
                pictures.write(os.path.join(place, name), side * scale, side * scale, pixel)
                image = entry(name, **{"idiom": "universal", "scale": f"{scale}x", **traits})
                if is_sliced:
                    image["resizing"] = scaled(SLICING, scale)
                images.append(image)
        write_set(folder, f"Asset{number:03}", "imageset", {"images": images})
    for number in range(6):
        components = {"red": f"{number / 7:.3f}", "green": "0.500", "blue": "0.250",
                      "alpha": "1.000"}
        dark = {**components, "red": "0.900"}
        write_set(folder, f"Color{number}", "colorset", {"colors": [
            {"idiom": "universal", "color": {"color-space": "srgb", "components": components}},
            {"idiom": "universal", "appearances": DARK,
             "color": {"color-space": "srgb", "components": dark}}]})


def scaled(slicing, scale):
    """Returns the slices at a scale, because catalogues state slices in pixels."""
    center = {key: value * scale if key != "mode" else value
              for key, value in slicing["center"].items()}
    caps = {key: value * scale for key, value in slicing["cap-insets"].items()}
    return {"mode": slicing["mode"], "center": center, "cap-insets": caps}


HOSTILE = [
    "<script>window.hurt=1</script>", "quote\"'`", "a&amp;b<b>bold", "emoji 🦊🚀 e\u0301",
    "\u202eright to left \u05d0\u05d1\u05d2 \u0627\u0644", "n" * 200,
    "</title><img src=x onerror=hurt=1>", "${window.hurt=1}", "--><!--",
]


def hostile_catalog(folder):
    os.makedirs(folder, exist_ok=True)
    for number, name in enumerate(HOSTILE):
        place = os.path.join(folder, f"{name.replace('/', chr(0x2215))}.imageset")
        os.makedirs(place, exist_ok=True)
        pictures.write(os.path.join(place, "p.png"), 3, 3, noise(number, True))
        write_set(folder, name.replace("/", "\u2215"), "imageset",
                  {"images": [entry("p.png", idiom="universal", scale="2x")]})
    for name, side in (("Tiny", 1), ("Huge", 8000)):
        place = os.path.join(folder, f"{name}.imageset")
        os.makedirs(place, exist_ok=True)
        pictures.write_plain(os.path.join(place, "p.png"), side, side, (20, 120, 220, 255))
        write_set(folder, name, "imageset",
                  {"images": [entry("p.png", idiom="universal", scale="2x")]})


def many_catalog(folder, count):
    """Writes many sets of three pictures."""
    os.makedirs(folder, exist_ok=True)
    for number in range(count):
        place = os.path.join(folder, f"Picture{number:04}.imageset")
        os.makedirs(place, exist_ok=True)
        images = []
        for scale in (1, 2, 3):
            name = f"{number}@{scale}x.png"
            color = (number * 37 % 256, number * 91 % 256, number * 53 % 256, 255)
            other = [255 - part for part in color[:3]] + [255]
            pictures.write_striped(os.path.join(place, name), 24 * scale, (color, other),
                                   f"{number}/{scale}")
            images.append(entry(name, idiom="universal", scale=f"{scale}x"))
        write_set(folder, f"Picture{number:04}", "imageset", {"images": images})
