#!/usr/bin/env python3
"""pack.py FILE: packs the extension beside this script as FILE.vsix, which VS Code installs. The same
files give the same bytes."""
import json
import os
import sys
import zipfile
from xml.sax.saxutils import quoteattr, escape

folder = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(folder, "package.json"), encoding="utf-8") as file:
    package = json.load(file)
files = ["package.json", "README.md", "LICENSE.txt", "extension.js", "protocol.js"]

MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
<DisplayName>{title}</DisplayName>
<Description xml:space="preserve">{description}</Description>
<Categories>{categories}</Categories>
<Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
</Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
</Assets>
</PackageManifest>
""".format(
    name=quoteattr(package["name"]), version=quoteattr(package["version"]),
    publisher=quoteattr(package["publisher"]), title=escape(package["displayName"]),
    description=escape(package["description"]), categories=escape(",".join(package["categories"])),
    engine=quoteattr(package["engines"]["vscode"]))

TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".md" ContentType="text/markdown"/>
<Default Extension=".txt" ContentType="text/plain"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""


def text(name):
    place = os.path.join(folder, name)
    if name == "LICENSE.txt":
        place = os.path.join(folder, "..", "..", "..", "LICENSE")
    with open(place, "rb") as file:
        return file.read()


with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    entries = [("extension.vsixmanifest", MANIFEST.encode()), ("[Content_Types].xml", TYPES.encode())]
    for name, data in entries + [("extension/" + name, text(name)) for name in files]:
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o644 << 16
        archive.writestr(info, data)
