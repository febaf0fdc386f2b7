#!/usr/bin/env python3
"""Makes a catalogue of the PNGs that `carve extract` wrote from an archive of vectors.

usage: pictures.py EXTRACTED CATALOGUE
"""
import pathlib
import shutil
import sys

from icons import image_set

source, catalog = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
for folder in sorted(source.iterdir()):
    place = catalog / f"{folder.name}.imageset"
    images = []
    for scale, suffix in ((1, ""), (2, "~scale2"), (3, "~scale3")):
        name = f"{folder.name}{suffix}.png"
        if (folder / name).exists():
            images.append({"idiom": "universal", "scale": f"{scale}x", "filename": name})
    image_set(place, images)
    for image in images:
        shutil.copy(folder / image["filename"], place)
