"""The C interface of the library (carve.h) in ctypes: structures, functions, and the file."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_char,
    c_char_p,
    c_double,
    c_float,
    c_int,
    c_int32,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

from . import _errors

MOST_LANGUAGES = 16


class CError(Structure):
    _fields_ = [("status", c_int32), ("message", c_char * 252)]


class CTraits(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("graphics", c_uint32),
        ("idiom", c_uint8),
        ("scale", c_uint8),
        ("width_class", c_uint8),
        ("height_class", c_uint8),
        ("style", c_uint8),
        ("contrast", c_uint8),
        ("gamut", c_uint8),
        ("direction", c_uint8),
        ("memory", c_uint8),
        ("os_generation", c_uint8),
        ("content_size", c_uint8),
        ("language_count", c_uint8),
        ("subtype", c_uint16),
        ("languages", c_uint16 * MOST_LANGUAGES),
        ("reserved", c_uint16),
    ]


class CRendition(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("number", c_uint32),
        ("pixel_width", c_uint32),
        ("pixel_height", c_uint32),
        ("scale", c_uint8),
        ("content", c_uint8),
        ("template_intent", c_uint8),
        ("mirrored", c_uint8),
        ("preserves_vector", c_uint8),
        ("slicing", c_uint8),
        ("fill_across", c_uint8),
        ("fill_down", c_uint8),
        ("inset_top", c_float),
        ("inset_left", c_float),
        ("inset_bottom", c_float),
        ("inset_right", c_float),
        ("cap_top", c_float),
        ("cap_left", c_float),
        ("cap_bottom", c_float),
        ("cap_right", c_float),
        ("center_width", c_float),
        ("center_height", c_float),
    ]


class CKey(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("subtype", c_uint16),
        ("language", c_uint16),
        ("idiom", c_uint8),
        ("scale", c_uint8),
        ("width_class", c_uint8),
        ("height_class", c_uint8),
        ("style", c_uint8),
        ("contrast", c_uint8),
        ("gamut", c_uint8),
        ("direction", c_uint8),
        ("memory", c_uint8),
        ("os_generation", c_uint8),
        ("content_size", c_uint8),
        ("graphics", c_uint8),
    ]


class CAsset(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("kind", c_uint8),
        ("reserved", c_uint8),
        ("identifier", c_uint16),
        ("id", c_uint64),
        ("name", c_void_p),
        ("name_length", c_size_t),
        ("variant_count", c_size_t),
    ]


class CColor(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("space", c_uint32),
        ("red", c_double),
        ("green", c_double),
        ("blue", c_double),
        ("alpha", c_double),
        ("system_name", c_void_p),
        ("system_name_length", c_size_t),
    ]


class CVector(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("is_complete", c_uint32),
        ("width", c_double),
        ("height", c_double),
        ("pixel_width", c_uint32),
        ("pixel_height", c_uint32),
    ]


class CSymbolStyle(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("symbol_size", c_uint8),
        ("rendering", c_uint8),
        ("reserved", c_uint16),
        ("weight", c_double),
        ("point_size", c_double),
    ]


class CSymbol(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("is_exact", c_uint8),
        ("is_interpolated", c_uint8),
        ("has_hierarchy", c_uint8),
        ("has_colors", c_uint8),
        ("width", c_double),
        ("height", c_double),
        ("depth", c_double),
        ("cap_height", c_double),
        ("left_margin", c_double),
        ("right_margin", c_double),
        ("template_version", c_double),
    ]


class CLimits(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("reserved", c_uint32),
        ("scratch_bytes", c_uint64),
    ]


_PIXELS = [c_void_p, c_size_t, c_size_t, c_void_p, POINTER(CError)]

# The result and the arguments of each function that the package calls. A handle is a c_void_p.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "carve_version": (c_char_p, []),
    "carve_open": (c_int32, [c_char_p, POINTER(c_void_p), POINTER(CError)]),
    "carve_open_descriptor": (c_int32, [c_int, POINTER(c_void_p), POINTER(CError)]),
    "carve_open_bytes": (
        c_int32,
        [c_char_p, c_size_t, c_int, POINTER(c_void_p), POINTER(CError)],
    ),
    "carve_close": (None, [c_void_p]),
    "carve_uses_index": (c_int, [c_void_p]),
    "carve_traits_init": (None, [POINTER(CTraits), c_size_t]),
    "carve_traits_parse": (c_int32, [c_char_p, POINTER(CTraits), c_size_t, POINTER(CError)]),
    "carve_traits_for_device": (
        c_int32,
        [c_char_p, c_char_p, c_char_p, POINTER(CTraits), c_size_t, POINTER(CError)],
    ),
    "carve_language": (c_uint16, [c_char_p]),
    "carve_view_for": (
        c_int32,
        [c_void_p, POINTER(CTraits), POINTER(c_void_p), POINTER(CError)],
    ),
    "carve_view_close": (None, [c_void_p]),
    "carve_obstacle": (c_int32, [c_void_p, c_char_p, c_size_t, c_int]),
    "carve_obstacle_text": (c_char_p, [c_int32]),
    "carve_id": (c_uint64, [c_void_p, c_char_p, c_size_t, c_int]),
    "carve_transition": (
        c_int32,
        [c_void_p, c_void_p, POINTER(c_uint64), c_size_t, POINTER(c_size_t)],
    ),
    "carve_asset_count": (c_size_t, [c_void_p]),
    "carve_asset_at": (c_int32, [c_void_p, c_size_t, POINTER(CAsset)]),
    "carve_variant_at": (
        c_int32,
        [c_void_p, c_uint64, c_size_t, POINTER(CKey), POINTER(CRendition)],
    ),
    "carve_localization_count": (c_size_t, [c_void_p]),
    "carve_localization_at": (
        c_int32,
        [c_void_p, c_size_t, POINTER(c_uint16), c_char_p, c_size_t, POINTER(c_size_t)],
    ),
    "carve_stored_name": (
        c_int32,
        [c_void_p, POINTER(CRendition), c_char_p, c_size_t, POINTER(c_size_t), POINTER(CError)],
    ),
    "carve_point_size": (c_int32, [POINTER(CRendition), POINTER(c_double), POINTER(c_double)]),
    "carve_color_space_name": (c_char_p, [c_uint32]),
    "carve_decode": (c_int32, [c_void_p, POINTER(CRendition), c_int, c_int, *_PIXELS]),
    "carve_draw_sliced": (
        c_int32,
        [c_void_p, POINTER(CRendition), c_int, c_int, c_uint32, c_uint32, *_PIXELS],
    ),
    "carve_get_vector": (
        c_int32,
        [c_void_p, POINTER(CRendition), POINTER(CVector), c_void_p, POINTER(CError)],
    ),
    "carve_draw_vector": (
        c_int32,
        [
            c_void_p,
            POINTER(CRendition),
            c_int,
            c_int,
            c_uint32,
            c_uint32,
            c_void_p,
            *_PIXELS,
        ],
    ),
    "carve_get_symbol": (
        c_int32,
        [
            c_void_p,
            c_char_p,
            c_size_t,
            POINTER(CSymbolStyle),
            POINTER(CSymbol),
            c_void_p,
            POINTER(CError),
        ],
    ),
    "carve_draw_symbol": (
        c_int32,
        [
            c_void_p,
            c_char_p,
            c_size_t,
            POINTER(CSymbolStyle),
            c_int,
            c_int,
            c_uint32,
            c_uint32,
            c_void_p,
            *_PIXELS,
        ],
    ),
    "carve_get_color": (
        c_int32,
        [c_void_p, POINTER(CRendition), POINTER(CColor), POINTER(CError)],
    ),
    "carve_orientation": (
        c_int32,
        [c_void_p, POINTER(CRendition), POINTER(c_uint32), POINTER(CError)],
    ),
    "carve_type_identifier": (
        c_int32,
        [
            c_void_p,
            POINTER(CRendition),
            POINTER(c_void_p),
            POINTER(c_size_t),
            POINTER(CError),
        ],
    ),
    "carve_file_size": (
        c_int32,
        [c_void_p, POINTER(CRendition), POINTER(c_size_t), POINTER(CError)],
    ),
    "carve_read_file": (
        c_int32,
        [c_void_p, POINTER(CRendition), c_void_p, c_size_t, POINTER(CError)],
    ),
}


def _load() -> ctypes.CDLL:
    """Loads the library: the one that CARVE_LIBRARY names, the one in the package, or the one that
    is installed on the system."""
    here = os.path.dirname(os.path.abspath(__file__))
    stated = os.environ.get("CARVE_LIBRARY")
    inside = os.path.join(here, "libcarve.so")
    path = stated or (inside if os.path.exists(inside) else ctypes.util.find_library("carve"))
    if path is None:
        raise ImportError(
            "this installation of carve holds the tool alone, not the library libcarve.so; "
            "CARVE_LIBRARY may name one"
        )
    try:
        library = ctypes.CDLL(path, use_errno=True)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype = result
            function.argtypes = arguments
    except (OSError, AttributeError) as error:
        raise ImportError(f"the library {path} cannot be used: {error}") from error
    return library


library: Any = _load()


def _look_up(name: str) -> Any:
    """Returns a function for look-ups. It has no list of arguments, because ctypes would then take
    twice as long for a call; the caller passes each argument in the type of the header."""
    function = library[name]
    function.restype = c_int32
    return function


find = _look_up("carve_find")
find_vector = _look_up("carve_find_vector")


def check(status: int, details: CError) -> None:
    """Raises the exception for a status that is not CARVE_OK."""
    if status != _errors.OK:
        message = details.message.decode("utf-8", "replace")
        if status == _errors.SYSTEM:
            raise _errors.FileError(status, message, ctypes.get_errno())
        raise _errors.error(status, message)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last argument is a carve_error."""
    details = CError()
    check(function(*arguments, byref(details)), details)
