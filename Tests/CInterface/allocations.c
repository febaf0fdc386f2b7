// Checks the allocations of calls: none if carve.h promises that, and at most the stated size
// otherwise. CInterfaceTests.swift makes the archive.
#include <carve.h>

#include <stdio.h>
#include <string.h>

#include "allocations.h"

enum { CODEC_MEMORY = 53000, MANY = 100 };
static int failures;
static unsigned char pixels[64 * 64 * 8];

static void expect(const char *what, size_t most_calls, size_t most_bytes) {
  if (allocation_count > most_calls || allocation_bytes > most_bytes) {
    fprintf(stderr, "%s: %zu allocations, %zu bytes\n", what, allocation_count, allocation_bytes);
    failures++;
  }
  allocation_count = allocation_bytes = 0;
}

static void check(int32_t status, const char *what) {
  if (status == CARVE_OK) return;
  fprintf(stderr, "%s: %s\n", what, carve_status_text(status));
  failures++;
}

static carve_rendition find(const carve_view *view, const char *name) {
  carve_rendition found = {.size = sizeof found};
  check(carve_find(view, name, strlen(name), CARVE_IMAGE, &found), name);
  return found;
}

static void look_up(const carve_catalog *catalog, const carve_traits *light,
                    const carve_traits *dark, const carve_view *view) {
  carve_rendition found = {.size = sizeof found};
  uint64_t id = carve_id(catalog, "Packed", 6, CARVE_IMAGE);
  expect("carve_id", 0, 0);
  for (int i = 0; i < MANY; i++) check(carve_find(view, "Packed", 6, CARVE_IMAGE, &found), "find");
  for (int i = 0; i < MANY; i++) carve_find(view, "Nothing", 7, CARVE_IMAGE, &found);
  expect("carve_find", 0, 0);
  for (int i = 0; i < MANY; i++) check(carve_find_id(view, id, &found), "find_id");
  expect("carve_find_id", 0, 0);
  for (int i = 0; i < MANY; i++)
    if (carve_choice(view, id) != found.number) failures++;
  expect("carve_choice", 0, 0);
  for (int i = 0; i < MANY; i++) {
    carve_view *known = NULL;
    check(carve_view_for(catalog, i & 1 ? light : dark, &known, NULL), "view_for");
    carve_view_close(known);
  }
  expect("a view known before", 0, 0);
}

static void decode(const carve_catalog *catalog, carve_decoder *decoder, const carve_view *view) {
  static const char *names[] = {"Plain", "Runs", "Packed", "SpriteA", "SpriteB"};
  for (int name = 0; name < 3; name++) {
    carve_rendition found = find(view, names[name]);
    int is_packed = name == 2;
    for (int layout = CARVE_BGRA8; layout <= CARVE_RGBA8; layout++)
      for (int i = 0; i < 2; i++) {
        check(carve_decode(catalog, &found, layout, CARVE_SRGB, pixels, sizeof pixels,
                           found.pixel_width * 4, NULL, NULL), names[name]);
        // In its first call, the library computes tables that it keeps.
        if (i == 0) allocation_count = allocation_bytes = 0;
      }
    expect(names[name], (size_t)is_packed, is_packed ? CODEC_MEMORY : 0);
  }
  for (int round = 0; round < 3; round++) {
    for (int name = 0; name < 5; name++) {
      carve_rendition found = find(view, names[name]);
      for (int layout = CARVE_BGRA8; layout <= CARVE_RGBA16F; layout++)
        for (int space = CARVE_SRGB; space <= CARVE_DISPLAY_P3; space++)
          check(carve_decoder_decode(decoder, &found, layout, space, pixels, sizeof pixels,
                                     found.pixel_width * carve_pixel_size(layout), NULL, NULL),
                names[name]);
    }
    if (round == 0) allocation_count = allocation_bytes = 0;
  }
  expect("a decoder used again", 0, 0);
}

int main(int argc, char **argv) {
  carve_catalog *catalog;
  carve_view *first = NULL, *second = NULL;
  carve_decoder *decoder = NULL;
  carve_traits light, dark;
  if (argc != 2 || carve_open(argv[1], &catalog, NULL) != CARVE_OK) return 2;
  carve_traits_init(&light, sizeof light);
  dark = light;
  dark.style = CARVE_STYLE_DARK;
  check(carve_view_for(catalog, &light, &first, NULL), "view_for");
  check(carve_view_for(catalog, &dark, &second, NULL), "view_for");
  check(carve_decoder_create(catalog, &decoder, NULL), "decoder_create");
  // If no allocation was counted so far, counting does not work.
  if (allocation_count == 0) failures++;
  allocation_count = allocation_bytes = 0;
  look_up(catalog, &light, &dark, first);
  decode(catalog, decoder, first);
  carve_decoder_close(decoder);
  carve_view_close(first);
  carve_view_close(second);
  carve_close(catalog);
  if (failures == 0) puts("fine");
  return failures != 0;
}
