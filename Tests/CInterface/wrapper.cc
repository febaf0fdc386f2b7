// Uses carve.hpp on the archive of CInterfaceTests.swift, with exceptions or, if they are turned
// off, with results.
#include <carve.hpp>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

#include "check.h"

#ifdef CARVE_NO_EXCEPTIONS
// Returns the value of a call that must not fail.
template <class T>
static T value(carve::result<T> of) {
  CHECK(of.has_value());
  if (!of) std::fprintf(stderr, "%s\n", of.error().what());
  return std::move(*of);
}
template <class T>
static int status(const carve::result<T> &of) {
  return of ? static_cast<int>(CARVE_OK) : of.error().status();
}
#define STATUS(call) status(call)
#else
template <class T>
static T value(T of) {
  return of;
}
template <class Call>
static int status(Call call) {
  try {
    call();
  } catch (const carve::error &error) {
    CHECK(std::strlen(error.what()) > 5);
    return error.status();
  }
  return CARVE_OK;
}
#define STATUS(call) status([&] { (void)(call); })
#endif

static carve::view view_of(const carve::catalog &catalog, const char *text) {
  return value(catalog.view_for(value(carve::traits::parse(text))));
}

static void look_up(const carve::catalog &catalog) {
  carve::view light = view_of(catalog, "scale=2"), dark = view_of(catalog, "scale=2,style=dark");
  const auto star = light.find("Group/Star");
  CHECK(star && star->pixel_width == 8 && star->pixel_height == 3 && star->has_pixels());
  CHECK(star && star->content_kind() == carve::content::bitmap && star->points()->width == 4);
  CHECK(!light.find("Group/Star", carve::kind::color) && !light.find("Group/Stars"));
  const carve::id id = carve::id_of("Group/Star");
  CHECK(catalog.find_id("Group/Star") == id && !catalog.find_id("nothing"));
  CHECK(light.find(id)->number == star->number && light.choice(id) != dark.choice(id));
  CHECK(!light.find_vector("Group/Star") && !light.find_symbol("Group/Star", 4, 2));
  CHECK(light.obstacle("nothing") == CARVE_OBSTACLE_NAME);
  CHECK(value(catalog.transition(light, dark)).size() == 2);
  CHECK(STATUS(catalog.transition(light, carve::view())) == CARVE_BAD_ARGUMENT);
  CHECK(STATUS(carve::traits::parse("scale=9")) == CARVE_BAD_ARGUMENT);
  CHECK(STATUS(carve::traits::for_device("no such device")) == CARVE_BAD_ARGUMENT);
  CHECK(value(carve::traits::for_device("iPhone 14 Pro")).scale == 3);
  carve::traits german;
  german.prefer({"de", "en"});
  CHECK(german.language_count == 2 && german.languages[0] == carve_language("de"));
  german.prefer({"de-CH"});
  CHECK(german.language_count == 2 && german.languages[1] == carve_language("de"));
  for (const char *text : {"not a tag!", "de,scale=3", ""}) {
    german.prefer({text});
    CHECK(german.language_count == 0);
  }
  CHECK(!value(light.measure_symbol("nothing")));
  CHECK(STATUS(light.draw_symbol("nothing", 4, 4)) == CARVE_NONE);
  // A copy of a view shares its handle; a view that was moved from finds nothing.
  carve::view moved = std::move(light);
  CHECK(moved.find("Plain") && !light && !light.find("Plain") && light.choice(id) == UINT32_MAX);
}

static void list(const carve::catalog &catalog) {
  std::string names;
  std::size_t variants = 0;
  for (const carve::asset &asset : catalog.assets()) {
    names += std::string(asset.name) + " ";
    CHECK(asset.id == carve::id_of(asset.name, asset.kind));
    std::size_t count = 0;
    for (const carve::variant &variant : catalog.variants(asset.id)) {
      CHECK(asset.kind != carve::kind::image || variant.key.scale == variant.rendition.scale);
      count++;
    }
    CHECK(count == asset.variant_count);
    variants += count;
  }
  CHECK(names == "Accent Arrow Group/Star Level Photo Plain SpriteA SpriteB ");
  CHECK(catalog.asset_count() == 8 && variants > 8);
  for (const carve::localization &one : catalog.localizations()) CHECK(!one.tag.empty());
}

