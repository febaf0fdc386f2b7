"""The exceptions of the package. Each has the status of the library and its sentence."""

from __future__ import annotations

from typing import Optional

OK, NONE, BAD_ARGUMENT, SYSTEM, NOT_A_FILE, SHRUNK, FORMAT, TOO_LARGE, NO_RENDITION = range(9)
(
    WRONG_CONTENT,
    OVER_LIMIT,
    BUFFER_TOO_SMALL,
    UNSUPPORTED,
    CODEC,
    NO_MEMORY,
    BAD_VECTOR,
) = range(9, 16)

CODES = (
    "OK",
    "NONE",
    "BAD_ARGUMENT",
    "SYSTEM",
    "NOT_A_FILE",
    "SHRUNK",
    "FORMAT",
    "TOO_LARGE",
    "NO_RENDITION",
    "WRONG_CONTENT",
    "OVER_LIMIT",
    "BUFFER_TOO_SMALL",
    "UNSUPPORTED",
    "CODEC",
    "NO_MEMORY",
    "BAD_VECTOR",
)


class Error(Exception):
    """A failure that the library reports.

    ``status`` is the number of ``carve.h``, ``code`` its name without ``CARVE_``, for example
    ``"FORMAT"``.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = CODES[status] if 0 <= status < len(CODES) else str(status)
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.code}: {self.message})"

    def __reduce__(self) -> tuple[type[Error], tuple[int, str]]:
        return (type(self), (self.status, self.message))


class ArgumentError(Error, ValueError):
    """An argument has a value that has no meaning, such as a device that does not exist."""


class NotFoundError(Error, KeyError):
    """The archive has no such name, or the window shows none of its variants."""


class FileError(Error, OSError):
    """The file cannot be opened, is no regular file, or became shorter.

    ``errno`` is the number of the system's error, or None if the system reported none.
    """

    def __init__(self, status: int, message: str, errno: Optional[int] = None) -> None:
        super().__init__(status, message)
        self.errno = errno

    def __reduce__(self) -> tuple[type[Error], tuple[int, str, Optional[int]]]:
        return (type(self), (self.status, self.message, self.errno))


class DamagedError(Error, ValueError):
    """The file is no archive, or a part of it is damaged."""


class LimitError(Error):
    """The picture or the work is larger than the limits allow."""


class ContentError(Error, TypeError):
    """The content has another type: pixels of a colour, bytes of a bitmap, and so on."""


class ToolError(Error):
    """The command-line tool failed. ``status`` is its exit code, ``code`` is ``"TOOL"``."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message)
        self.code = "TOOL"


_CLASSES: dict[int, type[Error]] = {
    NONE: NotFoundError,
    BAD_ARGUMENT: ArgumentError,
    SYSTEM: FileError,
    NOT_A_FILE: FileError,
    SHRUNK: FileError,
    FORMAT: DamagedError,
    TOO_LARGE: LimitError,
    NO_RENDITION: ArgumentError,
    WRONG_CONTENT: ContentError,
    OVER_LIMIT: LimitError,
    UNSUPPORTED: ContentError,
    CODEC: DamagedError,
    NO_MEMORY: LimitError,
    BAD_VECTOR: DamagedError,
}


def error(status: int, message: str) -> Error:
    """Returns the exception for a status."""
    return _CLASSES.get(status, Error)(status, message)
