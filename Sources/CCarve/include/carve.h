/* carve.h: asset catalogues at run time, for C and C++.
 *
 * One library, one mapped file. Open an Assets.car once, describe the traits of a window once, then
 * ask for names as often as you like: a lookup takes no lock, allocates nothing and reads no trait.
 *
 *     carve_catalog *catalog;
 *     carve_view *view;
 *     carve_traits traits;
 *     carve_rendition star = {.size = sizeof star};
 *
 *     if (carve_open("Assets.car", &catalog, NULL) != CARVE_OK) return 1;
 *     carve_traits_init(&traits, sizeof traits);
 *     traits.scale = 2;
 *     traits.style = CARVE_STYLE_DARK;
 *     carve_view_for(catalog, &traits, &view, NULL);
 *     if (carve_find(view, "Star", 4, CARVE_IMAGE, &star) == CARVE_OK)
 *       carve_decode(catalog, &star, CARVE_BGRA8, CARVE_SRGB, pixels, size, stride, NULL, NULL);
 *
 * Threads: every function may be called from any thread at any time, with two rules that hold
 * everywhere in C: a handle must not be used after it was closed, and an output must not be shared.
 * Catalogues and views do not change.
 *
 * Errors: functions that can fail return a status, CARVE_OK being 0; those that return a number or an
 * address say what stands for failure. Where a function takes a carve_error, which may be NULL, a
 * failure fills in the status and a sentence, and success leaves it as it is. After every failure, also
 * one of an argument, handles and addresses of text that were asked for are NULL; what other outputs hold
 * is not said.
 *
 * Files are never trusted: a damaged one gives a status, not a crash. One thing the library cannot
 * catch: a mapped file that another process cuts short while it is read. Decoding asks the system for
 * the size first and answers CARVE_SHRUNK; for a file in such a place, read it into memory and use
 * carve_open_bytes.
 *
 * Costs: with its default limits no call on a file of n bytes takes more than 2 s and 1 microsecond for each
 * byte of processor time, nor more memory than 64 MiB and 16 bytes for each byte, beside 32 bytes for each
 * pixel of its result, whatever the file says. What would take more ends with a status: CARVE_OVER_LIMIT,
 * CARVE_FORMAT for tables, CARVE_BAD_VECTOR for drawings. The tests hold each function to it.
 *
 * Structures but carve_error begin with their size, set by the caller to sizeof, which the library
 * never changes. They only grow, at their end: a newer library fills in what the caller knows and
 * touches nothing behind it, and takes what an older caller does not say as if it were not asked for;
 * an older library neither reads nor writes the fields that it does not know, also in carve_traits_init:
 * a program that may meet one sets such fields before the call. A size below that of the first release is
 * a CARVE_BAD_ARGUMENT.
 */
#ifndef CARVE_H
#define CARVE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of Carve, tool and library. The build takes it from here. */
#define CARVE_VERSION "0.2.0"
#define CARVE_VERSION_MAJOR 0
#define CARVE_VERSION_MINOR 2
#define CARVE_VERSION_PATCH 0
/* The N of libcarve.so.N, whatever the version: it rises when programs must be built again. */
#define CARVE_ABI_VERSION 0

/* An open catalogue. */
typedef struct carve_catalog carve_catalog;
/* A catalogue seen with one set of traits. */
typedef struct carve_view carve_view;
/* Room for an atlas whose pictures are decoded one after the other. */
typedef struct carve_decoder carve_decoder;

enum {
  CARVE_OK = 0,
  /* No such name, or no variant of it may be shown with these traits. */
  CARVE_NONE = 1,
  /* A NULL where something is needed, a size that is too small, a value that none of the enums has. */
  CARVE_BAD_ARGUMENT = 2,
  /* The system refused to open or map the file; the message says why. */
  CARVE_SYSTEM = 3,
  CARVE_NOT_A_FILE = 4,
  CARVE_SHRUNK = 5,
  /* Not an archive, or a damaged one; the message has the offset. */
  CARVE_FORMAT = 6,
  CARVE_TOO_LARGE = 7,
  /* The catalogue has no rendition of this number: it is one of another catalogue. */
  CARVE_NO_RENDITION = 8,
  /* Pixels of a colour, bytes of a bitmap, and the like. */
  CARVE_WRONG_CONTENT = 9,
  CARVE_OVER_LIMIT = 10,
  CARVE_BUFFER_TOO_SMALL = 11,
  CARVE_UNSUPPORTED = 12,
  /* The compressed bytes are damaged. */
  CARVE_CODEC = 13,
  /* The system has not the memory that the limits allow and the file asks for. */
  CARVE_NO_MEMORY = 14,
  /* A PDF or SVG that cannot be drawn: damaged, encrypted, or without a page. */
  CARVE_BAD_VECTOR = 15
};

