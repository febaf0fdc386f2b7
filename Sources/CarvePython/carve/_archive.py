"""Archives, views of them, and what they hold, over the C interface of the library."""

from __future__ import annotations

import ctypes
import mmap
import os
from ctypes import byref, c_double, c_size_t, c_uint16, c_uint32, c_uint64, c_void_p
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Type,
    Union,
    cast,
)

from . import _errors
from ._errors import ArgumentError, ContentError, LimitError, NotFoundError
from ._interface import (
    MOST_LANGUAGES,
    CAsset,
    CColor,
    CError,
    CKey,
    CRendition,
    CSymbol,
    CSymbolStyle,
    CTraits,
    CVector,
    call,
    check,
    find,
    find_vector,
    library,
)

if TYPE_CHECKING:
    from PIL.Image import Image

Source = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]", int]

KINDS = ("image", "color", "data", "symbol", "icon")
_NUMBERS_OF_KINDS = {kind: number for number, kind in enumerate(KINDS)}
CONTENTS = (
    "other",
    "bitmap",
    "atlas-bitmap",
    "color",
    "data",
    "jpeg",
    "heif",
    "pdf",
    "svg",
    "nothing",
)
IDIOMS = ("universal", "phone", "pad", "tv", "car", "watch", "marketing", "mac", "vision")
CLASSES = ("any", "compact", "regular")
STYLES = ("any", "light", "dark", "tinted")
CONTRASTS = ("normal", "high")
GAMUTS = ("srgb", "p3")
DIRECTIONS = {0: "none", 4: "right-to-left", 5: "left-to-right"}
TEXT_SIZES = (
    "any",
    "xs",
    "s",
    "m",
    "l",
    "xl",
    "xxl",
    "xxxl",
    "ax1",
    "ax2",
    "ax3",
    "ax4",
    "ax5",
)
TEMPLATES = ("automatic", "original", "template")
LAYOUTS = ("bgra8", "rgba8", "gray8", "gray-alpha8", "rgba16f")
SPACES = ("srgb", "display-p3")
SYMBOL_SIZES = {"small": 1, "medium": 2, "large": 3}
RENDERINGS = ("monochrome", "hierarchical", "multicolor")
WEIGHTS = (
    "ultralight",
    "thin",
    "light",
    "regular",
    "medium",
    "semibold",
    "bold",
    "heavy",
    "black",
)
# Words for parts of a screen beside those of the library.
WINDOWS = {"half": "split-1/2", "third": "split-1/3", "two-thirds": "split-2/3"}

# The channels and the format of a channel, by the layout.
_CHANNELS = ((4, "B"), (4, "B"), (1, "B"), (2, "B"), (4, "e"))
_MOST_PIXELS = 16384
# Above this size, pixels lie in pages that the system fills with zeros only when they are used.
_LARGE = 1 << 24


def _number(words: Sequence[str], word: str, noun: str) -> int:
    """Returns the place of a word in a list."""
    try:
        return words.index(word)
    except ValueError:
        known = ", ".join(words)
        raise ArgumentError(
            _errors.BAD_ARGUMENT, f"'{word}' is no {noun}; there are {known}"
        ) from None


def _word(words: Sequence[str], number: int) -> str:
    return words[number] if number < len(words) else str(number)


def _text(address: Optional[int], length: int) -> str:
    """Returns the text at an address. Bytes that are not UTF-8 become surrogates, as in paths."""
    if not address or not length:
        return ""
    return ctypes.string_at(address, length).decode("utf-8", "surrogateescape")


def _name(name: str) -> bytes:
    try:
        return name.encode()
    except UnicodeEncodeError:
        # The bytes of a name that is not UTF-8.
        return name.encode("utf-8", "surrogateescape")


class _Handle:
    """A handle of the library, closed when nothing refers to it. A call that runs in another
    thread refers to it until it ends."""

    __slots__ = ("value", "_close")

    def __init__(self, value: int, close: Any) -> None:
        self.value = c_void_p(value)
        self._close = close

    def __del__(self) -> None:
        self._close(self.value)


