#!/usr/bin/env python3
"""Draws files at 1x, 2x and 3x with other libraries, in one process each, including opening the
files.

usage: peers.py PEER LIST SECONDS, with a PEER of poppler, pdfium, librsvg. Prints the number of
drawn bitmaps and the seconds of processor time; exits with 3 if the library is not installed. The
libraries are called as C programs call them; Python's cost of a call is measured and subtracted.
"""
import ctypes
import ctypes.util
import itertools
import sys
import time

ABSENT = 3


def library(*names):
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    sys.exit(ABSENT)


def prototype(library, name, result, *arguments):
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments
    return function


P, I, D = ctypes.c_void_p, ctypes.c_int, ctypes.c_double


class Cairo:
    def __init__(self):
        cairo = library("libcairo.so.2")
        self.surface = prototype(cairo, "cairo_image_surface_create", P, I, I, I)
        self.context = prototype(cairo, "cairo_create", P, P)
        self.scale = prototype(cairo, "cairo_scale", None, P, D, D)
        self.end_context = prototype(cairo, "cairo_destroy", None, P)
        self.end_surface = prototype(cairo, "cairo_surface_destroy", None, P)

    def draw(self, width, height, scale, paint):
        surface = self.surface(0, width, height)
        context = self.context(surface)
        self.scale(context, scale, scale)
        paint(context)
        self.end_context(context)
        self.end_surface(surface)


def poppler():
    cairo, glib = Cairo(), library("libglib-2.0.so.0")
    lib = library("libpoppler-glib.so.8")
    unref = prototype(library("libgobject-2.0.so.0"), "g_object_unref", None, P)
    new_bytes = prototype(glib, "g_bytes_new_static", P, P, ctypes.c_size_t)
    end_bytes = prototype(glib, "g_bytes_unref", None, P)
    new = prototype(lib, "poppler_document_new_from_bytes", P, P, P, P)
    get_page = prototype(lib, "poppler_document_get_page", P, P, I)
    get_size = prototype(lib, "poppler_page_get_size", None, P, P, P)
    render = prototype(lib, "poppler_page_render", None, P, P)
    width, height = D(), D()

    def draw(data):
        content = new_bytes(data, len(data))
        document = new(content, None, None)
        page = get_page(document, 0)
        get_size(page, ctypes.byref(width), ctypes.byref(height))
        for scale in (1, 2, 3):
            size = (int(width.value * scale + 0.5), int(height.value * scale + 0.5))
            cairo.draw(*size, scale, lambda context: render(page, context))
        unref(page)
        unref(document)
        end_bytes(content)
    return draw


class Rectangle(ctypes.Structure):
    _fields_ = [("x", D), ("y", D), ("width", D), ("height", D)]


def librsvg():
    cairo, lib = Cairo(), library("librsvg-2.so.2")
    unref = prototype(library("libgobject-2.0.so.0"), "g_object_unref", None, P)
    new = prototype(lib, "rsvg_handle_new_from_data", P, P, ctypes.c_size_t, P)
    get_size = prototype(lib, "rsvg_handle_get_intrinsic_size_in_pixels", I, P, P, P)
    render = prototype(lib, "rsvg_handle_render_document", I, P, P, P, P)
    width, height = D(), D()

    def draw(data):
        handle = new(data, len(data), None)
        get_size(handle, ctypes.byref(width), ctypes.byref(height))
        box = Rectangle(0, 0, width.value, height.value)
        for scale in (1, 2, 3):
            size = (int(width.value * scale + 0.999), int(height.value * scale + 0.999))
            cairo.draw(*size, scale, lambda context: render(handle, context, ctypes.byref(box), None))
        unref(handle)
    return draw


def pdfium():
    try:
        import pypdfium2.raw as lib
    except ImportError:
        sys.exit(ABSENT)
    flags = lib.FPDF_ANNOT

    def draw(data):
        document = lib.FPDF_LoadMemDocument64(data, len(data), None)
        page = lib.FPDF_LoadPage(document, 0)
        width, height = lib.FPDF_GetPageWidthF(page), lib.FPDF_GetPageHeightF(page)
        for scale in (1, 2, 3):
            across, down = int(width * scale + 0.5), int(height * scale + 0.5)
            bitmap = lib.FPDFBitmap_CreateEx(across, down, lib.FPDFBitmap_BGRA, None, 0)
            lib.FPDFBitmap_FillRect(bitmap, 0, 0, across, down, 0)
            lib.FPDF_RenderPageBitmap(bitmap, page, 0, 0, across, down, 0, flags)
            lib.FPDFBitmap_Destroy(bitmap)
        lib.FPDF_ClosePage(page)
        lib.FPDF_CloseDocument(document)
    return draw


def cost_of_call():
    """Returns the seconds that Python adds to a call of an empty function."""
    empty = prototype(ctypes.CDLL(None), "labs", ctypes.c_long, ctypes.c_long)
    start = time.process_time()
    for _ in range(100_000):
        empty(1)
    return (time.process_time() - start) / 100_000


def main():
    peer, listed, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    draw = {"poppler": poppler, "librsvg": librsvg, "pdfium": pdfium}[peer]()
    files = [open(path, "rb").read() for path in open(listed).read().split("\n") if path]
    calls = {"poppler": 23, "librsvg": 18, "pdfium": 18}[peer]
    draw(files[0])
    count, start = 0, time.process_time()
    for _ in itertools.count():
        for data in files:
            draw(data)
        count += len(files)
        spent = time.process_time() - start
        if spent >= seconds:
            break
    print(3 * count, spent - count * calls * cost_of_call())


main()