typedef struct carve_error {
  int32_t status;
  /* Ends with a zero byte. */
  char message[252];
} carve_error;

/* What an asset is. One name may be several kinds at once. */
enum { CARVE_IMAGE = 0, CARVE_COLOR, CARVE_DATA, CARVE_SYMBOL, CARVE_ICON };

/* Values of traits. The unspecified ones are 0, except where carve_traits says otherwise. */
enum {
  CARVE_IDIOM_UNIVERSAL = 0,
  CARVE_IDIOM_PHONE,
  CARVE_IDIOM_PAD,
  CARVE_IDIOM_TV,
  CARVE_IDIOM_CAR,
  CARVE_IDIOM_WATCH,
  CARVE_IDIOM_MARKETING,
  CARVE_IDIOM_MAC,
  CARVE_IDIOM_VISION
};
enum { CARVE_CLASS_ANY = 0, CARVE_CLASS_COMPACT, CARVE_CLASS_REGULAR };
enum { CARVE_STYLE_ANY = 0, CARVE_STYLE_LIGHT, CARVE_STYLE_DARK, CARVE_STYLE_TINTED };
enum { CARVE_CONTRAST_NORMAL = 0, CARVE_CONTRAST_HIGH };
enum { CARVE_GAMUT_SRGB = 0, CARVE_GAMUT_P3 };
enum { CARVE_DIRECTION_NONE = 0, CARVE_RIGHT_TO_LEFT = 4, CARVE_LEFT_TO_RIGHT = 5 };
enum {
  CARVE_TEXT_ANY = 0,
  CARVE_TEXT_XS,
  CARVE_TEXT_S,
  CARVE_TEXT_M,
  CARVE_TEXT_L,
  CARVE_TEXT_XL,
  CARVE_TEXT_XXL,
  CARVE_TEXT_XXXL,
  CARVE_TEXT_AX1,
  CARVE_TEXT_AX2,
  CARVE_TEXT_AX3,
  CARVE_TEXT_AX4,
  CARVE_TEXT_AX5
};

#define CARVE_MOST_LANGUAGES 16

/* What a window asks for. */
typedef struct carve_traits {
  uint32_t size;
  /* Bit n: the device can use graphics class n. Those of all classes where nothing limits it. */
  uint32_t graphics;
  uint8_t idiom;
  /* 1, 2 or 3. */
  uint8_t scale;
  uint8_t width_class;
  uint8_t height_class;
  uint8_t style;
  uint8_t contrast;
  uint8_t gamut;
  uint8_t direction;
  /* Gigabytes; 255 where nothing limits them. */
  uint8_t memory;
  /* The generation of the running system; 255 where nothing limits it. */
  uint8_t os_generation;
  uint8_t content_size;
  /* How many of `languages` are in use. */
  uint8_t language_count;
  /* The display's subtype: a screen height for most phones, 0 for none. */
  uint16_t subtype;
  /* Numbers of language tags, most wanted first: see carve_language. */
  uint16_t languages[CARVE_MOST_LANGUAGES];
  uint16_t reserved;
} carve_traits;