class Color(NamedTuple):
    """A colour, not premultiplied. ``system_name`` names a system colour, for which the numbers
    are only a substitute."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0
    space: str = "sRGB"
    system_name: Optional[str] = None


class Vector(NamedTuple):
    """The page of a vector: its size in points, its pixels at scale 1, and whether everything in
    the file is drawn."""

    width: float
    height: float
    pixel_width: int
    pixel_height: int
    is_complete: bool


class Key(NamedTuple):
    """The constraints under which a variant may be shown."""

    idiom: str
    subtype: int
    scale: int
    width: str
    height: str
    style: str
    contrast: str
    gamut: str
    direction: str
    memory: int
    graphics: int
    language: Optional[str]
    os_generation: int
    content_size: str

    def __repr__(self) -> str:
        said = []
        for field, value in self._asdict().items():
            if value not in (None, 0, "any", "universal", "normal", "srgb", "none"):
                said.append(f"{field}={value!r}")
        return f"Key({', '.join(said)})"


_SPACES_OF_COLORS = {
    "sRGB": 1,
    "gray": 2,
    "gray gamma 2.2": 2,
    "Display P3": 3,
    "extended sRGB": 4,
    "extended gray": 6,
}
Tint = Union[Color, Tuple[float, float, float], Tuple[float, float, float, float]]


def _tint(tint: Optional[Tint]) -> Optional[CColor]:
    if tint is None:
        return None
    color = tint if isinstance(tint, Color) else Color(*tint)
    if color.space not in _SPACES_OF_COLORS:
        known = ", ".join(_SPACES_OF_COLORS)
        raise ArgumentError(
            _errors.BAD_ARGUMENT, f"'{color.space}' is no colour space; there are {known}"
        )
    result = CColor(size=ctypes.sizeof(CColor), space=_SPACES_OF_COLORS[color.space])
    result.red, result.green, result.blue = color.red, color.green, color.blue
    result.alpha = color.alpha
    return result


def _draw(
    function: Any, before: Sequence[Any], layout: int, width: int, height: int
) -> memoryview:
    """Calls a function that writes pixels: `before` are its arguments up to the pixels."""
    if width < 1 or height < 1 or width > _MOST_PIXELS or height > _MOST_PIXELS:
        raise LimitError(
            _errors.OVER_LIMIT,
            f"{width} x {height} pixels; each side has 1 to {_MOST_PIXELS}",
        )
    channels, form = _CHANNELS[layout]
    stride = width * channels * (2 if form == "e" else 1)
    size = stride * height
    memory: Any = mmap.mmap(-1, size) if size >= _LARGE else bytearray(size)
    pixels = (ctypes.c_char * size).from_buffer(memory)
    call(function, *before, pixels, size, stride, None)
    flat = memoryview(memory)
    if form == "e":
        # Only newer versions of Python know half floats; the others return the bits.
        try:
            return flat.cast("e", [height, width, channels])  # type: ignore[call-overload, no-any-return]
        except ValueError:
            form = "H"
    return flat.cast(form, [height, width, channels])  # type: ignore[call-overload, no-any-return]


class Rendition:
    """One variant of an asset, as a view shows it. Lengths are in points unless they are called
    pixels."""

    __slots__ = ("_archive", "_fields", "name")

    def __init__(self, archive: Archive, name: str, fields: CRendition) -> None:
        self._archive = archive
        self._fields = fields
        #: The name of the asset.
        self.name = name

    @property
    def number(self) -> int:
        """The number of the variant in the archive."""
        return int(self._fields.number)

    @property
    def content(self) -> str:
        """What is stored: bitmap, atlas-bitmap, color, data, jpeg, heif, pdf, svg, nothing or
        other."""
        return _word(CONTENTS, self._fields.content)

    @property
    def pixel_size(self) -> Tuple[int, int]:
        """The width and height in pixels; zeros if the content has none of its own."""
        return (int(self._fields.pixel_width), int(self._fields.pixel_height))

    @property
    def scale(self) -> int:
        """Pixels for each point; 0 for a vector."""
        return int(self._fields.scale)

    @property
    def template_intent(self) -> str:
        """How the picture is tinted: automatic, original or template."""
        return _word(TEMPLATES, self._fields.template_intent)

    @property
    def is_mirrored(self) -> bool:
        """Whether the picture was made for the other direction of writing."""
        return bool(self._fields.mirrored)

    @property
    def preserves_vector(self) -> bool:
        """Whether the archive keeps the vector beside the bitmap."""
        return bool(self._fields.preserves_vector)

    @property
    def alignment_insets(self) -> Tuple[float, float, float, float]:
        """The distances of the alignment rectangle from the edges of the stored picture: top, left,
        bottom, right. If the picture is drawn mirrored, left and right change places."""
        f = self._fields
        return (f.inset_top, f.inset_left, f.inset_bottom, f.inset_right)

    @property
    def cap_insets(self) -> Optional[Tuple[float, float, float, float]]:
        """The parts that are not stretched: top, left, bottom, right. None if the picture is not
        sliced."""
        f = self._fields
        if not f.slicing:
            return None
        return (f.cap_top, f.cap_left, f.cap_bottom, f.cap_right)

    @property
    def point_size(self) -> Optional[Tuple[float, float]]:
        """The size on the screen; None if the content has no size of its own."""
        width, height = c_double(), c_double()
        status = library.carve_point_size(byref(self._fields), byref(width), byref(height))
        return (width.value, height.value) if status == _errors.OK else None

    @property
    def stored_name(self) -> str:
        """The name that the archive keeps with the variant, usually that of its source file."""
        length = c_size_t()
        handle = self._archive._open()
        library.carve_stored_name(
            handle.value, byref(self._fields), None, 0, byref(length), None
        )
        text = ctypes.create_string_buffer(length.value + 1)
        call(
            library.carve_stored_name,
            handle.value,
            byref(self._fields),
            text,
            length.value + 1,
            byref(length),
        )
        return text.raw[: length.value].decode("utf-8", "surrogateescape")

    @property
    def orientation(self) -> int:
        """How the picture of a JPEG or HEIF file has to be turned, by EXIF's numbers."""
        turn = c_uint32()
        handle = self._archive._open()
        call(library.carve_orientation, handle.value, byref(self._fields), byref(turn))
        return turn.value

    # Contents

    def pixels(self, layout: str = "rgba8", space: str = "srgb") -> memoryview:
        """Decodes the picture. Returns its pixels from the top row down, as a memoryview of the
        shape (height, width, channels). Colours are premultiplied. ``layout`` is rgba8, bgra8,
        gray8, gray-alpha8 or rgba16f, ``space`` srgb or display-p3. A vector is drawn at the size
        of its page; ``draw`` draws it at any size.
        """
        numbers = _number(LAYOUTS, layout, "layout"), _number(SPACES, space, "space")
        handle = self._archive._open()
        if self.content in ("pdf", "svg"):
            page = self.vector
            width, height = page.pixel_width, page.pixel_height
        else:
            width, height = self.pixel_size
            if not width or not height:
                raise ContentError(
                    _errors.WRONG_CONTENT, f'"{self.name}" has no pixels: it is {self.content}'
                )
        before = (handle.value, byref(self._fields), *numbers)
        return _draw(library.carve_decode, before, numbers[0], width, height)

    def image(self) -> Image:
        """Returns the picture as an image of Pillow, with colours that are not premultiplied.
        Needs Pillow."""
        return _image(self.pixels())

    @property
    def vector(self) -> Vector:
        """The page of a PDF or SVG: the variant itself, or the file that is kept beside it."""
        page = CVector(size=ctypes.sizeof(CVector))
        handle = self._archive._open()
        call(library.carve_get_vector, handle.value, byref(self._fields), byref(page), None)
        return Vector(
            page.width,
            page.height,
            int(page.pixel_width),
            int(page.pixel_height),
            bool(page.is_complete),
        )

    def draw(
        self,
        width: Optional[int] = None,
        height: Optional[int] = None,
        *,
        scale: float = 1,
        tint: Optional[Tint] = None,
        layout: str = "rgba8",
        space: str = "srgb",
    ) -> memoryview:
        """Draws a vector: ``width`` or ``height`` pixels large (the other follows from the page),
        or at a scale. A tint replaces all colours. A bitmap draws the vector that is kept beside
        it. Returns pixels as ``pixels`` does.
        """
        numbers = _number(LAYOUTS, layout, "layout"), _number(SPACES, space, "space")
        page = self.vector
        size = _size_to_draw(page.width, page.height, width, height, scale)
        color = _tint(tint)
        handle = self._archive._open()
        before = (handle.value, byref(self._fields), *numbers, *size, color and byref(color))
        return _draw(library.carve_draw_vector, before, numbers[0], *size)

    def draw_sliced(
        self, width: int, height: int, *, layout: str = "rgba8", space: str = "srgb"
    ) -> memoryview:
        """Fills a rectangle of ``width`` times ``height`` pixels according to the slicing."""
        numbers = _number(LAYOUTS, layout, "layout"), _number(SPACES, space, "space")
        handle = self._archive._open()
        before = (handle.value, byref(self._fields), *numbers, width, height)
        return _draw(library.carve_draw_sliced, before, numbers[0], width, height)

    @property
    def color(self) -> Color:
        """The components of a colour."""
        color = CColor(size=ctypes.sizeof(CColor))
        handle = self._archive._open()
        call(library.carve_get_color, handle.value, byref(self._fields), byref(color))
        space = library.carve_color_space_name(color.space).decode()
        name = _text(color.system_name, color.system_name_length)
        return Color(color.red, color.green, color.blue, color.alpha, space, name or None)

    @property
    def data(self) -> bytes:
        """The bytes of data, of a vector, or of a JPEG or HEIF file."""
        size = c_size_t()
        handle = self._archive._open()
        call(library.carve_file_size, handle.value, byref(self._fields), byref(size))
        if size.value == 0:
            return b""
        memory = mmap.mmap(-1, size.value) if size.value >= _LARGE else bytearray(size.value)
        place = (ctypes.c_char * size.value).from_buffer(memory)
        call(library.carve_read_file, handle.value, byref(self._fields), place, size.value)
        return bytes(memory)

    @property
    def type_identifier(self) -> Optional[str]:
        """The type that the catalogue gives to data, such as "public.json"."""
        text, length = c_void_p(), c_size_t()
        handle = self._archive._open()
        call(
            library.carve_type_identifier,
            handle.value,
            byref(self._fields),
            byref(text),
            byref(length),
        )
        return _text(text.value, length.value) or None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rendition):
            return NotImplemented
        return (
            self._archive is other._archive
            and self.number == other.number
            and self.is_mirrored == other.is_mirrored
        )

    def __hash__(self) -> int:
        return hash((id(self._archive), self.number, self.is_mirrored))

    def __repr__(self) -> str:
        width, height = self.pixel_size
        size = f" {width}x{height}" if width and height else ""
        scale = f" @{self.scale}x" if self.scale else ""
        return f"<{type(self).__name__} {self.name!r} {self.content}{size}{scale}>"


