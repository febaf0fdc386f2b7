// Calls from C every function that carve.h had in its first release, on the archive of
// CInterfaceTests.swift. The program is also built with the header of that release;
// HeaderTests.swift calls the newer functions.
#include <carve.h>

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static carve_view *view_of(carve_catalog *catalog, const char *text) {
  carve_traits traits;
  carve_error error;
  carve_view *view = NULL;
  CHECK(carve_traits_parse(text, &traits, sizeof traits, &error) == CARVE_OK);
  CHECK(carve_view_for(catalog, &traits, &view, &error) == CARVE_OK);
  return view;
}

static void look_up(carve_catalog *catalog) {
  carve_view *light = view_of(catalog, "scale=2"), *dark = view_of(catalog, "scale=2,style=dark");
  carve_rendition a = {.size = sizeof a}, b = {.size = sizeof b};
  uint64_t ids[8], star = carve_id(catalog, "Group/Star", 10, CARVE_IMAGE);
  size_t count = 0;

  CHECK(carve_find(light, "Group/Star", 10, CARVE_IMAGE, &a) == CARVE_OK);
  CHECK(a.pixel_width == 8 && a.pixel_height == 3 && a.scale == 2 && !a.mirrored);
  CHECK(a.content == CARVE_CONTENT_BITMAP && a.template_intent == CARVE_TEMPLATE_AUTOMATIC);
  CHECK(carve_find_id(light, star, &b) == CARVE_OK && b.number == a.number);
  CHECK(carve_choice(light, star) == a.number && carve_choice(dark, star) != a.number);
  CHECK(carve_find(light, "Group/Stars", 11, CARVE_IMAGE, &a) == CARVE_NONE);
  CHECK(carve_find(light, "Group/Star", 10, CARVE_COLOR, &a) == CARVE_NONE);
  CHECK(carve_find(light, NULL, 0, CARVE_IMAGE, &a) == CARVE_NONE);
  CHECK(carve_find(light, NULL, 3, CARVE_IMAGE, &a) == CARVE_BAD_ARGUMENT);
  CHECK(carve_find(light, "Group/Star", 10, 99, &a) == CARVE_BAD_ARGUMENT);
  a.size = 8;
  CHECK(carve_find(light, "Group/Star", 10, CARVE_IMAGE, &a) == CARVE_BAD_ARGUMENT);
  CHECK(carve_id(catalog, "nothing", 7, CARVE_IMAGE) == 0);
  CHECK(carve_id_of_name("Group/Star", 10, CARVE_IMAGE) == star);
  CHECK(carve_id_of_name("Group/Star", 10, CARVE_COLOR) != star);
  CHECK(carve_id_of_name("Group/Star", 10, 99) == 0);
  CHECK(carve_id_of_name(NULL, 1, CARVE_IMAGE) == 0);
  CHECK(carve_choice(light, 12345) == UINT32_MAX && carve_choice(NULL, star) == UINT32_MAX);
  CHECK(carve_transition(light, dark, ids, 8, &count) == CARVE_OK && count == 2);
  CHECK(carve_transition(light, dark, NULL, 0, &count) == CARVE_OK && count == 2);
  CHECK(carve_transition(light, light, ids, 8, &count) == CARVE_OK && count == 0);
  carve_view_close(light);
  carve_view_close(dark);
  carve_view_close(NULL);
}