/* What a variant holds. */
enum {
  CARVE_CONTENT_OTHER = 0,
  CARVE_CONTENT_BITMAP,
  /* A bitmap in an atlas: decoded like any other. */
  CARVE_CONTENT_ATLAS_BITMAP,
  CARVE_CONTENT_COLOR,
  CARVE_CONTENT_DATA,
  /* Files: their bytes are handed out, decoding them is yours. */
  CARVE_CONTENT_JPEG,
  CARVE_CONTENT_HEIF,
  /* Vectors: carve_draw_vector draws them at any size, or take their bytes. */
  CARVE_CONTENT_PDF,
  CARVE_CONTENT_SVG,
  /* Nothing is to be shown, on purpose: the catalogue says so. CARVE_NONE is another thing. */
  CARVE_CONTENT_NOTHING
};
enum { CARVE_TEMPLATE_AUTOMATIC = 0, CARVE_TEMPLATE_ORIGINAL, CARVE_TEMPLATE_TEMPLATE };
enum {
  CARVE_SLICING_NONE = 0,
  CARVE_SLICING_3_PART_HORIZONTAL,
  CARVE_SLICING_3_PART_VERTICAL,
  CARVE_SLICING_9_PART,
  CARVE_SLICING_EDGES_ONLY
};
enum { CARVE_FILL_STRETCH = 0, CARVE_FILL_TILE, CARVE_FILL_UNIFORM };

/* One variant of an asset. Lengths are in points unless they are called pixels. */
typedef struct carve_rendition {
  uint32_t size;
  /* Its number in the catalogue. With `mirrored`, all that the library reads back. */
  uint32_t number;
  uint32_t pixel_width;
  uint32_t pixel_height;
  /* 1, 2 or 3; 0 for a vector, which is drawn at any scale. */
  uint8_t scale;
  uint8_t content;
  uint8_t template_intent;
  /* Made for the other direction of writing: draw it mirrored. */
  uint8_t mirrored;
  uint8_t preserves_vector;
  uint8_t slicing;
  uint8_t fill_across;
  uint8_t fill_down;
  /* From the picture's edges to its alignment rectangle. */
  float inset_top, inset_left, inset_bottom, inset_right;
  float cap_top, cap_left, cap_bottom, cap_right;
  float center_width, center_height;
} carve_rendition;

/* The constraints under which a variant may be shown; fields as in carve_traits. */
typedef struct carve_key {
  uint32_t size;
  uint16_t subtype;
  /* The number of a language, 0 for all. */
  uint16_t language;
  uint8_t idiom;
  uint8_t scale;
  uint8_t width_class;
  uint8_t height_class;
  uint8_t style;
  uint8_t contrast;
  uint8_t gamut;
  uint8_t direction;
  uint8_t memory;
  uint8_t os_generation;
  uint8_t content_size;
  /* The number of the graphics class. */
  uint8_t graphics;
} carve_key;

/* One name of one kind. */
typedef struct carve_asset {
  uint32_t size;
  uint8_t kind;
  uint8_t reserved;
  /* The number by which the archive knows the name. */
  uint16_t identifier;
  uint64_t id;
  /* Bytes without a zero byte at the end: UTF-8, unless the file is damaged. They stay where they are
   * until the catalogue and its views are closed. */
  const char *name;
  size_t name_length;
  size_t variant_count;
} carve_asset;

/* Not premultiplied. `space` is 1 sRGB, 2 gray, 3 Display P3, 4 extended sRGB, 6 extended gray. */
typedef struct carve_color {
  uint32_t size;
  uint32_t space;
  double red, green, blue, alpha;
  /* The name of a system colour for which the numbers only stand in; NULL for none. It lies in the
   * file, without a zero byte, until the catalogue and its views are closed. */
  const char *system_name;
  size_t system_name_length;
} carve_color;

/* The page of a vector. */
typedef struct carve_vector {
  uint32_t size;
  /* 1 where all that the file asks for is drawn; 0 where it has filters, text in fonts that it does not
   * hold, or the like, and the rest is drawn. */
  uint32_t is_complete;
  /* In points. */
  double width, height;
  /* At scale 1: what carve_decode writes. */
  uint32_t pixel_width, pixel_height;
} carve_vector;