class Variant(Rendition):
    """A variant of an asset, with the constraints under which it may be shown."""

    __slots__ = ("key",)

    def __init__(self, archive: Archive, name: str, fields: CRendition, key: Key) -> None:
        super().__init__(archive, name, fields)
        #: The constraints.
        self.key = key

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]} {self.key!r}>"


class Asset:
    """A name with one of its kinds."""

    __slots__ = ("_archive", "name", "kind", "id", "identifier", "variant_count")

    def __init__(self, archive: Archive, fields: CAsset) -> None:
        self._archive = archive
        #: The name, with its namespaces: ``Group/Star``.
        self.name = _text(fields.name, fields.name_length)
        #: image, color, data, symbol or icon.
        self.kind = _word(KINDS, fields.kind)
        #: The number that ``carve symbols`` writes into generated code.
        self.id = int(fields.id)
        #: The number of the name in the archive.
        self.identifier = int(fields.identifier)
        self.variant_count = int(fields.variant_count)

    @property
    def variants(self) -> Tuple[Variant, ...]:
        """All variants with their constraints."""
        archive = self._archive
        handle = archive._open()
        found: List[Variant] = []
        for place in range(self.variant_count):
            key = CKey(size=ctypes.sizeof(CKey))
            fields = CRendition(size=ctypes.sizeof(CRendition))
            status = library.carve_variant_at(
                handle.value, self.id, place, byref(key), byref(fields)
            )
            if status != _errors.OK:
                break
            found.append(Variant(archive, self.name, fields, archive._key(key)))
        return tuple(found)

    def __repr__(self) -> str:
        return f"<Asset {self.name!r} {self.kind}, {self.variant_count} variants>"


