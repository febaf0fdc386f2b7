# Tests the Python package that a wheel has installed: test_carve.py ROOT. ROOT is the folder of the
# project, whose sample catalogues the installed tool compiles.
import ctypes
import errno
import gc
import os
import pickle
import re
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import unittest

import carve
from carve import _interface

ROOT = sys.argv.pop(1)
TOOL = os.path.join(sysconfig.get_path("scripts"), "carve")
WORK = tempfile.TemporaryDirectory()


def tool(*words):
    run = subprocess.run([TOOL, *words], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def compiled(name):
    """Compiles a sample catalogue, once."""
    path = os.path.join(WORK.name, f"{name}.car")
    if not os.path.exists(path):
        tool("compile", os.path.join(ROOT, "SampleCatalogs", f"{name}.xcassets"), "-o", path)
    return path


def optional(name):
    try:
        return __import__(name)
    except ImportError:
        return None


numpy = optional("numpy")
PIL = optional("PIL.Image")


class Header(unittest.TestCase):
    """The structures are those of carve.h."""

    TYPES = {
        "uint8_t": ctypes.c_uint8,
        "uint16_t": ctypes.c_uint16,
        "uint32_t": ctypes.c_uint32,
        "uint64_t": ctypes.c_uint64,
        "int32_t": ctypes.c_int32,
        "size_t": ctypes.c_size_t,
        "float": ctypes.c_float,
        "double": ctypes.c_double,
        "const char *": ctypes.c_void_p,
    }

    def fields(self, text):
        for line in re.sub(r"/\*.*?\*/", "", text, flags=re.S).split(";"):
            match = re.match(r"\s*(const char \*|\w+ )\s*(.*)", line.strip(), flags=re.S)
            if not match:
                continue
            for name in match.group(2).split(","):
                yield name.strip().split("[")[0], match.group(1).strip()

    def test_structures(self):
        with open(os.path.join(ROOT, "Sources/CCarve/include/carve.h")) as file:
            header = file.read()
        structures = re.findall(r"typedef struct carve_(\w+) \{(.*?)\} carve_\w+;", header, re.S)
        self.assertGreaterEqual(len(structures), 9)
        for name, text in structures:
            known = getattr(_interface, "C" + name.title().replace("_", ""))
            stated = list(self.fields(text))
            self.assertEqual([field for field, *_ in known._fields_], [n for n, _ in stated], name)
            for (field, kind), (_, word) in zip(known._fields_, stated):
                if not issubclass(kind, ctypes.Array):
                    self.assertIs(kind, self.TYPES[word], f"{name}.{field}")

    def test_statuses(self):
        from carve import _errors

        with open(os.path.join(ROOT, "Sources/CCarve/include/carve.h")) as file:
            header = file.read()
        for number, code in enumerate(_errors.CODES):
            self.assertRegex(header, rf"\bCARVE_{code} = {number}\b")
            self.assertEqual(getattr(_errors, code), number)


class Listing(unittest.TestCase):
    def test_names_and_kinds(self):
        with carve.open(compiled("Colors")) as archive:
            self.assertEqual({asset.kind for asset in archive}, {"color"})
            self.assertEqual(len(archive), len(archive.assets))
            self.assertEqual(archive.names, sorted(archive.names))
            self.assertIn(archive.names[0], archive)
            self.assertEqual(archive.asset(archive.names[0], "color"), archive.assets[0])
            self.assertTrue(archive.uses_index)
            with self.assertRaises(KeyError):
                archive["no such name"]

    def test_variants_have_keys(self):
        with carve.open(compiled("Appearances")) as archive:
            variants = [variant for asset in archive for variant in asset.variants]
            self.assertEqual(len(variants), sum(asset.variant_count for asset in archive))
            self.assertIn("dark", {variant.key.style for variant in variants})
            self.assertIn("Key(", repr(variants[0]))

    def test_languages(self):
        with carve.open(compiled("Languages")) as archive:
            self.assertTrue(archive.languages)
            found = {v.key.language for asset in archive for v in asset.variants}
            self.assertEqual(found - {None}, set(archive.languages))
            for tag in archive.languages:
                view = archive.view(languages=[tag])
                shown = [view.get(asset.name) for asset in archive]
                self.assertTrue(any(shown))

    def test_languages_have_shorter_tags(self):
        with carve.open(compiled("Languages")) as archive:
            tag = next(tag for tag in archive.languages if "-" not in tag)
            names = [asset.name for asset in archive]
            views = [archive.view(languages=[text]) for text in (tag, f"{tag}-AQ")]
            views.append(archive.view())
            shown = [[view[name].number for name in names if name in view] for view in views]
            self.assertEqual(shown[0], shown[1])
            self.assertNotEqual(shown[0], shown[2])
            for text in ("not a tag!", "de,scale=3", "de:en", ""):
                with self.assertRaises(carve.ArgumentError):
                    archive.view(languages=[text])

    def test_a_direction_of_writing(self):
        with carve.open(compiled("Directions")) as archive:
            views = [archive.view(device="iPhone17,1", direction=word)
                     for word in (None, "left-to-right", "right-to-left")]
            names = [asset.name for asset in archive]
            shown = [[(view[name].number, view[name].is_mirrored) for name in names if name in view]
                     for view in views]
            self.assertEqual(shown[0], shown[1])
            self.assertNotEqual(shown[0], shown[2])
            with self.assertRaisesRegex(carve.ArgumentError, "right-to-left, left-to-right"):
                archive.view(direction="rtl")

    def test_a_scale_of_more_bits_is_refused(self):
        with carve.open(compiled("Colors")) as archive:
            with self.assertRaises(carve.ArgumentError):
                archive.view(scale=258)


class Windows(unittest.TestCase):
    def test_a_device_shows_what_the_tool_says(self):
        with carve.open(compiled("Scales")) as archive:
            for device in ["iPhone8,1", "iPhone17,1", "iPad5,3"]:
                view = archive.view(device=device)
                for name in archive.names:
                    said = tool("resolve", compiled("Scales"), name, "--device", device, "--json")
                    found = view.get(name)
                    if found is None:
                        self.assertIsNotNone(view.obstacle(name))
                    else:
                        self.assertIn(f'"{found.stored_name}"', said)
                        self.assertIsNone(view.obstacle(name))

    def test_styles_change_assets(self):
        with carve.open(compiled("Appearances")) as archive:
            light, dark = archive.view(scale=2, style="light"), archive.view(scale=2, style="dark")
            changed = light.changes(dark)
            self.assertTrue(changed)
            asset = changed[0]
            self.assertNotEqual(light.find(asset.name, asset.kind), dark.find(asset.name, asset.kind))
            self.assertEqual(light.changes(light), [])

    def test_words_that_mean_nothing(self):
        with carve.open(compiled("Scales")) as archive:
            for words in [
                {"device": "iPhone99,1"},
                {"style": "pink"},
                {"window": "full"},
                {"device": "iPad5,3", "window": "attic"},
                {"traits": "scale=seven"},
                {"traits": "scale=2", "device": "iPad5,3"},
                {"scale": 9},
            ]:
                with self.assertRaises(carve.ArgumentError, msg=words):
                    archive.view(**words)
            half = archive.view(device="iPad5,3", window="half", orientation="landscape")
            self.assertIn("iPad5,3", repr(half))


class Contents(unittest.TestCase):
    def test_pixels_are_those_of_extract(self):
        if PIL is None:
            self.skipTest("Pillow is absent")
        folder = os.path.join(WORK.name, "extracted")
        compared = 0
        for catalog in ["Scales", "Slicing", "SizeClasses", "Appearances"]:
            path = compiled(catalog)
            out = os.path.join(folder, catalog)
            tool("extract", path, "-o", out)
            pictures = {}
            for base, _, files in os.walk(out):
                for file in files:
                    if file.endswith(".png"):
                        pictures.setdefault(file, []).append(os.path.join(base, file))
            with carve.open(path) as archive:
                for asset in archive:
                    for variant in asset.variants:
                        files = pictures.get(variant.stored_name, [])
                        if len(files) != 1 or asset.kind != "image":
                            continue
                        with PIL.Image.open(files[0]) as picture:
                            wanted = picture.convert("RGBA")
                        # The colours of PNG files are not premultiplied, which rounds them.
                        theirs = wanted.convert("RGBa").tobytes()
                        mine = bytes(variant.pixels())
                        self.assertEqual(len(mine), len(theirs), files[0])
                        greatest = max(abs(a - b) for a, b in zip(mine, theirs))
                        self.assertLessEqual(greatest, 1, files[0])
                        self.assertEqual(mine[3::4], theirs[3::4], files[0])
                        self.assertEqual(variant.image().size, wanted.size)
                        compared += 1
        self.assertGreater(compared, 10)

    def test_buffers(self):
        with carve.open(compiled("Scales")) as archive:
            picture = archive.view(scale=2)[archive.names[0]]
            width, height = picture.pixel_size
            pixels = picture.pixels()
            self.assertEqual(pixels.shape, (height, width, 4))
            self.assertEqual(len(bytes(pixels)), 4 * width * height)
            self.assertEqual(picture.pixels("gray8").shape, (height, width, 1))
            self.assertEqual(picture.pixels("rgba16f").nbytes, 8 * width * height)
            swapped = bytes(picture.pixels("bgra8"))
            self.assertEqual(swapped[0::4], bytes(pixels)[2::4])
            if numpy:
                array = numpy.asarray(pixels)
                self.assertEqual((array.shape, array.dtype), ((height, width, 4), numpy.uint8))
                array[0, 0, 0] ^= 255
                self.assertEqual(pixels[0, 0, 0], array[0, 0, 0])
            if PIL:
                image = PIL.Image.frombuffer("RGBA", (width, height), pixels, "raw", "RGBA", 0, 1)
                self.assertEqual(image.tobytes(), bytes(pixels))
            # The pixels do not depend on the archive.
            before = bytes(pixels)
        gc.collect()
        self.assertEqual(bytes(pixels), before)

    def test_colors_and_data(self):
        with carve.open(compiled("Colors")) as archive:
            color = archive.view().color(archive.names[0])
            self.assertTrue(all(0 <= part <= 1 for part in color[:4]))
        with carve.open(compiled("Data")) as archive:
            for asset in archive:
                if asset.kind == "data":
                    data = archive.view().find(asset.name, "data")
                    self.assertEqual(archive.view().data(asset.name), data.data)
                    with self.assertRaises(carve.ContentError) as raised:
                        data.pixels()
                    self.assertEqual(raised.exception.code, "WRONG_CONTENT")

    def test_vectors(self):
        with carve.open(compiled("Vectors")) as archive:
            view = archive.view(scale=2)
            vectors = [view.vector(name) for name in archive.names]
            vector = next(found for found in vectors if found)
            page = vector.vector
            drawn = vector.draw(width=64)
            self.assertEqual(drawn.shape[1], 64)
            self.assertEqual(drawn.shape[0], max(1, round(64 * page.height / page.width)))
            red = bytes(vector.draw(width=16, height=16, tint=(1, 0, 0)))
            self.assertEqual(red[0::4], red[3::4])
            self.assertTrue(vector.data)
            with self.assertRaises(carve.LimitError):
                vector.draw(width=1 << 20)

    def test_symbols(self):
        with carve.open(compiled("Symbols")) as archive:
            names = [asset.name for asset in archive if asset.kind == "symbol"]
            view = archive.view(scale=2)
            symbol = view.symbol(names[0], weight="bold", size="large")
            drawn = symbol.draw(scale=2, tint=carve.Color(0, 0, 1))
            self.assertEqual(len(drawn.shape), 3)
            self.assertTrue(any(bytes(drawn)[3::4]))
            with self.assertRaises(carve.NotFoundError):
                view.symbol("no such symbol")

    def test_sliced_pictures_fill_any_size(self):
        with carve.open(compiled("Slicing")) as archive:
            view = archive.view(scale=2)
            sliced = [view.get(name) for name in archive.names]
            picture = next(p for p in sliced if p and p.cap_insets)
            self.assertEqual(picture.draw_sliced(300, 100).shape, (100, 300, 4))


class Lives(unittest.TestCase):
    def test_closing_twice_does_no_harm(self):
        archive = carve.open(compiled("Scales"))
        view = archive.view()
        picture = view[archive.names[0]]
        for _ in range(2):
            view.close()
            archive.close()
        self.assertTrue(archive.is_closed)
        for call in [picture.pixels, archive.view, lambda: view.get("x"), lambda: view["x"]]:
            with self.assertRaises(ValueError):
                call()
        self.assertIn("closed", repr(archive))

    def test_a_view_outlives_the_name_of_its_archive(self):
        view = carve.open(compiled("Scales")).view(scale=2)
        gc.collect()
        names = view.archive.names
        self.assertTrue(view[names[0]].pixels().nbytes)

    def test_errors(self):
        cases = [("/no/such/file", carve.FileError, "SYSTEM"), (WORK.name, carve.FileError, "NOT_A_FILE"),
                 (__file__, carve.DamagedError, "FORMAT")]
        for path, kind, code in cases:
            with self.assertRaises(kind) as raised:
                carve.open(path)
            self.assertEqual(raised.exception.code, code)
            self.assertIsInstance(raised.exception, carve.Error)
            self.assertIn(code, repr(raised.exception))
            again = pickle.loads(pickle.dumps(raised.exception))
            self.assertEqual(str(again), str(raised.exception))
        with self.assertRaises(carve.DamagedError):
            carve.open_bytes(b"BOMStore")
        with self.assertRaises(OSError) as refused:
            carve.open("/no/such/file")
        self.assertEqual(refused.exception.errno, errno.ENOENT)
        self.assertEqual(pickle.loads(pickle.dumps(refused.exception)).errno, errno.ENOENT)

    def test_all_ways_to_open(self):
        path = compiled("Scales")
        with open(path, "rb") as file:
            data = file.read()
            by_descriptor = carve.open(file.fileno())
        names = carve.open(path).names
        self.assertEqual(by_descriptor.names, names)
        for form in [data, bytearray(data), memoryview(data)]:
            self.assertEqual(carve.open_bytes(form).names, names)

    def test_threads(self):
        path = compiled("Scales")
        failures = []

        def work(archive):
            try:
                for number in range(50):
                    view = archive.view(scale=1 + number % 3)
                    for name in archive.names:
                        view[name].pixels()
            except ValueError:
                pass  # Another thread closed the archive.
            except Exception as error:
                failures.append(error)

        for closes in [False, True]:
            archive = carve.open(path)
            threads = [threading.Thread(target=work, args=(archive,)) for _ in range(4)]
            for thread in threads:
                thread.start()
            if closes:
                archive.close()
            for thread in threads:
                thread.join()
        self.assertEqual(failures, [])

    def test_memory_is_given_back(self):
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * 4096

        path = compiled("Scales")

        def work():
            for _ in range(300):
                archive = carve.open(path)
                archive.view(scale=2)[archive.names[0]].pixels()

        work()
        before = resident()
        work()
        self.assertLess(resident() - before, 8 << 20)


class Tool(unittest.TestCase):
    def test_explain(self):
        path = compiled("Scales")
        name = carve.open(path).names[0]
        answer = carve.explain(path, name, device="iPhone17,1")
        self.assertEqual(answer["asset"], name)
        with self.assertRaises(carve.ToolError) as raised:
            carve.explain("/no/such/file", name)
        self.assertEqual(raised.exception.status, 4)

    def test_app(self):
        folder = os.path.join(WORK.name, "A.app")
        os.makedirs(folder, exist_ok=True)
        with open(compiled("Scales"), "rb") as source:
            with open(os.path.join(folder, "Assets.car"), "wb") as target:
                target.write(source.read())
        report = carve.app(folder)
        self.assertEqual([bundle["name"] for bundle in report["bundles"]], ["A"])
        self.assertEqual(carve.app(folder, baseline=folder)["changes"]["assets"], [])


class Speed(unittest.TestCase):
    def test_look_ups_print_their_time(self):
        with carve.open(compiled("Scales")) as archive:
            view = archive.view(scale=2)
            name = archive.names[0]
            first = min(self.time(lambda: view.vector(name)) for _ in range(20))
            again = min(self.time(lambda: view[name]) for _ in range(20))
            print(f"➜ a look-up takes {first * 1e6:.2f} µs, the next of a name {again * 1e6:.2f} µs")

    @staticmethod
    def time(call):
        start = time.perf_counter()
        for _ in range(1000):
            call()
        return (time.perf_counter() - start) / 1000


unittest.main()