/* How a symbol is asked for. All zeros stand for the regular one of medium size in one colour. */
enum { CARVE_SYMBOL_SMALL = 1, CARVE_SYMBOL_MEDIUM, CARVE_SYMBOL_LARGE };
enum {
  /* In the tint. */
  CARVE_MONOCHROME = 0,
  /* In the tint, of which farther layers show less. */
  CARVE_HIERARCHICAL,
  /* In the colours of the file; what it leaves to the program has the tint. */
  CARVE_MULTICOLOR
};
typedef struct carve_symbol_style {
  uint32_t size;
  /* 0 for the medium one. */
  uint8_t symbol_size;
  uint8_t rendering;
  uint16_t reserved;
  /* From 1 for ultralight over 4 for regular to 9 for black, and anything between; 0 for regular. */
  double weight;
  /* Of the text beside it, in points; 0 for that which the archive's own measures are for. */
  double point_size;
} carve_symbol_style;

/* A symbol's measures, in points. */
typedef struct carve_symbol {
  uint32_t size;
  /* 1 where the archive has this very drawing; 0 where it is made of others. */
  uint8_t is_exact;
  /* 1 where it is made of two drawings. */
  uint8_t is_interpolated;
  /* 1 where the file tells layers apart for CARVE_HIERARCHICAL, CARVE_MULTICOLOR. */
  uint8_t has_hierarchy;
  uint8_t has_colors;
  /* Of its outlines. */
  double width, height;
  /* How far it reaches below the base line. */
  double depth;
  double cap_height;
  /* What it keeps from its neighbours. */
  double left_margin, right_margin;
  /* 0 where it is not known. */
  double template_version;
} carve_symbol;

/* Layouts of decoded pixels; colour is premultiplied. */
enum {
  CARVE_BGRA8 = 0,
  CARVE_RGBA8,
  /* As the picture looks on black. */
  CARVE_GRAY8,
  CARVE_GRAY_ALPHA8,
  /* Half floats, which keep what lies outside of 8 bits. */
  CARVE_RGBA16F
};
enum { CARVE_SRGB = 0, CARVE_DISPLAY_P3 };

/* What you are ready to decode: a file states sizes of its own. NULL stands for 16,384 pixels each
 * way; and for the memory that the call takes for itself, beside the 52 KB of the codec, for 64 MiB, 16 bytes for each
 * byte of the file and 32 for each pixel of the result, together at most 512 MiB. */
typedef struct carve_limits {
  uint32_t size;
  uint32_t width;
  uint32_t height;
  uint32_t reserved;
  uint64_t scratch_bytes;
} carve_limits;

/* --- Opening ---------------------------------------------------------------------------------- */

/* The version of the library that runs; CARVE_VERSION is that of the header. */
const char *carve_version(void);
/* A few words for a status. */
const char *carve_status_text(int32_t status);

/* Maps a file. */
int32_t carve_open(const char *path, carve_catalog **catalog, carve_error *error);
/* Maps the file of a descriptor, which may be closed afterwards. */
int32_t carve_open_descriptor(int descriptor, carve_catalog **catalog, carve_error *error);
/* Copies `length` bytes, or, where `lend` is not 0, works on them in place: then they must stay as
 * they are until the catalogue and all its views are closed. */
int32_t carve_open_bytes(const void *bytes, size_t length, int lend, carve_catalog **catalog,
                         carve_error *error);
/* Views of the catalogue stay usable. NULL is allowed. */
void carve_close(carve_catalog *catalog);
/* 1 where the file's own index is used, 0 where the library built one. */
int carve_uses_index(const carve_catalog *catalog);

/* --- Traits and views ------------------------------------------------------------------------- */

/* The unspecified request: scale 1, sRGB, left to right, no limits. `size` is sizeof *traits; traits
 * of a size that they never had stay as they are. */
void carve_traits_init(carve_traits *traits, size_t size);
/* Reads text such as "idiom=pad,scale=2,style=dark,language=es-MX:es". Languages beyond
 * CARVE_MOST_LANGUAGES are left out. */
int32_t carve_traits_parse(const char *text, carve_traits *traits, size_t size, carve_error *error);
/* What a window on a device asks for. `device` is a model such as "iPhone15,2" or a name such as
 * "iPhone 14 Pro"; `window` is "full" (NULL), "slide-over", "split-1/3", "split-1/2" or "split-2/3";
 * `orientation` is "portrait", "landscape", or NULL for that in which the device has the window first. What
 * nobody has published of a device stays unspecified; style, contrast and languages are the user's. */