static void read_contents(carve_catalog *catalog) {
  carve_view *view = view_of(catalog, "scale=2,direction=rtl");
  carve_rendition found = {.size = sizeof found};
  carve_color color = {.size = sizeof color};
  carve_limits tight = {.size = sizeof tight, .width = 4, .height = 4, .scratch_bytes = 1 << 20};
  carve_error error = {0};
  unsigned char pixels[40 * 16], text[64];
  size_t size = 0;

  CHECK(carve_find(view, "Group/Star", 10, CARVE_IMAGE, &found) == CARVE_OK);
  CHECK(carve_decode(catalog, &found, CARVE_BGRA8, CARVE_SRGB, pixels, 96, 32, NULL, &error) == CARVE_OK);
  CHECK(pixels[0] == 14 && pixels[1] == 6 && pixels[2] == 2 && pixels[3] == 255);
  CHECK(carve_decode(catalog, &found, CARVE_RGBA8, CARVE_SRGB, pixels, 96, 32, NULL, &error) == CARVE_OK);
  CHECK(pixels[0] == 2 && pixels[1] == 6 && pixels[2] == 14);
  CHECK(carve_decode(catalog, &found, CARVE_BGRA8, CARVE_SRGB, pixels, 95, 32, NULL, &error) ==
        CARVE_BUFFER_TOO_SMALL);
  CHECK(error.status == CARVE_BUFFER_TOO_SMALL && strlen(error.message) > 10);
  CHECK(carve_decode(catalog, &found, CARVE_BGRA8, CARVE_SRGB, pixels, 96, 32, &tight, &error) ==
        CARVE_OVER_LIMIT);
  CHECK(carve_decode(catalog, &found, 77, CARVE_SRGB, pixels, 96, 32, NULL, NULL) ==
        CARVE_BAD_ARGUMENT);
  CHECK(carve_draw_sliced(catalog, &found, CARVE_BGRA8, CARVE_SRGB, 10, 16, pixels, sizeof pixels,
                          40, NULL, &error) == CARVE_OK);
  CHECK(carve_get_color(catalog, &found, &color, &error) == CARVE_WRONG_CONTENT);
  CHECK(carve_find(view, "Arrow", 5, CARVE_IMAGE, &found) == CARVE_OK && found.mirrored == 1);
  CHECK(carve_find(view, "Accent", 6, CARVE_COLOR, &found) == CARVE_OK);
  CHECK(carve_get_color(catalog, &found, &color, &error) == CARVE_OK);
  CHECK(color.space == 1 && color.red == 0.25 && color.green == 0.5 && color.blue == 0.75);
  CHECK(carve_find(view, "Level", 5, CARVE_DATA, &found) == CARVE_OK);
  CHECK(carve_file_size(catalog, &found, &size, &error) == CARVE_OK && size == 10);
  CHECK(carve_read_file(catalog, &found, text, sizeof text, &error) == CARVE_OK);
  CHECK(memcmp(text, "level data", 10) == 0);
  CHECK(carve_read_file(catalog, &found, text, 9, &error) == CARVE_BUFFER_TOO_SMALL);
  found.number = 1000000;
  CHECK(carve_file_size(catalog, &found, &size, &error) == CARVE_NO_RENDITION);
  CHECK(carve_pixel_size(CARVE_BGRA8) == 4 && carve_pixel_size(CARVE_RGBA16F) == 8 &&
        carve_pixel_size(-1) == 0);
  carve_view_close(view);
}

static void decode_from_one_atlas(carve_catalog *catalog) {
  static const char *names[] = {"SpriteA", "SpriteB", "SpriteA"};
  carve_traits traits;
  carve_view *view = NULL;
  carve_decoder *decoder = NULL;
  carve_rendition found = {.size = sizeof found};
  carve_error error;
  unsigned char alone[128], kept[128];
  carve_traits_init(&traits, sizeof traits);
  CHECK(carve_view_for(catalog, &traits, &view, &error) == CARVE_OK);
  CHECK(carve_decoder_create(catalog, &decoder, &error) == CARVE_OK);
  for (int i = 0; i < 3; i++) {
    memset(alone, 0, sizeof alone);
    memset(kept, 0, sizeof kept);
    CHECK(carve_find(view, names[i], 7, CARVE_IMAGE, &found) == CARVE_OK);
    CHECK(found.content == CARVE_CONTENT_ATLAS_BITMAP);
    CHECK(carve_decode(catalog, &found, CARVE_BGRA8, CARVE_SRGB, alone, sizeof alone, 20, NULL,
                       &error) == CARVE_OK);
    CHECK(carve_decoder_decode(decoder, &found, CARVE_BGRA8, CARVE_SRGB, kept, sizeof kept, 20, NULL,
                               &error) == CARVE_OK);
    CHECK(memcmp(alone, kept, sizeof kept) == 0);
    CHECK(carve_draw_sliced(catalog, &found, CARVE_RGBA8, CARVE_SRGB, 6, 4, alone, sizeof alone, 24,
                            NULL, &error) == CARVE_OK);
    CHECK(carve_decoder_draw_sliced(decoder, &found, CARVE_RGBA8, CARVE_SRGB, 6, 4, kept, sizeof kept,
                                    24, NULL, &error) == CARVE_OK);
    CHECK(memcmp(alone, kept, 96) == 0);
  }
  CHECK(carve_decoder_decode(NULL, &found, CARVE_BGRA8, CARVE_SRGB, kept, sizeof kept, 20, NULL,
                             NULL) == CARVE_BAD_ARGUMENT);
  CHECK(carve_decoder_draw_sliced(decoder, &found, 77, CARVE_SRGB, 6, 4, kept, sizeof kept, 24, NULL,
                                  &error) == CARVE_BAD_ARGUMENT);
  CHECK(carve_decoder_draw_sliced(NULL, &found, CARVE_RGBA8, CARVE_SRGB, 6, 4, kept, sizeof kept, 24,
                                  NULL, &error) == CARVE_BAD_ARGUMENT);
  CHECK(strstr(error.message, "decoder") != NULL);
  carve_decoder_close(decoder);
  carve_decoder_close(NULL);
  carve_view_close(view);
}

