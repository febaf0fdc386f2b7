/* Tests symbols through carve.h, and all facts of a catalogue except pixels: sizes on the screen,
 * names of files, languages, why a lookup finds nothing, traits of devices. CInterfaceTests.swift
 * makes the archive. */
#include <carve.h>
#include "check.h"
#include <stdio.h>
#include <string.h>

static carve_view *view_of(carve_catalog *catalog, const char *text) {
  carve_traits traits;
  carve_view *view = NULL;
  CHECK(carve_traits_parse(text, &traits, sizeof traits, NULL) == CARVE_OK);
  CHECK(carve_view_for(catalog, &traits, &view, NULL) == CARVE_OK);
  return view;
}

static void draw_symbols(carve_catalog *catalog, carve_view *view) {
  carve_rendition drawing = {.size = sizeof drawing};
  carve_symbol regular = {.size = sizeof regular}, bold = {.size = sizeof bold};
  carve_symbol_style style = {.size = sizeof style, .symbol_size = CARVE_SYMBOL_SMALL, .weight = 7,
                              .point_size = 100};
  carve_color green = {.size = sizeof green, .space = 1, .green = 1, .alpha = 1};
  carve_decoder *decoder = NULL;
  carve_error error = {0};
  unsigned char alone[4 * 4 * 4], kept[4 * 4 * 4];

  CHECK(carve_find_symbol(view, "Sign", 4, 9, CARVE_SYMBOL_SMALL, &drawing) == CARVE_OK);
  CHECK(drawing.content == CARVE_CONTENT_SVG);
  CHECK(carve_find_symbol(view, "Sign", 4, 8, CARVE_SYMBOL_SMALL, &drawing) == CARVE_NONE);
  CHECK(carve_get_symbol(view, "Sign", 4, NULL, &regular, NULL, &error) == CARVE_OK);
  CHECK(carve_get_symbol(view, "Sign", 4, &style, &bold, NULL, &error) == CARVE_OK);
  CHECK(bold.is_exact == 0 && bold.is_interpolated == 1 && bold.width > 59 && bold.width < 61);
  CHECK(bold.template_version == 5 && regular.width > 0 && regular.cap_height > 0);
  CHECK(carve_get_symbol(view, "None", 4, NULL, &regular, NULL, &error) == CARVE_NONE);
  CHECK(error.status == CARVE_NONE && strcmp(error.message, "no such symbol") == 0);

  CHECK(carve_draw_symbol(view, "Sign", 4, &style, CARVE_RGBA8, CARVE_SRGB, 4, 4, &green, alone,
                          sizeof alone, 16, NULL, &error) == CARVE_OK);
  CHECK(alone[0] == 0 && alone[1] == 255 && alone[2] == 0 && alone[3] == 255);
  CHECK(carve_decoder_create(catalog, &decoder, &error) == CARVE_OK);
  for (int round = 0; round < 2; round++) {
    memset(kept, 7, sizeof kept);
    CHECK(carve_decoder_draw_symbol(decoder, view, "Sign", 4, &style, CARVE_RGBA8, CARVE_SRGB, 4, 4,
                                    &green, kept, sizeof kept, 16, NULL, &error) == CARVE_OK);
    CHECK(memcmp(alone, kept, sizeof kept) == 0);
  }
  CHECK(carve_decoder_draw_symbol(decoder, view, "None", 4, &style, CARVE_RGBA8, CARVE_SRGB, 4, 4, NULL,
                                  kept, sizeof kept, 16, NULL, &error) == CARVE_NONE);
  CHECK(carve_decoder_draw_symbol(NULL, view, "Sign", 4, &style, CARVE_RGBA8, CARVE_SRGB, 4, 4, NULL,
                                  kept, sizeof kept, 16, NULL, &error) == CARVE_BAD_ARGUMENT);
  style.weight = 10;
  CHECK(carve_decoder_draw_symbol(decoder, view, "Sign", 4, &style, CARVE_RGBA8, CARVE_SRGB, 4, 4, NULL,
                                  kept, sizeof kept, 16, NULL, &error) == CARVE_BAD_ARGUMENT);
  carve_decoder_close(decoder);
}