int32_t carve_traits_for_device(const char *device, const char *window, const char *orientation,
                                carve_traits *traits, size_t size, carve_error *error);
/* The number of a language tag, such as "es-MX"; tags are compared as they are written. */
uint16_t carve_language(const char *tag);
/* Decides for all assets at once. The last 64 sets of traits are remembered, so that going back to one
 * costs next to nothing: a lock, which nobody holds for long, and a few comparisons. */
int32_t carve_view_for(const carve_catalog *catalog, const carve_traits *traits, carve_view **view,
                       carve_error *error);
/* NULL is allowed. */
void carve_view_close(carve_view *view);

/* --- Looking up ------------------------------------------------------------------------------- */

/* The variant of a name that is shown; CARVE_NONE where there is none. */
int32_t carve_find(const carve_view *view, const char *name, size_t length, int kind,
                   carve_rendition *rendition);
/* The id of a name that the catalogue has, for asking often; 0 where it has none. */
uint64_t carve_id(const carve_catalog *catalog, const char *name, size_t length, int kind);
/* The same without a catalogue. An id depends on the name and its kind alone: it is the same in
 * every archive, before and after thinning, and may be a constant in generated code. 0 for a kind
 * that there is not. */
uint64_t carve_id_of_name(const char *name, size_t length, int kind);
int32_t carve_find_id(const carve_view *view, uint64_t id, carve_rendition *rendition);
/* One of the drawings of a symbol: weights from 1 for ultralight to 9 for black, and CARVE_SYMBOL_...;
 * CARVE_NONE where the archive has not this very one. carve_draw_symbol draws all. */
int32_t carve_find_symbol(const carve_view *view, const char *name, size_t length, int weight,
                          int symbol_size, carve_rendition *rendition);
/* The decision alone: the rendition's number, with the highest bit set where it is shown mirrored;
 * UINT32_MAX for none. Equal answers look equal. */
uint32_t carve_choice(const carve_view *view, uint64_t id);
/* Why carve_find answers CARVE_NONE: there is no such name, or the trait that removes its last variant. */
enum {
  CARVE_OBSTACLE_ARGUMENT = -1,
  /* Something is found. */
  CARVE_OBSTACLE_NONE = 0,
  CARVE_OBSTACLE_NAME,
  CARVE_OBSTACLE_IDIOM,
  CARVE_OBSTACLE_SUBTYPE,
  CARVE_OBSTACLE_SCALE,
  CARVE_OBSTACLE_WIDTH,
  CARVE_OBSTACLE_HEIGHT,
  CARVE_OBSTACLE_STYLE,
  CARVE_OBSTACLE_CONTRAST,
  CARVE_OBSTACLE_GAMUT,
  CARVE_OBSTACLE_DIRECTION,
  CARVE_OBSTACLE_MEMORY,
  CARVE_OBSTACLE_GRAPHICS,
  CARVE_OBSTACLE_LANGUAGE,
  CARVE_OBSTACLE_OS,
  CARVE_OBSTACLE_CONTENT_SIZE
};
int32_t carve_obstacle(const carve_view *view, const char *name, size_t length, int kind);
/* The word for it, as carve_traits_parse names traits. */
const char *carve_obstacle_text(int32_t obstacle);
/* Writes the ids of the assets that look different in the second view, at most `capacity`, and
 * their number, which may be larger. Both views must be of one catalogue. */
int32_t carve_transition(const carve_view *from, const carve_view *to, uint64_t *ids,
                         size_t capacity, size_t *count);

/* --- Listing ---------------------------------------------------------------------------------- */

size_t carve_asset_count(const carve_catalog *catalog);
/* Assets are sorted by name, then kind; CARVE_NONE behind the last. */
int32_t carve_asset_at(const carve_catalog *catalog, size_t place, carve_asset *asset);
/* `key` may be NULL; CARVE_NONE behind the last variant. */
int32_t carve_variant_at(const carve_catalog *catalog, uint64_t id, size_t place, carve_key *key,
                         carve_rendition *rendition);

