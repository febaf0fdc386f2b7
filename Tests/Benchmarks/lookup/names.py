"""Writes a catalogue of COUNT colour sets with four variants each below FOLDER, and a list of their
names.

With SIGNATURES, the sets get different combinations of up to twelve variants, until there are
SIGNATURES combinations.
"""

import json
import os
import sys

folder, count = sys.argv[1], int(sys.argv[2])
signatures = int(sys.argv[3]) if len(sys.argv) > 3 else 1
appearance = {
    "dark": [{"appearance": "luminosity", "value": "dark"}],
    "high": [{"appearance": "contrast", "value": "high"}],
}
appearance["both"] = appearance["dark"] + appearance["high"]


def entry(number, traits, idiom="universal"):
    components = {"red": number % 100 / 100, "green": 0.5, "blue": 0.25, "alpha": 1.0}
    color = {"color-space": "srgb", "components": components}
    made = {"idiom": idiom, "color": color}
    if traits:
        made["appearances"] = appearance[traits]
    return made


# Each bit of an asset's signature adds one variant.
optional = [
    (idiom, traits) for idiom in ("iphone", "ipad") for traits in (None, "dark", "high", "both")
]


def entries(number):
    made = [entry(number, traits) for traits in (None, "dark", "high", "both")]
    bits = number % signatures
    return made + [
        entry(number, traits, idiom)
        for place, (idiom, traits) in enumerate(optional)
        if bits >> place & 1
    ]


info = {"author": "xcode", "version": 1}
catalog = os.path.join(folder, "Names.xcassets")
names = []
for number in range(count):
    name = "symbol-name-%08d" % number
    names.append(name)
    place = os.path.join(catalog, name + ".colorset")
    os.makedirs(place)
    with open(os.path.join(place, "Contents.json"), "w") as file:
        json.dump({"info": info, "colors": entries(number)}, file)
with open(os.path.join(catalog, "Contents.json"), "w") as file:
    json.dump({"info": info}, file)
with open(os.path.join(folder, "names"), "w") as file:
    file.write("\n".join(names) + "\n")

# The same names and variants are written for Android.
for qualifier in ("values", "values-night"):
    place = os.path.join(folder, "res", qualifier)
    os.makedirs(place)
    with open(os.path.join(place, "colors.xml"), "w") as file:
        file.write("<resources>\n")
        for name in names:
            file.write('<color name="%s">#ff804020</color>\n' % name.replace("-", "_"))
        file.write("</resources>\n")
with open(os.path.join(folder, "AndroidManifest.xml"), "w") as file:
    file.write('<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="a.b"/>\n')