static void tell(carve_catalog *catalog, carve_view *view) {
  carve_rendition word = {.size = sizeof word}, sign = {.size = sizeof sign};
  carve_error error = {0};
  char name[32];
  size_t length = 0;
  double width = 0, height = 0;
  uint16_t number = 0;

  CHECK(carve_find(view, "Word", 4, CARVE_IMAGE, &word) == CARVE_OK);
  CHECK(carve_point_size(&word, &width, &height) == CARVE_OK && width == 5 && height == 3);
  CHECK(carve_find(view, "Sign", 4, CARVE_SYMBOL, &sign) == CARVE_OK);
  CHECK(carve_point_size(NULL, &width, &height) == CARVE_BAD_ARGUMENT);
  CHECK(carve_stored_name(catalog, &word, name, sizeof name, &length, &error) == CARVE_OK);
  CHECK(strcmp(name, "a.png") == 0 && length == 5);
  CHECK(carve_stored_name(catalog, &word, NULL, 0, &length, &error) == CARVE_OK && length == 5);
  CHECK(carve_stored_name(catalog, &word, name, 5, &length, &error) == CARVE_BUFFER_TOO_SMALL);
  CHECK(error.status == CARVE_BUFFER_TOO_SMALL && length == 5);

  CHECK(carve_localization_count(catalog) == 1 && carve_localization_count(NULL) == 0);
  CHECK(carve_localization_at(catalog, 0, &number, name, sizeof name, &length) == CARVE_OK);
  CHECK(strcmp(name, "de") == 0 && length == 2 && number == carve_language("de"));
  CHECK(carve_localization_at(catalog, 1, &number, name, sizeof name, &length) == CARVE_NONE);

  CHECK(carve_obstacle(view, "Word", 4, CARVE_IMAGE) == CARVE_OBSTACLE_NONE);
  CHECK(carve_obstacle(view, "Wort", 4, CARVE_IMAGE) == CARVE_OBSTACLE_NAME);
  CHECK(carve_obstacle(view, "Word", 4, 99) == CARVE_OBSTACLE_ARGUMENT);
  CHECK(strcmp(carve_obstacle_text(CARVE_OBSTACLE_GAMUT), "gamut") == 0);
  CHECK(strcmp(carve_color_space_name(3), "Display P3") == 0);
  CHECK(strcmp(carve_color_space_name(77), "unknown") == 0);
}

static void ask_for_devices(void) {
  carve_traits phone, half;
  carve_error error = {0};
  CHECK(carve_traits_for_device("iPhone15,2", NULL, NULL, &phone, sizeof phone, &error) == CARVE_OK);
  CHECK(phone.size == sizeof phone && phone.idiom == CARVE_IDIOM_PHONE && phone.scale == 3);
  CHECK(phone.gamut == CARVE_GAMUT_P3 && phone.width_class == CARVE_CLASS_COMPACT);
  CHECK(carve_traits_for_device("iPad Air 2", "split-1/2", "landscape", &half, sizeof half, &error) ==
        CARVE_OK);
  CHECK(half.idiom == CARVE_IDIOM_PAD && half.width_class == CARVE_CLASS_COMPACT && half.scale == 2);
  CHECK(carve_traits_for_device("iPhone15,2", "split-1/2", NULL, &half, sizeof half, &error) ==
        CARVE_BAD_ARGUMENT);
  CHECK(strstr(error.message, "full") != NULL);
  CHECK(carve_traits_for_device("iPhone1", NULL, NULL, &half, sizeof half, &error) == CARVE_BAD_ARGUMENT);
  CHECK(strstr(error.message, "iPhone1") != NULL);
  CHECK(carve_traits_for_device("iPad5,3", "full", "upside", &half, sizeof half, &error) ==
        CARVE_BAD_ARGUMENT);
}

int main(int argc, char **argv) {
  carve_catalog *catalog = NULL;
  carve_error error = {0};
  if (argc != 2 || carve_open(argv[1], &catalog, NULL) != CARVE_OK) return 2;
  carve_view *view = view_of(catalog, "scale=2");
  draw_symbols(catalog, view);
  tell(catalog, view);
  ask_for_devices();
  carve_view_close(view);
  carve_close(catalog);
  CHECK(carve_open("/no/such/Assets.car", &catalog, &error) == CARVE_SYSTEM);
  CHECK(strstr(error.message, "/no/such/Assets.car: ") == error.message);
  if (failures == 0) puts("fine");
  return failures != 0;
}
