"""Asset catalogues: list, look up, draw and explain what an ``Assets.car`` holds.

    import carve

    with carve.open("Assets.car") as archive:
        view = archive.view(device="iPhone17,1", style="dark")
        star = view["Star"]
        pixels = star.pixels()              # a memoryview of height x width x 4 bytes

``numpy.asarray(pixels)`` and ``PIL.Image.frombuffer("RGBA", star.pixel_size, pixels)`` take pixels
without a copy. The colours are premultiplied; ``star.image()`` makes a Pillow image of them.

Archives, views and renditions may be used by any number of threads. An archive is closed at the end
of a ``with`` block, by ``close()``, or when nothing refers to it any more. The functions ``explain``
and ``app`` run the command-line tool ``carve``, which is installed with this package.
"""

from __future__ import annotations

from ._archive import (
    Archive,
    Asset,
    Color,
    Key,
    Rendition,
    Symbol,
    Vector,
    Variant,
    View,
    open,
    open_bytes,
)
from ._errors import (
    ArgumentError,
    ContentError,
    DamagedError,
    Error,
    FileError,
    LimitError,
    NotFoundError,
    ToolError,
)
from ._interface import library as _library
from ._tool import app, explain

__version__: str = _library.carve_version().decode()

__all__ = [
    "Archive",
    "ArgumentError",
    "Asset",
    "Color",
    "ContentError",
    "DamagedError",
    "Error",
    "FileError",
    "Key",
    "LimitError",
    "NotFoundError",
    "Rendition",
    "Symbol",
    "ToolError",
    "Variant",
    "Vector",
    "View",
    "app",
    "explain",
    "open",
    "open_bytes",
]
