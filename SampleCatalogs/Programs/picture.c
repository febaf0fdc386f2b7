// Prints the variant of an asset for given traits, and writes its picture as a PAM file.
//
//     picture Assets.car NAME [TRAITS] [-w WIDTH] [-o FILE.pam]
//     picture Assets.car Star scale=2,style=dark -o star.pam
//     picture Assets.car Bell -w 640 -o bell.pam
//
// With -w, the vector that the archive keeps of the picture is drawn at this width.
#include <carve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"image", "color", "data", "symbol", "icon"};
static const char *const contents[] = {"nothing to show", "bitmap", "bitmap in an atlas", "color",
                                       "data", "JPEG", "HEIF", "PDF", "SVG"};

static int fail(const carve_error *error) {
  fprintf(stderr, "picture: %s\n", error->message);
  return 1;
}

// The colours of PAM files are not premultiplied.
static void write_pam(FILE *file, unsigned char *pixels, uint32_t width, uint32_t height) {
  fprintf(file, "P7\nWIDTH %u\nHEIGHT %u\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", width,
          height);
  for (size_t i = 0; i < (size_t)width * height; i++) {
    unsigned char *pixel = pixels + 4 * i;
    for (int channel = 0; channel < 3 && pixel[3]; channel++)
      pixel[channel] = (unsigned char)((pixel[channel] * 255 + pixel[3] / 2) / pixel[3]);
  }
  fwrite(pixels, 4, (size_t)width * height, file);
}

static int write_picture(carve_catalog *catalog, const carve_rendition *found, const char *path) {
  carve_error error;
  size_t stride = (size_t)found->pixel_width * 4, size = stride * found->pixel_height;
  unsigned char *pixels = malloc(size ? size : 1);
  FILE *file = NULL;
  int status = pixels == NULL;
  if (pixels && carve_decode(catalog, found, CARVE_RGBA8, CARVE_SRGB, pixels, size, stride, NULL,
                             &error) != CARVE_OK)
    status = fail(&error);
  if (!status && !(file = fopen(path, "wb"))) {
    perror(path);
    status = 1;
  }
  if (!status) write_pam(file, pixels, found->pixel_width, found->pixel_height);
  if (file && fclose(file) != 0) status = 1;
  free(pixels);
  return status;
}

// Draws a vector at a width; the height follows from its page.
static int write_vector(carve_catalog *catalog, const carve_rendition *found, uint32_t width,
                        const char *path) {
  carve_error error;
  carve_vector page = {.size = sizeof page};
  if (carve_get_vector(catalog, found, &page, NULL, &error) != CARVE_OK) return fail(&error);
  double share = page.width > 0 ? page.height / page.width : 1;
  uint32_t height = (uint32_t)(width * share + 0.5);
  if (height == 0) height = 1;
  size_t stride = (size_t)width * 4, size = stride * height;
  unsigned char *pixels = malloc(size);
  FILE *file = NULL;
  int status = pixels == NULL;
  if (pixels && carve_draw_vector(catalog, found, CARVE_RGBA8, CARVE_SRGB, width, height, NULL, pixels,
                                  size, stride, NULL, &error) != CARVE_OK)
    status = fail(&error);
  if (!status && !(file = fopen(path, "wb"))) {
    perror(path);
    status = 1;
  }
  if (!status) write_pam(file, pixels, width, height);
  if (file && fclose(file) != 0) status = 1;
  free(pixels);
  return status;
}

static void print(carve_catalog *catalog, const char *name, int kind, const carve_rendition *found) {
  carve_color color = {.size = sizeof color};
  size_t size;
  printf("%s (%s): %s", name, kinds[kind], contents[found->content]);
  if (found->pixel_width) printf(", %ux%u pixels", found->pixel_width, found->pixel_height);
  if (found->scale) printf(" at %dx", found->scale);
  if (found->mirrored) printf(", mirrored");
  if (found->template_intent == CARVE_TEMPLATE_TEMPLATE) printf(", template");
  if (found->inset_top != 0 || found->inset_left != 0 || found->inset_bottom != 0 ||
      found->inset_right != 0)
    printf(", insets %g %g %g %g", found->inset_top, found->inset_left, found->inset_bottom,
           found->inset_right);
  if (found->slicing)
    printf(", caps %g %g %g %g", found->cap_top, found->cap_left, found->cap_bottom,
           found->cap_right);
  if (carve_get_color(catalog, found, &color, NULL) == CARVE_OK)
    printf(", %g %g %g, alpha %g", color.red, color.green, color.blue, color.alpha);
  if (carve_file_size(catalog, found, &size, NULL) == CARVE_OK) printf(", %zu bytes", size);
  printf("\n");
}

int main(int argc, char **argv) {
  const char *output = NULL, *text = "";
  carve_catalog *catalog = NULL;
  carve_view *view = NULL;
  carve_traits traits;
  carve_error error;
  int found = 0, status = 0;
  uint32_t width = 0;

  if (argc < 3) {
    fprintf(stderr, "usage: picture ARCHIVE NAME [TRAITS] [-w WIDTH] [-o FILE.pam]\n");
    return 2;
  }
  for (int i = 3; i < argc; i++) {
    if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) output = argv[++i];
    else if (strcmp(argv[i], "-w") == 0 && i + 1 < argc)
      width = (uint32_t)strtoul(argv[++i], NULL, 10);
    else text = argv[i];
  }
  if (carve_open(argv[1], &catalog, &error) != CARVE_OK) return fail(&error);
  if (carve_traits_parse(text, &traits, sizeof traits, &error) != CARVE_OK ||
      carve_view_for(catalog, &traits, &view, &error) != CARVE_OK)
    status = fail(&error);
  for (int kind = CARVE_IMAGE; !status && kind <= CARVE_ICON; kind++) {
    carve_rendition rendition = {.size = sizeof rendition};
    size_t length = strlen(argv[2]);
    if ((width ? carve_find_vector : carve_find)(view, argv[2], length, kind, &rendition) != CARVE_OK)
      continue;
    found = 1;
    print(catalog, argv[2], kind, &rendition);
    int has_pixels = rendition.content == CARVE_CONTENT_BITMAP ||
                     rendition.content == CARVE_CONTENT_ATLAS_BITMAP ||
                     rendition.content == CARVE_CONTENT_JPEG;
    if (output && width) status = write_vector(catalog, &rendition, width, output);
    if (output && !width && has_pixels) status = write_picture(catalog, &rendition, output);
  }
  if (!status && !found) {
    fprintf(stderr, "picture: there is no %s for these traits\n", argv[2]);
    status = 1;
  }
  carve_view_close(view);
  carve_close(catalog);
  return status;
}