/* The localizations that the archive names, by which `language` of a key is read: the number, which may
 * be NULL, the tag with a zero byte at its end, and its length. CARVE_NONE behind the last; CARVE_BUFFER_TOO_SMALL
 * where the tag does not fit, and with a NULL of size 0 its length alone. */
size_t carve_localization_count(const carve_catalog *catalog);
int32_t carve_localization_at(const carve_catalog *catalog, size_t place, uint16_t *number, char *tag,
                              size_t size, size_t *length);
/* The name that the archive keeps with a variant, as a rule of the file it was made from, in the same
 * way; empty where there is none. */
int32_t carve_stored_name(const carve_catalog *catalog, const carve_rendition *rendition, char *name,
                          size_t size, size_t *length, carve_error *error);
/* The size on the screen in points; CARVE_NONE for what has no size of its own, as vectors. */
int32_t carve_point_size(const carve_rendition *rendition, double *width, double *height);
/* "sRGB", "Display P3" and so on, for `space` of a colour; "unknown" for a number that is none. */
const char *carve_color_space_name(uint32_t space);

/* --- Contents --------------------------------------------------------------------------------- */

/* Bytes of a pixel; 0 for a number that is no layout. */
size_t carve_pixel_size(int layout);
/* Writes the pixels, from the top row down; row y starts at y * stride. What lies between the end of
 * a row and the next may be overwritten. A picture whose pixels are stored as they are asked for
 * (BGRA8 and RGBA8 for most, GRAY_ALPHA8 for grey ones, RGBA16F for wide ones) is decoded in place:
 * the call takes 52 KB for the codec and gives them back, and only where the archive pads rows to
 * another stride than yours, memory for a third of the picture or so. Other layouts, spaces and
 * pictures in atlases are decoded into memory of the call's first. A vector is drawn at the size of its
 * page, which carve_get_vector knows, and not carve_rendition. */
int32_t carve_decode(const carve_catalog *catalog, const carve_rendition *rendition, int layout,
                     int space, void *pixels, size_t size, size_t stride,
                     const carve_limits *limits, carve_error *error);
/* Fills width times height pixels as the slicing says, mirrored where the rendition is. Layouts of
 * 8 bits only. */
int32_t carve_draw_sliced(const carve_catalog *catalog, const carve_rendition *rendition, int layout,
                          int space, uint32_t width, uint32_t height, void *pixels, size_t size,
                          size_t stride, const carve_limits *limits, carve_error *error);
/* Reads a PDF or SVG and says how large its page is. */
int32_t carve_get_vector(const carve_catalog *catalog, const carve_rendition *rendition,
                         carve_vector *vector, const carve_limits *limits, carve_error *error);
/* Draws a PDF or SVG, width times height pixels large, at most 16,384 each way. A size that the page
 * has at a whole scale gives the pixels that `carve compile` stores for that scale; any other stretches
 * the page to fill it. What is mirrored is drawn mirrored. Where `tint` is not NULL, its colour takes the
 * place of all colours and their alpha is kept, multiplied by the tint's: so templates are drawn, see
 * template_intent. Spaces as in carve_color; Display P3 becomes the nearest of sRGB.
 *
 * Of scratch_bytes the call counts the file, eight bytes a pixel, and four more but for BGRA8 and RGBA8 in
 * CARVE_SRGB with rows and stride at multiples of four bytes, which are drawn in place. Of the rest, a half
 * is for what streams and images of a PDF unfold to, a half for groups and clips. Beside it, what was read
 * of a file takes memory in proportion to its text, which without limits may have 1 MiB more than the catalogue's
 * file. Files that go on for ever end with CARVE_OVER_LIMIT.
 * A static library without vectors answers CARVE_UNSUPPORTED, here and in carve_decode. */
int32_t carve_draw_vector(const carve_catalog *catalog, const carve_rendition *rendition, int layout,
                          int space, uint32_t width, uint32_t height, const carve_color *tint,
                          void *pixels, size_t size, size_t stride, const carve_limits *limits,
                          carve_error *error);