class Symbol:
    """A symbol at a weight and size, in a view. Lengths are in points."""

    __slots__ = ("_view", "_style", "_fields", "name")

    def __init__(
        self, view: View, name: str, style: CSymbolStyle, fields: CSymbol
    ) -> None:
        self._view = view
        self._style = style
        self._fields = fields
        self.name = name

    @property
    def size(self) -> Tuple[float, float]:
        """The width and height of the outlines."""
        return (self._fields.width, self._fields.height)

    @property
    def depth(self) -> float:
        """The distance by which the symbol reaches below the base line."""
        return float(self._fields.depth)

    @property
    def cap_height(self) -> float:
        return float(self._fields.cap_height)

    @property
    def margins(self) -> Tuple[float, float]:
        """The distances that the symbol keeps from its neighbours: left and right."""
        return (self._fields.left_margin, self._fields.right_margin)

    @property
    def is_exact(self) -> bool:
        """Whether the archive has exactly this drawing."""
        return bool(self._fields.is_exact)

    @property
    def is_interpolated(self) -> bool:
        """Whether the symbol is made between two drawings."""
        return bool(self._fields.is_interpolated)

    def draw(
        self,
        width: Optional[int] = None,
        height: Optional[int] = None,
        *,
        scale: float = 1,
        tint: Optional[Tint] = None,
        layout: str = "rgba8",
        space: str = "srgb",
    ) -> memoryview:
        """Draws the symbol so that its outlines fill the pixels, black without a tint. One of
        ``width`` and ``height`` follows from the other; without both, ``scale`` counts."""
        numbers = _number(LAYOUTS, layout, "layout"), _number(SPACES, space, "space")
        size = _size_to_draw(*self.size, width, height, scale)
        color = _tint(tint)
        name = _name(self.name)
        handle = self._view._open()
        before = (
            handle.value,
            name,
            len(name),
            byref(self._style),
            *numbers,
            *size,
            color and byref(color),
        )
        return _draw(library.carve_draw_symbol, before, numbers[0], *size)

    def __repr__(self) -> str:
        width, height = self.size
        return f"<Symbol {self.name!r} {width:.4g}x{height:.4g} points>"


