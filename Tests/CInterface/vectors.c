/* Tests vectors through carve.h: sizes, pixels, tints, errors. DRAWS is 0 for the library without
 * vectors. */
#include <carve.h>
#include "check.h"
#include <stdio.h>
#include <string.h>

static carve_rendition found(carve_view *view, const char *name) {
  carve_rendition rendition = {.size = sizeof rendition};
  CHECK(carve_find(view, name, strlen(name), CARVE_IMAGE, &rendition) == CARVE_OK);
  CHECK(rendition.scale == 0 || rendition.scale == 1);
  return rendition;
}

static void draw(carve_catalog *catalog, carve_view *view, carve_decoder *decoder) {
  carve_rendition flag = found(view, "Flag"), square = found(view, "Square");
  carve_rendition broken = found(view, "Broken");
  carve_vector page = {.size = sizeof page};
  carve_color green = {.size = sizeof green, .space = 1, .green = 1, .alpha = 1};
  carve_error error = {0};
  unsigned char pixels[8 * 4 * 4], same[8 * 4 * 4];

  CHECK(flag.content == CARVE_CONTENT_SVG && square.content == CARVE_CONTENT_PDF);
  CHECK(carve_get_vector(catalog, &flag, &page, NULL, &error) == CARVE_OK);
  CHECK(page.size == sizeof page && page.is_complete == 1 && page.width == 4 && page.height == 2);
  CHECK(page.pixel_width == 4 && page.pixel_height == 2);
  CHECK(carve_get_vector(catalog, &square, &page, NULL, &error) == CARVE_OK);
  CHECK(page.width == 3.4 && page.pixel_width == 3 && page.pixel_height == 2);

  CHECK(carve_draw_vector(catalog, &flag, CARVE_RGBA8, CARVE_SRGB, 8, 4, NULL, pixels, sizeof pixels, 32,
                          NULL, &error) == CARVE_OK);
  CHECK(pixels[0] == 255 && pixels[1] == 0 && pixels[2] == 0 && pixels[3] == 255);
  CHECK(pixels[3 * 32 + 3] == 0 && pixels[7 * 4 + 2] > 120 && pixels[7 * 4 + 3] < 130);
  for (int round = 0; round < 2; round++) {
    memset(same, 7, sizeof same);
    CHECK(carve_decoder_draw_vector(decoder, &flag, CARVE_RGBA8, CARVE_SRGB, 8, 4, NULL, same,
                                    sizeof same, 32, NULL, &error) == CARVE_OK);
    CHECK(memcmp(pixels, same, sizeof pixels) == 0);
  }
  CHECK(carve_draw_vector(catalog, &flag, CARVE_RGBA8, CARVE_SRGB, 8, 4, &green, pixels, sizeof pixels, 32,
                          NULL, &error) == CARVE_OK);
  CHECK(pixels[0] == 0 && pixels[1] == 255 && pixels[2] == 0 && pixels[3] == 255);
  CHECK(carve_decode(catalog, &square, CARVE_BGRA8, CARVE_SRGB, pixels, 24, 12, NULL, &error) == CARVE_OK);
  CHECK(pixels[12] == 0 && pixels[13] == 255 && pixels[15] == 255 && pixels[0] == 0);

  green.space = 99;
  CHECK(carve_draw_vector(catalog, &flag, CARVE_RGBA8, CARVE_SRGB, 8, 4, &green, pixels, sizeof pixels, 32,
                          NULL, &error) == CARVE_BAD_ARGUMENT);
  CHECK(carve_draw_vector(catalog, &flag, CARVE_RGBA8, CARVE_SRGB, 8, 5, NULL, pixels, sizeof pixels, 32,
                          NULL, &error) == CARVE_BUFFER_TOO_SMALL);
  CHECK(carve_draw_vector(catalog, &flag, CARVE_RGBA8, CARVE_SRGB, 20000, 1, NULL, pixels, sizeof pixels,
                          32, NULL, &error) == CARVE_OVER_LIMIT);
  CHECK(carve_draw_vector(catalog, &broken, CARVE_RGBA8, CARVE_SRGB, 8, 4, NULL, pixels, sizeof pixels, 32,
                          NULL, &error) == CARVE_BAD_VECTOR);
  CHECK(strstr(error.message, "vector") != NULL);
}

static void refuse(carve_catalog *catalog, carve_view *view, carve_decoder *decoder) {
  carve_rendition flag = found(view, "Flag");
  carve_vector page = {.size = sizeof page};
  carve_error error = {0};
  unsigned char pixels[32], text[512];
  size_t size = 0;
  CHECK(carve_get_vector(catalog, &flag, &page, NULL, &error) == CARVE_UNSUPPORTED);
  CHECK(strstr(error.message, "without") != NULL);
  CHECK(carve_draw_vector(catalog, &flag, CARVE_RGBA8, CARVE_SRGB, 4, 2, NULL, pixels, 32, 16, NULL,
                          &error) == CARVE_UNSUPPORTED);
  CHECK(carve_decoder_draw_vector(decoder, &flag, CARVE_RGBA8, CARVE_SRGB, 4, 2, NULL, pixels, 32, 16,
                                  NULL, &error) == CARVE_UNSUPPORTED);
  CHECK(carve_decode(catalog, &flag, CARVE_RGBA8, CARVE_SRGB, pixels, 32, 16, NULL, &error) ==
        CARVE_UNSUPPORTED);
  CHECK(carve_file_size(catalog, &flag, &size, &error) == CARVE_OK && size < sizeof text);
  CHECK(carve_read_file(catalog, &flag, text, sizeof text, &error) == CARVE_OK && text[0] == '<');
}

int main(int argc, char **argv) {
  carve_catalog *catalog = NULL;
  carve_view *view = NULL;
  carve_decoder *decoder = NULL;
  carve_traits traits;
  if (argc != 2 || carve_open(argv[1], &catalog, NULL) != CARVE_OK) return 2;
  carve_traits_init(&traits, sizeof traits);
  CHECK(carve_view_for(catalog, &traits, &view, NULL) == CARVE_OK);
  CHECK(carve_decoder_create(catalog, &decoder, NULL) == CARVE_OK);
  (DRAWS ? draw : refuse)(catalog, view, decoder);
  carve_decoder_close(decoder);
  carve_view_close(view);
  carve_close(catalog);
  if (failures == 0) puts("fine");
  return failures != 0;
}