static void read_contents(const carve::catalog &catalog) {
  const carve::view view = view_of(catalog, "scale=2");
  const carve::rendition star = *view.find("Group/Star");
  carve::options bgra;
  bgra.format = carve::layout::bgra8;
  const carve::pixels pixels = value(catalog.decode(star, bgra));
  CHECK(pixels.width == 8 && pixels.height == 3 && pixels.stride() == 32);
  CHECK(pixels.bytes.size() == 96 && pixels.bytes[0] == 14 && pixels.bytes[2] == 2);
  std::vector<std::uint8_t> room(3 * 40);
  CHECK(STATUS(catalog.decode(star, carve::target{room, 40}, bgra)) == CARVE_OK);
  CHECK(std::memcmp(room.data() + 40, pixels.bytes.data() + 32, 32) == 0);
  std::array<std::uint8_t, 9> small{};
  CHECK(STATUS(catalog.decode(star, carve::target{small, 32}, bgra)) == CARVE_BUFFER_TOO_SMALL);
  const carve::limits tight(4, 4, 1 << 20);
  bgra.limits = &tight;
  CHECK(STATUS(catalog.decode(star, bgra)) == CARVE_OVER_LIMIT);
  CHECK(value(catalog.draw_sliced(star, 10, 16)).bytes.size() == 640);
  const carve::color accent = value(catalog.color_of(*view.find("Accent", carve::kind::color)));
  CHECK(accent.red == 0.25 && accent.green == 0.5 && accent.blue == 0.75 && !accent.system());
  CHECK(STATUS(catalog.color_of(star)) == CARVE_WRONG_CONTENT);
  const carve::rendition level = *view.find("Level", carve::kind::data);
  const std::vector<std::uint8_t> data = value(catalog.file_of(level));
  CHECK(std::string(data.begin(), data.end()) == "level data");
  CHECK(STATUS(catalog.file_of(level, 9)) == CARVE_OVER_LIMIT);
  CHECK(!value(catalog.type_of(level)) && value(catalog.orientation_of(level)) == 1);
  (void)value(catalog.stored_name(level));
  // A JPEG file is decoded: its upper left quarter is red.
  const carve::pixels photo = value(catalog.decode(*view.find("Photo")));
  CHECK(photo.width == 16 && photo.bytes[0] > 245 && photo.bytes[1] < 10 && photo.bytes[3] == 255);
}

static void decode_in_a_row(const carve::catalog &catalog) {
  const carve::view view = view_of(catalog, "");
  carve::decoder decoder = value(carve::decoder::make(catalog));
  for (const char *name : {"SpriteA", "SpriteB", "SpriteA"}) {
    const carve::rendition sprite = *view.find(name);
    CHECK(value(decoder.decode(sprite)).bytes == value(catalog.decode(sprite)).bytes);
    CHECK(value(decoder.draw_sliced(sprite, 9, 7)).bytes ==
          value(catalog.draw_sliced(sprite, 9, 7)).bytes);
  }
  const carve::rendition sprite = *view.find("SpriteA");
  CHECK(STATUS(decoder.draw_vector(sprite, 4, 4)) == CARVE_WRONG_CONTENT);
  CHECK(STATUS(catalog.draw_vector(sprite, 4, 4)) == CARVE_WRONG_CONTENT);
  CHECK(STATUS(catalog.page_of(sprite)) == CARVE_WRONG_CONTENT);
  CHECK(STATUS(carve::decoder::make(carve::catalog())) == CARVE_BAD_ARGUMENT);
}

static void open_otherwise(const char *path) {
  CHECK(STATUS(carve::catalog::open("/does/not/exist")) == CARVE_SYSTEM && errno == ENOENT);
  CHECK(STATUS(carve::catalog::open(std::string("a\0b", 3))) == CARVE_BAD_ARGUMENT);
  CHECK(STATUS(carve::catalog::open_descriptor(-1)) == CARVE_SYSTEM);
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  carve::view view;
  {
    const carve::catalog copy = value(carve::catalog::copy(bytes));
    view = value(copy.view_for(carve::traits()));
  }
  // The view keeps the catalogue open.
  CHECK(view.find("Plain"));
  CHECK(value(carve::catalog::lend(bytes)).asset_count() == 8);
  CHECK(STATUS(carve::catalog::lend({bytes.data(), 10})) == CARVE_FORMAT);
#if __cplusplus >= 202002L
  const std::span<const std::uint8_t> whole(bytes);
  CHECK(value(carve::catalog::copy(whole)).asset_count() == 8);
  const std::span<const std::uint8_t> back = carve::span<const std::uint8_t>(bytes);
  CHECK(back.data() == bytes.data() && back.size() == bytes.size());
#endif
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const carve::catalog catalog = value(carve::catalog::open(argv[1]));
  CHECK(catalog.uses_index());
  look_up(catalog);
  list(catalog);
  read_contents(catalog);
  decode_in_a_row(catalog);
  open_otherwise(argv[1]);
  // A catalogue that was not opened.
  CHECK(carve::catalog().asset_count() == 0 && !carve::catalog().uses_index());
  CHECK(STATUS(carve::catalog().view_for(carve::traits())) == CARVE_BAD_ARGUMENT);
  if (failures == 0) std::puts("fine");
  return failures != 0;
}
