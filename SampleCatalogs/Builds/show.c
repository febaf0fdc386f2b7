// Prints which picture of the catalogue in the program's folder a window of scale 2 shows. The
// samples for make, CMake, Ninja, Meson and Bazel build it with the header that Carve writes.
#include <carve.h>
#include <stdio.h>

#include "assets.h"

int main(int count, char **words) {
  carve_catalog *catalog;
  carve_view *view;
  carve_traits window;
  carve_rendition rocket = {.size = sizeof rocket}, accent = {.size = sizeof accent};
  carve_color color = {.size = sizeof color};
  carve_error error;

  if (carve_open(count > 1 ? words[1] : "Assets.car", &catalog, &error) != CARVE_OK ||
      carve_traits_parse("scale=2", &window, sizeof window, &error) != CARVE_OK ||
      carve_view_for(catalog, &window, &view, &error) != CARVE_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  if (carve_find_id(view, ASSET_IMAGE_ROCKET, &rocket) != CARVE_OK ||
      carve_find_id(view, ASSET_COLOR_ACCENT, &accent) != CARVE_OK ||
      carve_get_color(catalog, &accent, &color, &error) != CARVE_OK)
    return 1;
  printf("Rocket %ux%u, Accent red %.0f\n", rocket.pixel_width, rocket.pixel_height, color.red * 255);
  carve_view_close(view);
  carve_close(catalog);
  return 0;
}