def _size_to_draw(
    page_width: float,
    page_height: float,
    width: Optional[int],
    height: Optional[int],
    scale: float,
) -> Tuple[int, int]:
    """Returns the pixels of a drawing, of which one side may follow from the other."""
    share = page_height / page_width if page_width > 0 else 1
    if width is None and height is None:
        width, height = _rounded(page_width * scale), _rounded(page_height * scale)
    elif height is None and width is not None:
        height = _rounded(width * share)
    elif width is None and height is not None:
        width = _rounded(height / share) if share > 0 else height
    return (max(1, width or 1), max(1, height or 1))


def _rounded(length: float) -> int:
    return int(min(length, 1e9) + 0.5)


def _image(pixels: memoryview) -> Image:
    from PIL import Image as pillow

    shape = pixels.shape or (0, 0)
    premultiplied = pillow.frombuffer(
        "RGBa", (shape[1], shape[0]), cast(bytes, pixels), "raw", "RGBa", 0, 1
    )
    return premultiplied.convert("RGBA")


class View:
    """An archive seen in one window: each look-up returns what that window shows."""

    def __init__(self, archive: Archive, handle: _Handle, words: str) -> None:
        self.archive = archive
        self._handle: Optional[_Handle] = handle
        self._words = words
        # A view never changes, so what was found stays right.
        self._images: Dict[str, Rendition] = {}

    def _open(self) -> _Handle:
        handle = self._handle
        if handle is None:
            raise ValueError("the view is closed")
        return handle

    def __getitem__(self, name: str) -> Rendition:
        """Returns what the window shows for the name of an image. Raises NotFoundError if it shows
        nothing."""
        found = self.get(name)
        if found is None:
            raise NotFoundError(_errors.NONE, self._reason(name, "image"))
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def get(self, name: str, kind: str = "image") -> Optional[Rendition]:
        """Returns what the window shows for a name; None if it shows nothing."""
        if kind == "image" and self._handle is not None:
            found = self._images.get(name)
            if found is None:
                found = self._find(find, name, 0)
                if found is not None:
                    self._images[name] = found
            return found
        number = _NUMBERS_OF_KINDS.get(kind)
        if number is None:
            number = _number(KINDS, kind, "kind")
        return self._find(find, name, number)

    def find(self, name: str, kind: str = "image") -> Rendition:
        """Returns what the window shows for a name. Raises NotFoundError if it shows nothing."""
        found = self.get(name, kind)
        if found is None:
            raise NotFoundError(_errors.NONE, self._reason(name, kind))
        return found

    def vector(self, name: str, kind: str = "image") -> Optional[Rendition]:
        """Returns the PDF or SVG of what the window shows; None if the archive keeps none."""
        return self._find(find_vector, name, _number(KINDS, kind, "kind"))

    def color(self, name: str) -> Color:
        """Returns the colour that the window shows."""
        return self.find(name, "color").color

    def data(self, name: str) -> bytes:
        """Returns the bytes of the data set that the window uses."""
        return self.find(name, "data").data

    def _find(self, function: Any, name: str, kind: int) -> Optional[Rendition]:
        handle = self._handle
        if handle is None:
            raise ValueError("the view is closed")
        fields = CRendition(_SIZE_OF_RENDITION)
        text = _name(name)
        status = function(handle.value, text, c_size_t(len(text)), kind, byref(fields))
        if status == 0:
            return Rendition(self.archive, name, fields)
        if status != _errors.NONE:
            raise _errors.error(status, f"'{name}' cannot be looked up")
        return None

    def obstacle(self, name: str, kind: str = "image") -> Optional[str]:
        """Returns why the window shows nothing for a name: ``"name"`` if it does not exist,
        otherwise the trait that excludes its last variant. None if a variant is shown."""
        text = _name(name)
        handle = self._open()
        number = library.carve_obstacle(
            handle.value, text, len(text), _number(KINDS, kind, "kind")
        )
        if number <= 0:
            return None
        words: bytes = library.carve_obstacle_text(number)
        return words.decode()

    def _reason(self, name: str, kind: str) -> str:
        obstacle = self.obstacle(name, kind)
        if obstacle in (None, "name"):
            return f"there is no {kind} '{name}'"
        return f"no variant of the {kind} '{name}' may be shown: {obstacle}"

    def symbol(
        self,
        name: str,
        *,
        weight: Union[str, float] = "regular",
        size: str = "medium",
        rendering: str = "monochrome",
        point_size: float = 0,
    ) -> Symbol:
        """Measures a symbol. ``weight`` is a word from ultralight to black or a number from 1 to
        9, ``size`` small, medium or large, ``rendering`` monochrome, hierarchical or multicolor,
        and ``point_size`` the size of the text beside it, 0 for that of the archive's measures.
        """
        style = CSymbolStyle(size=ctypes.sizeof(CSymbolStyle), point_size=point_size)
        style.weight = (
            _number(WEIGHTS, weight, "weight") + 1 if isinstance(weight, str) else weight
        )
        if size not in SYMBOL_SIZES:
            _number(tuple(SYMBOL_SIZES), size, "size of symbols")
        style.symbol_size = SYMBOL_SIZES[size]
        style.rendering = _number(RENDERINGS, rendering, "rendering")
        fields = CSymbol(size=ctypes.sizeof(CSymbol))
        text, details = _name(name), CError()
        handle = self._open()
        status = library.carve_get_symbol(
            handle.value,
            text,
            len(text),
            byref(style),
            byref(fields),
            None,
            byref(details),
        )
        if status == _errors.NONE:
            raise NotFoundError(_errors.NONE, self._reason(name, "symbol"))
        check(status, details)
        return Symbol(self, name, style, fields)

    def changes(self, other: View) -> List[Asset]:
        """Returns the assets that look different in another view of the same archive."""
        if other.archive is not self.archive:
            raise ArgumentError(_errors.BAD_ARGUMENT, "the views belong to two archives")
        mine, theirs = self._open(), other._open()
        room = len(self.archive.assets)
        ids, count = (c_uint64 * room)(), c_size_t()
        status = library.carve_transition(mine.value, theirs.value, ids, room, byref(count))
        if status != _errors.OK:
            raise _errors.error(status, "the views cannot be compared")
        changed = set(ids[: count.value])
        return [asset for asset in self.archive.assets if asset.id in changed]

    def close(self) -> None:
        """Closes the view. Closing twice does no harm."""
        self._handle = None

    def __enter__(self) -> View:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        closed = ", closed" if self._handle is None else ""
        return f"<View of {self.archive._words}: {self._words}{closed}>"