/* Measures a symbol in any weight and size; `style` may be NULL. CARVE_NONE where there is no such symbol.
 * Weights that the archive lacks are made of the two drawings next to them, if their outlines have the same
 * steps, else the nearest is shown; sizes that it lacks are made of another size. */
int32_t carve_get_symbol(const carve_view *view, const char *name, size_t length,
                         const carve_symbol_style *style, carve_symbol *symbol,
                         const carve_limits *limits, carve_error *error);
/* Draws it so that its outlines fill width times height pixels; black where `tint` is NULL. Colours of the
 * system are those of the view's style. What counts is said at carve_draw_vector. */
int32_t carve_draw_symbol(const carve_view *view, const char *name, size_t length,
                          const carve_symbol_style *style, int layout, int space, uint32_t width,
                          uint32_t height, const carve_color *tint, void *pixels, size_t size,
                          size_t stride, const carve_limits *limits, carve_error *error);
/* Decodes and draws pictures one after the other. It keeps the atlas of the last one that lay in an
 * atlas, so that a run of pictures from one atlas decodes it once, and all other memory that its
 * calls needed: as long as pictures grow no larger, decoding takes none. It keeps its catalogue open.
 * One thread at a time may use a decoder: give each thread its own. */
int32_t carve_decoder_create(const carve_catalog *catalog, carve_decoder **decoder,
                             carve_error *error);
/* As carve_decode. */
int32_t carve_decoder_decode(carve_decoder *decoder, const carve_rendition *rendition, int layout,
                             int space, void *pixels, size_t size, size_t stride,
                             const carve_limits *limits, carve_error *error);
/* As carve_draw_sliced. */
int32_t carve_decoder_draw_sliced(carve_decoder *decoder, const carve_rendition *rendition,
                                  int layout, int space, uint32_t width, uint32_t height,
                                  void *pixels, size_t size, size_t stride,
                                  const carve_limits *limits, carve_error *error);
/* As carve_draw_vector. It keeps the memory of drawing; the file is read each time. */
int32_t carve_decoder_draw_vector(carve_decoder *decoder, const carve_rendition *rendition,
                                  int layout, int space, uint32_t width, uint32_t height,
                                  const carve_color *tint, void *pixels, size_t size,
                                  size_t stride, const carve_limits *limits, carve_error *error);
/* As carve_draw_symbol, in a view of the decoder's catalogue. It keeps the memory of drawing. */
int32_t carve_decoder_draw_symbol(carve_decoder *decoder, const carve_view *view, const char *name,
                                  size_t length, const carve_symbol_style *style, int layout,
                                  int space, uint32_t width, uint32_t height, const carve_color *tint,
                                  void *pixels, size_t size, size_t stride,
                                  const carve_limits *limits, carve_error *error);
/* NULL is allowed. */
void carve_decoder_close(carve_decoder *decoder);
/* Gray counts as equal red, green and blue. */
int32_t carve_get_color(const carve_catalog *catalog, const carve_rendition *rendition,
                        carve_color *color, carve_error *error);
/* How the picture of a JPEG or HEIF file is to be turned, as EXIF numbers it, from 1 for upright to 8;
 * 1 for all else. */
int32_t carve_orientation(const carve_catalog *catalog, const carve_rendition *rendition,
                          uint32_t *orientation, carve_error *error);
/* The type that the catalogue gives to data, such as "public.json", in the file and without a zero
 * byte, until the catalogue and its views are closed; NULL and 0 where there is none. */
int32_t carve_type_identifier(const carve_catalog *catalog, const carve_rendition *rendition,
                              const char **text, size_t *length, carve_error *error);
/* The size of data, of a vector or of a JPEG or HEIF file. A file that is compressed in the archive
 * may state any. */
int32_t carve_file_size(const carve_catalog *catalog, const carve_rendition *rendition,
                        size_t *size, carve_error *error);
/* Writes it to the buffer, whose size is the limit: nothing else is taken but the 52 KB of the codec,
 * where the file is compressed in the archive. */
int32_t carve_read_file(const carve_catalog *catalog, const carve_rendition *rendition,
                        void *buffer, size_t size, carve_error *error);

#ifdef __cplusplus
}
#endif

#endif
