// Simulates in the terminal a window on a tablet: prints which assets change when the tablet is
// rotated or the window is split, slid over or darkened, and how long the decisions take.
//
//     window Assets.car
//
// Keys: r rotate, s split, o slide over, d dark, c contrast, q quit. If standard input is not a
// terminal, each letter of it is a key.
#define _POSIX_C_SOURCE 200809L
#include <carve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  int is_portrait, is_split, is_slid_over, is_dark, is_high;
} state;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Returns the traits of a tablet of 11 inches: narrow windows are compact, heights are always
// regular.
static carve_traits traits_of(state s) {
  carve_traits traits;
  carve_traits_init(&traits, sizeof traits);
  traits.idiom = CARVE_IDIOM_PAD;
  traits.scale = 2;
  traits.gamut = CARVE_GAMUT_P3;
  traits.height_class = CARVE_CLASS_REGULAR;
  int is_narrow = s.is_slid_over || s.is_split;
  traits.width_class = is_narrow ? CARVE_CLASS_COMPACT : CARVE_CLASS_REGULAR;
  traits.style = s.is_dark ? CARVE_STYLE_DARK : CARVE_STYLE_LIGHT;
  traits.contrast = s.is_high ? CARVE_CONTRAST_HIGH : CARVE_CONTRAST_NORMAL;
  return traits;
}

static void draw(state s) {
  int width = s.is_portrait ? 22 : 32, height = s.is_portrait ? 9 : 6;
  int ours = s.is_slid_over ? 10 : s.is_split ? width / 2 : width;
  int start = s.is_slid_over ? width - ours : 0;
  for (int y = 0; y < height; y++) {
    printf("  |");
    for (int x = 0; x < width; x++)
      putchar(x >= start && x < start + ours ? (s.is_dark ? '#' : ':') : ' ');
    printf("|\n");
  }
}

static void print_changes(carve_catalog *catalog, const uint64_t *ids, size_t count) {
  size_t shown = 0;
  carve_asset asset = {.size = sizeof asset};
  for (size_t place = 0; place < carve_asset_count(catalog) && shown < 12; place++) {
    if (carve_asset_at(catalog, place, &asset) != CARVE_OK) continue;
    for (size_t i = 0; i < count; i++) {
      if (ids[i] != asset.id) continue;
      printf("    %.*s\n", (int)asset.name_length, asset.name);
      shown++;
    }
  }
  if (count > shown) printf("    and %zu more\n", count - shown);
}

// Makes a view for the new traits, looks up every asset, and prints what changed.
static carve_view *change(carve_catalog *catalog, carve_view *old, state s) {
  carve_traits traits = traits_of(s);
  carve_view *view = NULL;
  size_t assets = carve_asset_count(catalog), count = 0;
  uint64_t *ids = calloc(assets + 1, sizeof *ids);
  uint64_t start = now();
  if (!ids || carve_view_for(catalog, &traits, &view, NULL) != CARVE_OK) exit(1);
  uint64_t decided = now();
  carve_asset asset = {.size = sizeof asset};
  uint64_t looked_up = 0;
  for (size_t place = 0; place < assets; place++) {
    if (carve_asset_at(catalog, place, &asset) != CARVE_OK) continue;
    uint64_t before = now();
    volatile uint32_t choice = carve_choice(view, asset.id);
    (void)choice;
    looked_up += now() - before;
  }
  draw(s);
  printf("  width %s, %s%s: decided in %llu ns; %llu ns a lookup, the clock included\n",
         traits.width_class == CARVE_CLASS_COMPACT ? "compact" : "regular",
         s.is_dark ? "dark" : "light", s.is_high ? ", high contrast" : "",
         (unsigned long long)(decided - start),
         (unsigned long long)(assets ? looked_up / assets : 0));
  if (old && carve_transition(old, view, ids, assets, &count) == CARVE_OK) {
    printf("  %zu of %zu assets change\n", count, assets);
    print_changes(catalog, ids, count);
  }
  printf("\n");
  free(ids);
  carve_view_close(old);
  return view;
}

int main(int argc, char **argv) {
  carve_catalog *catalog;
  carve_error error;
  if (argc != 2) {
    fprintf(stderr, "usage: window ARCHIVE\n");
    return 2;
  }
  if (carve_open(argv[1], &catalog, &error) != CARVE_OK) {
    fprintf(stderr, "window: %s\n", error.message);
    return 1;
  }
  struct termios saved;
  int is_terminal = tcgetattr(STDIN_FILENO, &saved) == 0;
  if (is_terminal) {
    struct termios raw = saved;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    printf("r rotate, s split, o slide over, d dark, c contrast, q quit\n\n");
  }
  state s = {0};
  carve_view *view = change(catalog, NULL, s);
  for (int key; (key = getchar()) != EOF && key != 'q';) {
    if (key == 'r') s.is_portrait = !s.is_portrait;
    else if (key == 's') s.is_split = !s.is_split, s.is_slid_over = 0;
    else if (key == 'o') s.is_slid_over = !s.is_slid_over, s.is_split = 0;
    else if (key == 'd') s.is_dark = !s.is_dark;
    else if (key == 'c') s.is_high = !s.is_high;
    else continue;
    view = change(catalog, view, s);
  }
  if (is_terminal) tcsetattr(STDIN_FILENO, TCSANOW, &saved);
  carve_view_close(view);
  carve_close(catalog);
  return 0;
}