_SIZE_OF_RENDITION = ctypes.sizeof(CRendition)


class Archive:
    """An open archive. Use it in a ``with`` statement, or close it, or leave that to Python."""

    def __init__(self, handle: _Handle, words: str) -> None:
        self._handle: Optional[_Handle] = handle
        self._words = words
        self._assets: Optional[Tuple[Asset, ...]] = None
        self._tags: Optional[Dict[int, str]] = None

    def _open(self) -> _Handle:
        handle = self._handle
        if handle is None:
            raise ValueError("the archive is closed")
        return handle

    # Listing

    @property
    def assets(self) -> Tuple[Asset, ...]:
        """All names with their kinds, sorted by name, then kind."""
        if self._assets is None:
            handle = self._open()
            found: List[Asset] = []
            for place in range(library.carve_asset_count(handle.value)):
                fields = CAsset(size=ctypes.sizeof(CAsset))
                status = library.carve_asset_at(handle.value, place, byref(fields))
                if status != _errors.OK:
                    break
                found.append(Asset(self, fields))
            self._assets = tuple(found)
        return self._assets

    @property
    def names(self) -> List[str]:
        """All names, sorted. A name with several kinds is there once."""
        return list(dict.fromkeys(asset.name for asset in self.assets))

    def asset(self, name: str, kind: Optional[str] = None) -> Asset:
        """Returns the asset with a name, and with a kind if the name has several."""
        if kind is not None:
            _number(KINDS, kind, "kind")
        for asset in self.assets:
            if asset.name == name and kind in (None, asset.kind):
                return asset
        raise NotFoundError(_errors.NONE, f"there is no {kind or 'asset'} '{name}'")

    def __getitem__(self, name: str) -> Asset:
        return self.asset(name)

    def __contains__(self, name: object) -> bool:
        return any(asset.name == name for asset in self.assets)

    def __iter__(self) -> Iterator[Asset]:
        return iter(self.assets)

    def __len__(self) -> int:
        return len(self.assets)

    @property
    def uses_index(self) -> bool:
        """Whether the file's own index is used; otherwise the library built one."""
        handle = self._open()
        return bool(library.carve_uses_index(handle.value))

    @property
    def languages(self) -> List[str]:
        """The languages for which the archive has variants."""
        return list(self._localizations().values())

    def _localizations(self) -> Dict[int, str]:
        if self._tags is None:
            handle = self._open()
            tags: Dict[int, str] = {}
            for place in range(library.carve_localization_count(handle.value)):
                number, length = c_uint16(), c_size_t()
                library.carve_localization_at(
                    handle.value, place, byref(number), None, 0, byref(length)
                )
                text = ctypes.create_string_buffer(length.value + 1)
                status = library.carve_localization_at(
                    handle.value, place, byref(number), text, length.value + 1, byref(length)
                )
                if status == _errors.OK:
                    tags[number.value] = text.value.decode("utf-8", "surrogateescape")
            self._tags = tags
        return self._tags

    def _key(self, key: CKey) -> Key:
        language = None
        if key.language:
            language = self._localizations().get(key.language, str(key.language))
        return Key(
            idiom=_word(IDIOMS, key.idiom),
            subtype=int(key.subtype),
            scale=int(key.scale),
            width=_word(CLASSES, key.width_class),
            height=_word(CLASSES, key.height_class),
            style=_word(STYLES, key.style),
            contrast=_word(CONTRASTS, key.contrast),
            gamut=_word(GAMUTS, key.gamut),
            direction=DIRECTIONS.get(key.direction, str(key.direction)),
            memory=int(key.memory),
            graphics=int(key.graphics),
            language=language,
            os_generation=int(key.os_generation),
            content_size=_word(TEXT_SIZES, key.content_size),
        )

    # Views

    def view(
        self,
        *,
        device: Optional[str] = None,
        window: Optional[str] = None,
        orientation: Optional[str] = None,
        traits: Optional[str] = None,
        scale: Optional[int] = None,
        style: Optional[str] = None,
        contrast: Optional[str] = None,
        gamut: Optional[str] = None,
        direction: Optional[str] = None,
        languages: Sequence[str] = (),
        content_size: Optional[str] = None,
    ) -> View:
        """Returns the archive as one window shows it.

        The window is one of a device (``device="iPhone17,1"`` or a name such as "iPhone 16 Pro";
        ``window`` full, half, third, two-thirds, slide-over or unfolded; ``orientation`` portrait
        or landscape), or has traits that are given as text ("idiom=pad,scale=2"). The other
        arguments replace single traits: those that the user of a device chooses, above all.
        """
        fields = CTraits(size=ctypes.sizeof(CTraits))
        size = ctypes.sizeof(CTraits)
        if device is not None and traits is not None:
            raise ArgumentError(_errors.BAD_ARGUMENT, "device and traits exclude each other")
        if device is None and (window is not None or orientation is not None):
            raise ArgumentError(
                _errors.BAD_ARGUMENT, "window and orientation need the device to which they belong"
            )
        library.carve_traits_init(byref(fields), size)
        if device is not None:
            place = WINDOWS.get(window, window) if window is not None else None
            call(
                library.carve_traits_for_device,
                device.encode(),
                place.encode() if place is not None else None,
                orientation.encode() if orientation is not None else None,
                byref(fields),
                size,
            )
        elif traits is not None:
            call(library.carve_traits_parse, traits.encode(), byref(fields), size)
        if scale is not None:
            if scale not in (1, 2, 3):
                raise ArgumentError(_errors.BAD_ARGUMENT, f"scale {scale}; there are 1, 2 and 3")
            fields.scale = scale
        if style is not None:
            fields.style = _number(STYLES, style, "style")
        if contrast is not None:
            fields.contrast = _number(CONTRASTS, contrast, "contrast")
        if gamut is not None:
            fields.gamut = _number(GAMUTS, gamut, "gamut")
        if direction is not None:
            fields.direction = _direction(direction)
        if content_size is not None:
            fields.content_size = _number(TEXT_SIZES, content_size, "text size")
        if isinstance(languages, str):
            languages = [languages]
        if languages:
            _set_languages(fields, languages)
        return self._view(fields, device or traits or "any window", style)

    def _view(self, fields: CTraits, words: str, style: Optional[str]) -> View:
        handle, result = self._open(), c_void_p()
        call(library.carve_view_for, handle.value, byref(fields), byref(result))
        owned = _Handle(result.value or 0, library.carve_view_close)
        return View(self, owned, f"{words}, {style}" if style else words)

    # Closing

    @property
    def is_closed(self) -> bool:
        return self._handle is None

    def close(self) -> None:
        """Closes the archive. Its views still find, but no longer draw. Closing twice does no
        harm; calls of other threads end first."""
        self._handle = None

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        handle = self._handle
        if handle is None:
            return f"<Archive {self._words}, closed>"
        count = int(library.carve_asset_count(handle.value))
        return f"<Archive {self._words}, {count} assets>"


