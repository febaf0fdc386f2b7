# Uses the package as programs do. mypy checks it in strict mode: .ci/test-wheel.
from typing import List, Optional, Tuple

import carve


def sizes(path: str) -> List[Tuple[str, Tuple[int, int]]]:
    with carve.open(path) as archive:
        view = archive.view(device="iPad13,4", window="half", style="dark", languages=["de"])
        found: List[Tuple[str, Tuple[int, int]]] = []
        for asset in archive.assets:
            picture: Optional[carve.Rendition] = view.get(asset.name)
            if picture is not None:
                found.append((asset.name, picture.pixel_size))
        return found


def colors(archive: carve.Archive) -> List[carve.Color]:
    view = archive.view(scale=2)
    return [view.color(asset.name) for asset in archive if asset.kind == "color"]


def first_row(archive: carve.Archive, name: str) -> bytes:
    pixels: memoryview = archive.view()[name].pixels("bgra8")
    return bytes(pixels)[: 4 * (pixels.shape or (0, 0))[1]]


def languages_of(archive: carve.Archive, name: str) -> List[Optional[str]]:
    return [variant.key.language for variant in archive[name].variants]


def reason(path: str) -> str:
    try:
        carve.open(path)
    except carve.DamagedError as error:
        return error.code
    except carve.FileError as error:
        return f"{error.status}"
    return ""