static void list(carve_catalog *catalog) {
  static const char *names[] = {"Accent", "Arrow", "Group/Star", "Level", "Plain", "SpriteA", "SpriteB"};
  carve_asset asset = {.size = sizeof asset};
  carve_key key = {.size = sizeof key};
  carve_rendition rendition = {.size = sizeof rendition};
  CHECK(carve_asset_count(catalog) == 7);
  for (size_t place = 0; place < 7; place++) {
    CHECK(carve_asset_at(catalog, place, &asset) == CARVE_OK);
    CHECK(asset.name_length == strlen(names[place]));
    CHECK(memcmp(asset.name, names[place], asset.name_length) == 0);
    CHECK(asset.id == carve_id(catalog, asset.name, asset.name_length, asset.kind));
    for (size_t variant = 0; variant < asset.variant_count; variant++) {
      CHECK(carve_variant_at(catalog, asset.id, variant, &key, &rendition) == CARVE_OK);
      CHECK(asset.kind != CARVE_IMAGE || key.scale == rendition.scale);
    }
    CHECK(carve_variant_at(catalog, asset.id, asset.variant_count, NULL, &rendition) == CARVE_NONE);
  }
  CHECK(carve_asset_at(catalog, 7, &asset) == CARVE_NONE);
  CHECK(carve_asset_at(catalog, SIZE_MAX, &asset) == CARVE_NONE);
}

static void open_otherwise(const char *path) {
  carve_catalog *catalog = (carve_catalog *)1;
  carve_error error;
  carve_view *view;
  static unsigned char bytes[1 << 20];
  int descriptor = open(path, O_RDONLY);
  ssize_t length = read(descriptor, bytes, sizeof bytes);

  CHECK(carve_open("/does/not/exist", &catalog, &error) == CARVE_SYSTEM && catalog == NULL);
  CHECK(errno == ENOENT);
  CHECK(carve_open("/", &catalog, &error) == CARVE_NOT_A_FILE);
  CHECK(carve_open("/dev/null", &catalog, &error) == CARVE_NOT_A_FILE);
  CHECK(carve_open(NULL, &catalog, NULL) == CARVE_BAD_ARGUMENT);
  CHECK(carve_open_bytes("no archive", 10, 0, &catalog, &error) == CARVE_FORMAT);
  CHECK(strstr(error.message, "header") != NULL);
  CHECK(carve_open_descriptor(descriptor, &catalog, &error) == CARVE_OK);
  close(descriptor);
  // A view keeps its catalogue alive.
  view = view_of(catalog, "scale=1");
  carve_close(catalog);
  carve_rendition found = {.size = sizeof found};
  CHECK(carve_find(view, "Plain", 5, CARVE_IMAGE, &found) == CARVE_OK);
  carve_view_close(view);
  for (int lend = 0; lend < 2; lend++) {
    CHECK(carve_open_bytes(bytes, (size_t)length, lend, &catalog, &error) == CARVE_OK);
    list(catalog);
    carve_close(catalog);
  }
  for (size_t cut = 0; cut < (size_t)length; cut += 37)
    if (carve_open_bytes(bytes, cut, 1, &catalog, NULL) == CARVE_OK) carve_close(catalog);
}

int main(int argc, char **argv) {
  carve_catalog *catalog;
  carve_error error;
  carve_traits traits;
  if (argc != 2) return 2;
  if (carve_open(argv[1], &catalog, &error) != CARVE_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  CHECK(carve_uses_index(catalog) == 1);
  carve_traits_init(&traits, sizeof traits);
  CHECK(traits.size == sizeof traits && traits.scale == 1 && traits.direction == CARVE_LEFT_TO_RIGHT);
  traits.style = 200;
  carve_view *none = NULL;
  CHECK(carve_view_for(catalog, &traits, &none, &error) == CARVE_BAD_ARGUMENT && none == NULL);
  CHECK(carve_traits_parse("scale=9000", &traits, sizeof traits, &error) == CARVE_BAD_ARGUMENT);
  CHECK(strstr(error.message, "scale") != NULL);
  CHECK(carve_language("en") != 0 && carve_language("en") != carve_language("de"));
  char numbers[32];
  snprintf(numbers, sizeof numbers, "%d.%d.%d", CARVE_VERSION_MAJOR, CARVE_VERSION_MINOR,
           CARVE_VERSION_PATCH);
  CHECK(strcmp(numbers, CARVE_VERSION) == 0 && carve_version()[0] != 0);
  for (int status = 0; status < 20; status++) CHECK(carve_status_text(status)[0] != 0);
  look_up(catalog);
  read_contents(catalog);
  decode_from_one_atlas(catalog);
  list(catalog);
  open_otherwise(argv[1]);
  carve_close(catalog);
  carve_close(NULL);
  if (failures == 0) puts("fine");
  return failures != 0;
}