def _direction(word: str) -> int:
    """Returns the number of a direction of writing."""
    for number, known in DIRECTIONS.items():
        if word == known and number:
            return number
    known_words = ", ".join(known for number, known in DIRECTIONS.items() if number)
    raise ArgumentError(_errors.BAD_ARGUMENT, f"direction {word!r}; there are {known_words}")


def _set_languages(fields: CTraits, languages: Sequence[str]) -> None:
    if len(languages) > MOST_LANGUAGES:
        raise ArgumentError(
            _errors.BAD_ARGUMENT, f"{len(languages)} languages; {MOST_LANGUAGES} are possible"
        )
    for tag in languages:
        if any(sign in tag for sign in ",:\0"):
            raise ArgumentError(_errors.BAD_ARGUMENT, f"{tag!r} is not the tag of a language")
    chain = CTraits(size=ctypes.sizeof(CTraits))
    if languages:
        # The library adds the shorter tags, such as es after es-MX.
        text = "language=" + ":".join(languages)
        call(library.carve_traits_parse, text.encode(), byref(chain), ctypes.sizeof(CTraits))
    fields.language_count = chain.language_count
    for place in range(chain.language_count):
        fields.languages[place] = chain.languages[place]


def _opened(function: Any, words: str, *arguments: Any) -> Archive:
    result = c_void_p()
    call(function, *arguments, byref(result))
    return Archive(_Handle(result.value or 0, library.carve_close), words)


def open(source: Source) -> Archive:
    """Maps and opens the archive of a path, or of a file descriptor, which may be closed
    afterwards. Raises FileError or DamagedError."""
    if isinstance(source, int):
        return _opened(library.carve_open_descriptor, f"descriptor {source}", source)
    path = os.fsencode(source)
    if b"\0" in path:
        raise ValueError("embedded null byte")
    return _opened(library.carve_open, os.fsdecode(path), path)


def open_bytes(data: Union[bytes, bytearray, memoryview]) -> Archive:
    """Opens an archive in memory, of which it keeps a copy. Raises DamagedError."""
    held = data if isinstance(data, bytes) else bytes(data)
    return _opened(library.carve_open_bytes, f"{len(held)} bytes", held, len(held), 0)
