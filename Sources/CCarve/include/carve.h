/* carve.h: asset catalogues at run time, for C and C++.
 *
 * One library, one mapped file. Open an Assets.car once, make a view for the traits of a window
 * once, then look up names as often as you like: a lookup takes no lock, allocates nothing and
 * compares no traits.
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
 * Threads: every function may be called from any thread at any time. Two rules hold, as everywhere
 * in C: a handle must not be used after it was closed, and two threads must not write to one output
 * at the same time. Archives and views do not change.
 *
 * Errors: functions that can fail return a status; CARVE_OK is 0. Functions that return a number or
 * an address say which value means failure. If a function takes a carve_error, which may be NULL, a
 * failure fills in the status and a sentence, and success does not change the structure. After
 * every failure, also that of an argument, the handles and the addresses of text among the outputs
 * are NULL; other outputs may hold anything.
 *
 * Files are never trusted: a damaged file gives a status, not a crash. The library cannot catch one
 * case: a mapped file that another process cuts short while it is read. Decoding asks the system
 * for the size first and returns CARVE_SHRUNK if the file has become shorter. If a file may be cut
 * short at any time, read it into memory and use carve_open_bytes.
 *
 * Costs: with its default limits, a call takes at most 2 s of processor time and 1 microsecond
 * more for each byte of the file, and at most 64 MiB of memory, 16 bytes more for each byte of the
 * file and 32 more for each pixel of its result, for any content of the file. A call that would
 * take more ends with a status: CARVE_OVER_LIMIT, CARVE_FORMAT for tables, CARVE_BAD_VECTOR for
 * drawings. The tests hold each function to these limits.
 *
 * Structures except carve_error begin with their size. The caller sets it to sizeof; the library
 * never changes it. New fields are only added at the end. A newer library fills in the fields that
 * the caller has and writes nothing beyond them; it treats fields that an older caller does not
 * have as if nothing was requested. An older library neither reads nor writes the fields that it
 * does not know, also in carve_traits_init: a program that may run with an older library sets such
 * fields before the call. A size below that of the first release gives CARVE_BAD_ARGUMENT.
 */
#ifndef CARVE_H
#define CARVE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of Carve, of the tool and of the library. The build reads it here. */
#define CARVE_VERSION "0.2.0"
#define CARVE_VERSION_MAJOR 0
#define CARVE_VERSION_MINOR 2
#define CARVE_VERSION_PATCH 0
/* The N of libcarve.so.N, which does not depend on the version: it rises when programs must be
 * built again. */
#define CARVE_ABI_VERSION 0

/* An open archive. */
typedef struct carve_catalog carve_catalog;
/* An archive seen with one set of traits. */
typedef struct carve_view carve_view;
/* A decoder for several pictures in a row, which keeps the last atlas. */
typedef struct carve_decoder carve_decoder;

enum {
  CARVE_OK = 0,
  /* The name does not exist, or none of its variants may be shown with these traits. */
  CARVE_NONE = 1,
  /* A required pointer is NULL, a size is too small, or a value is not in its enum. */
  CARVE_BAD_ARGUMENT = 2,
  /* The system refused to open or map the file; the message gives the reason, and errno has the
   * number of the error. */
  CARVE_SYSTEM = 3,
  /* The path leads to a folder, a device or a pipe. */
  CARVE_NOT_A_FILE = 4,
  /* The mapped file is shorter than when it was opened. */
  CARVE_SHRUNK = 5,
  /* The file is not an archive, or it is damaged; the message has the offset. */
  CARVE_FORMAT = 6,
  /* The archive has more names or renditions than an index can count. */
  CARVE_TOO_LARGE = 7,
  /* The archive has no rendition of this number: the rendition is one of another archive. */
  CARVE_NO_RENDITION = 8,
  /* The function does not fit the content: pixels of a colour, bytes of a bitmap, and so on. */
  CARVE_WRONG_CONTENT = 9,
  /* The picture or the work is larger than the limits allow. */
  CARVE_OVER_LIMIT = 10,
  CARVE_BUFFER_TOO_SMALL = 11,
  /* The library cannot convert these pixels, or was built without this function. */
  CARVE_UNSUPPORTED = 12,
  /* The compressed bytes are damaged. */
  CARVE_CODEC = 13,
  /* The system has less memory than the limits allow and the file needs. */
  CARVE_NO_MEMORY = 14,
  /* A PDF or SVG cannot be drawn: it is damaged, encrypted, or has no page. */
  CARVE_BAD_VECTOR = 15
};

typedef struct carve_error {
  int32_t status;
  /* The message ends with a zero byte. */
  char message[252];
} carve_error;

/* The kind of an asset. One name may have several kinds. */
enum { CARVE_IMAGE = 0, CARVE_COLOR, CARVE_DATA, CARVE_SYMBOL, CARVE_ICON };

/* Values of traits. 0 is unspecified, unless carve_traits says otherwise. */
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

/* The traits of a window. */
typedef struct carve_traits {
  uint32_t size;
  /* Bit n: the device can use graphics class n. The bits of all classes are set if there is no
   * limit. */
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
  /* The memory in gigabytes; 255 if there is no limit. */
  uint8_t memory;
  /* The generation of the running system; 255 if there is no limit. */
  uint8_t os_generation;
  uint8_t content_size;
  /* The number of elements of `languages` that are in use. */
  uint8_t language_count;
  /* The display's subtype: a screen height for most phones, 0 for no subtype. */
  uint16_t subtype;
  /* The numbers of language tags, the preferred language first: see carve_language. */
  uint16_t languages[CARVE_MOST_LANGUAGES];
  uint16_t reserved;
} carve_traits;

/* The content of a variant. */
enum {
  CARVE_CONTENT_OTHER = 0,
  CARVE_CONTENT_BITMAP,
  /* A bitmap in an atlas, which is decoded like any other bitmap. */
  CARVE_CONTENT_ATLAS_BITMAP,
  CARVE_CONTENT_COLOR,
  CARVE_CONTENT_DATA,
  /* A JPEG file, which carve_decode decodes; its bytes can also be read. */
  CARVE_CONTENT_JPEG,
  /* A HEIF file: the library returns its bytes, the program decodes them. */
  CARVE_CONTENT_HEIF,
  /* Vectors: carve_draw_vector draws them at any size; their bytes can also be read. */
  CARVE_CONTENT_PDF,
  CARVE_CONTENT_SVG,
  /* The archive states that nothing is shown. This is not CARVE_NONE. */
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
  /* The number of the variant in the archive. When the structure is passed back, the library
   * reads only `number` and `mirrored`. */
  uint32_t number;
  uint32_t pixel_width;
  uint32_t pixel_height;
  /* 1, 2 or 3; 0 for a vector, which is drawn at any scale. */
  uint8_t scale;
  uint8_t content;
  uint8_t template_intent;
  /* 1 if the picture was made for the opposite direction of writing: draw it mirrored. */
  uint8_t mirrored;
  uint8_t preserves_vector;
  uint8_t slicing;
  uint8_t fill_across;
  uint8_t fill_down;
  /* The distances from the stored picture's edges to its alignment rectangle. If the picture is
   * drawn mirrored, left and right change places. */
  float inset_top, inset_left, inset_bottom, inset_right;
  float cap_top, cap_left, cap_bottom, cap_right;
  float center_width, center_height;
} carve_rendition;

/* The constraints under which a variant may be shown; the fields are those of carve_traits. */
typedef struct carve_key {
  uint32_t size;
  uint16_t subtype;
  /* The number of a language; 0 for all languages. */
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

/* A name with one of its kinds. */
typedef struct carve_asset {
  uint32_t size;
  uint8_t kind;
  uint8_t reserved;
  /* The number that identifies the name in the archive. */
  uint16_t identifier;
  uint64_t id;
  /* The bytes of the name, without a zero byte at the end: UTF-8, unless the file is damaged. They
   * stay at this address until the archive and its views are closed. */
  const char *name;
  size_t name_length;
  size_t variant_count;
} carve_asset;

/* A colour, not premultiplied. `space` is 1 sRGB, 2 gray, 3 Display P3, 4 extended sRGB, 6 extended
 * gray. */
typedef struct carve_color {
  uint32_t size;
  uint32_t space;
  double red, green, blue, alpha;
  /* The name of a system colour, or NULL. If there is a name, the numbers are only a substitute for
   * the system colour. The name has no zero byte at the end; it stays at this address until the
   * archive and its views are closed. */
  const char *system_name;
  size_t system_name_length;
} carve_color;

/* The page of a vector. */
typedef struct carve_vector {
  uint32_t size;
  /* 1 if everything in the file is drawn; 0 if only a part is drawn, because the file has filters,
   * text in fonts that it does not contain, or the like. */
  uint32_t is_complete;
  /* The size in points. */
  double width, height;
  /* The size at scale 1, at which carve_decode draws. */
  uint32_t pixel_width, pixel_height;
} carve_vector;

/* The size, weight and rendering of a symbol. All zeros mean the regular symbol of medium size in
 * one colour. */
enum { CARVE_SYMBOL_SMALL = 1, CARVE_SYMBOL_MEDIUM, CARVE_SYMBOL_LARGE };
enum {
  /* The symbol has the colour of the tint. */
  CARVE_MONOCHROME = 0,
  /* The symbol has the colour of the tint, which becomes fainter from layer to layer. */
  CARVE_HIERARCHICAL,
  /* The symbol has the colours of the file. The layers whose colour the file leaves to the program
   * have the tint. */
  CARVE_MULTICOLOR
};
typedef struct carve_symbol_style {
  uint32_t size;
  /* The size; 0 for medium. */
  uint8_t symbol_size;
  uint8_t rendering;
  uint16_t reserved;
  /* The weight, from 1 for ultralight to 9 for black, and anything between; 4 is regular, and so is
   * 0. */
  double weight;
  /* The size of the text beside the symbol, in points; 0 for the text size of the archive's own
   * measures. */
  double point_size;
} carve_symbol_style;

/* The measures of a symbol, in points. */
typedef struct carve_symbol {
  uint32_t size;
  /* 1 if the archive has exactly this drawing; 0 if the symbol is made from others. */
  uint8_t is_exact;
  /* 1 if the symbol is interpolated between two drawings. */
  uint8_t is_interpolated;
  /* 1 if the file describes the layers for CARVE_HIERARCHICAL and for CARVE_MULTICOLOR. */
  uint8_t has_hierarchy;
  uint8_t has_colors;
  /* The size of the outlines. */
  double width, height;
  /* The distance by which the symbol reaches below the base line. */
  double depth;
  double cap_height;
  /* The distances that the symbol keeps from its neighbours. */
  double left_margin, right_margin;
  /* The version of the symbol's template; 0 if it is not known. */
  double template_version;
} carve_symbol;

/* The layouts of decoded pixels; colour is premultiplied. */
enum {
  CARVE_BGRA8 = 0,
  CARVE_RGBA8,
  /* The look of the picture on black. */
  CARVE_GRAY8,
  CARVE_GRAY_ALPHA8,
  /* Half floats, which keep values that do not fit into 8 bits. */
  CARVE_RGBA16F
};
enum { CARVE_SRGB = 0, CARVE_DISPLAY_P3 };

/* The limits for decoding, because files state sizes of their own. A NULL means 16,384 pixels in
 * each direction; and for the memory that the call allocates, in addition to the 52 KB of the
 * codec, 64 MiB, 16 bytes for each byte of the file and 32 for each pixel of the result, together
 * at most 512 MiB. */
typedef struct carve_limits {
  uint32_t size;
  uint32_t width;
  uint32_t height;
  uint32_t reserved;
  uint64_t scratch_bytes;
} carve_limits;

/* --- Opening ---------------------------------------------------------------------------------- */

/* Returns the version of the library that runs; CARVE_VERSION is that of the header. */
const char *carve_version(void);
/* Returns a few words for a status. */
const char *carve_status_text(int32_t status);

/* Maps a file and opens it. The file must not be cut short or written to while it is open; a file
 * that is renamed over it does no harm. */
int32_t carve_open(const char *path, carve_catalog **catalog, carve_error *error);
/* Maps the file of a descriptor, which may be closed afterwards, and opens it. */
int32_t carve_open_descriptor(int descriptor, carve_catalog **catalog, carve_error *error);
/* Opens an archive in memory. Copies `length` bytes if `lend` is 0. Otherwise it uses the bytes in
 * place; they must not change until the archive and all its views are closed. */
int32_t carve_open_bytes(const void *bytes, size_t length, int lend, carve_catalog **catalog,
                         carve_error *error);
/* Closes an archive. Its views can still be used. NULL is allowed. */
void carve_close(carve_catalog *catalog);
/* Returns 1 if the file's own index is used, 0 if the library built one. */
int carve_uses_index(const carve_catalog *catalog);

/* --- Traits and views ------------------------------------------------------------------------- */

/* Fills in the unspecified request: scale 1, sRGB, left to right, no limits. `size` is sizeof
 * *traits; traits of a size that carve_traits never had are not changed. */
void carve_traits_init(carve_traits *traits, size_t size);
/* Reads text such as "idiom=pad,scale=2,style=dark,language=es-MX:es". Languages beyond
 * CARVE_MOST_LANGUAGES are left out. */
int32_t carve_traits_parse(const char *text, carve_traits *traits, size_t size, carve_error *error);
/* Fills in the traits of a window on a device. `device` is a model such as "iPhone15,2" or a name
 * such as "iPhone 14 Pro", which means the first model of that name; `window` is "full" (NULL),
 * "slide-over", "split-1/3", "split-1/2", "split-2/3", or "unfolded" for the inner display of a
 * phone that unfolds; `orientation` is "portrait", "landscape", or NULL for the first orientation
 * in which the device has the window. Traits of a device that are not published stay unspecified;
 * style, contrast and languages are settings of the user. */
int32_t carve_traits_for_device(const char *device, const char *window, const char *orientation,
                                carve_traits *traits, size_t size, carve_error *error);
/* Returns the number of a language tag, such as "es-MX"; tags are compared byte by byte. */
uint16_t carve_language(const char *tag);
/* Makes a view, which decides for all assets at once. The views of the last 64 sets of traits are
 * kept. Making one of them again costs very little: a lock, which is never held for long, and a few
 * comparisons. */
int32_t carve_view_for(const carve_catalog *catalog, const carve_traits *traits, carve_view **view,
                       carve_error *error);
/* Closes a view. NULL is allowed. */
void carve_view_close(carve_view *view);

/* --- Looking up ------------------------------------------------------------------------------- */

/* Looks up the variant of a name that is shown. Returns CARVE_NONE if nothing is shown. */
int32_t carve_find(const carve_view *view, const char *name, size_t length, int kind,
                   carve_rendition *rendition);
/* Returns the id of a name, for repeated lookups; 0 if the archive does not have the name. */
uint64_t carve_id(const carve_catalog *catalog, const char *name, size_t length, int kind);
/* Returns the id of a name without an archive. An id depends only on the name and its kind: it is
 * the same in every archive, before and after thinning, and may be a constant in generated code. 0
 * if the kind does not exist. */
uint64_t carve_id_of_name(const char *name, size_t length, int kind);
/* Looks up the variant of an id that is shown. Returns CARVE_NONE if nothing is shown. */
int32_t carve_find_id(const carve_view *view, uint64_t id, carve_rendition *rendition);
/* Looks up the vector of the variant that is shown: the variant itself if it is a PDF or SVG,
 * otherwise the file with the same traits that the archive keeps beside the bitmap. Returns
 * CARVE_NONE if nothing is shown, or if the archive keeps no such file. carve_draw_vector draws it
 * at any size. */
int32_t carve_find_vector(const carve_view *view, const char *name, size_t length, int kind,
                          carve_rendition *rendition);
/* Looks up one of the drawings of a symbol. `weight` is from 1 for ultralight to 9 for black,
 * `symbol_size` is one of CARVE_SYMBOL_... Returns CARVE_NONE if the archive does not have exactly
 * this drawing. carve_draw_symbol draws symbols of any weight and size. */
int32_t carve_find_symbol(const carve_view *view, const char *name, size_t length, int weight,
                          int symbol_size, carve_rendition *rendition);
/* Returns the decision alone: the rendition's number, with the highest bit set if it is shown
 * mirrored; UINT32_MAX if nothing is shown. If two results are equal, the same picture is shown. */
uint32_t carve_choice(const carve_view *view, uint64_t id);
/* The reasons for which carve_find returns CARVE_NONE: the name does not exist, or the trait
 * excludes its last variant. */
enum {
  CARVE_OBSTACLE_ARGUMENT = -1,
  /* carve_find finds a variant. */
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
/* Returns the reason for which carve_find returns CARVE_NONE. */
int32_t carve_obstacle(const carve_view *view, const char *name, size_t length, int kind);
/* Returns the word for an obstacle, as carve_traits_parse names traits. */
const char *carve_obstacle_text(int32_t obstacle);
/* Writes the ids of the assets that look different in the second view, at most `capacity` of them,
 * and their number, which may be larger. Both views must be of one archive. */
int32_t carve_transition(const carve_view *from, const carve_view *to, uint64_t *ids,
                         size_t capacity, size_t *count);

/* --- Listing ---------------------------------------------------------------------------------- */

/* Returns the number of assets. */
size_t carve_asset_count(const carve_catalog *catalog);
/* Fills in the asset at an index of the list, which is sorted by name, then kind. Returns
 * CARVE_NONE after the last. */
int32_t carve_asset_at(const carve_catalog *catalog, size_t index, carve_asset *asset);
/* Fills in a variant of an asset and its key, which may be NULL. Returns CARVE_NONE after the last
 * variant. */
int32_t carve_variant_at(const carve_catalog *catalog, uint64_t id, size_t index, carve_key *key,
                         carve_rendition *rendition);

/* Returns the number of localizations that the archive names. They give the `language` of a key its
 * tag. */
size_t carve_localization_count(const carve_catalog *catalog);
/* Writes a localization: its number, which may be NULL, its tag with a zero byte at the end, and
 * the length of the tag. Returns CARVE_NONE after the last, and CARVE_BUFFER_TOO_SMALL if the tag
 * does not fit. A NULL of size 0 asks for the length alone. */
int32_t carve_localization_at(const carve_catalog *catalog, size_t index, uint16_t *number, char *tag,
                              size_t size, size_t *length);
/* Writes the name that the archive keeps with a variant, usually that of its source file, and a
 * zero byte, and its length. The name is empty if the archive keeps none. CARVE_BUFFER_TOO_SMALL
 * means that the name does not fit; a NULL of size 0 asks for its length alone. */
int32_t carve_stored_name(const carve_catalog *catalog, const carve_rendition *rendition, char *name,
                          size_t size, size_t *length, carve_error *error);
/* Returns the size on the screen in points. CARVE_NONE if the content, such as a vector, has no
 * size of its own. */
int32_t carve_point_size(const carve_rendition *rendition, double *width, double *height);
/* Returns "sRGB", "Display P3" and so on, for `space` of a colour; "unknown" for any other number.
 */
const char *carve_color_space_name(uint32_t space);

/* --- Contents --------------------------------------------------------------------------------- */

/* Returns the bytes of a pixel; 0 if the number is not a layout. */
size_t carve_pixel_size(int layout);
/* Writes the pixels, from the top row down; row y starts at y * stride. The bytes between the end
 * of a row and the next row may be overwritten. A picture whose pixels are stored in the requested
 * layout (BGRA8 and RGBA8 for most, GRAY_ALPHA8 for grey ones, RGBA16F for wide ones) is decoded in
 * place: the call allocates and frees 52 KB for the codec. Only if the rows in the archive have
 * another stride than yours, it also takes memory for about a third of the picture. For other
 * layouts and spaces, and for pictures in atlases, pixels are first decoded into memory that the
 * call allocates. A vector is drawn at the size of its page, which carve_get_vector returns;
 * carve_rendition does not contain it. JPEG: files of 8 bits, baseline or progressive, in grey or
 * in colours, which are converted from the ICC profile of the file, are decoded; the picture is not
 * turned (see carve_orientation), and parts that are missing at the end of the file are grey. The
 * call allocates up to 22 bytes for each pixel, also with a decoder. Other kinds of JPEG, such as
 * inks, give CARVE_CODEC. A HEIF file gives CARVE_WRONG_CONTENT: carve_read_file returns it. */
int32_t carve_decode(const carve_catalog *catalog, const carve_rendition *rendition, int layout,
                     int space, void *pixels, size_t size, size_t stride,
                     const carve_limits *limits, carve_error *error);
/* Fills width times height pixels according to the slicing, mirrored if the rendition is mirrored.
 * The layout must have 8 bits for each channel. */
int32_t carve_draw_sliced(const carve_catalog *catalog, const carve_rendition *rendition, int layout,
                          int space, uint32_t width, uint32_t height, void *pixels, size_t size,
                          size_t stride, const carve_limits *limits, carve_error *error);
/* Reads a PDF or SVG and returns the size of its page. For a bitmap, this is the file that
 * carve_find_vector finds, also in carve_draw_vector. */
int32_t carve_get_vector(const carve_catalog *catalog, const carve_rendition *rendition,
                         carve_vector *vector, const carve_limits *limits, carve_error *error);
/* Draws a PDF or SVG, width times height pixels large, at most 16,384 in each direction. A size
 * that the page has at a whole scale gives the pixels that `carve compile` stores for that
 * scale, up to the rounding of stored colours by one (`--exact-pixels` stores them as they are);
 * at any other size the page is stretched to fill it. A mirrored rendition is drawn mirrored. If
 * `tint` is not NULL, its colour replaces all colours, whose alpha is kept and multiplied by the
 * tint's: this is how templates are drawn, see template_intent. The tint may have the spaces of
 * carve_color; Display P3 becomes the nearest colour of sRGB.
 *
 * The call counts against scratch_bytes: the file, eight bytes for each pixel, and four more for
 * each pixel unless the layout is BGRA8 or RGBA8 in CARVE_SRGB, and the rows and the stride are
 * multiples of four bytes: such pixels are drawn in place. Half of the rest is for the decompressed
 * streams and images of a PDF, the other half for groups and clips. In addition, the parsed file
 * takes memory in proportion to its text. Without limits, the text may have 1 MiB more than the
 * archive's file. Files that never end give CARVE_OVER_LIMIT. A static library without vectors
 * returns CARVE_UNSUPPORTED, here and in carve_decode. */
int32_t carve_draw_vector(const carve_catalog *catalog, const carve_rendition *rendition, int layout,
                          int space, uint32_t width, uint32_t height, const carve_color *tint,
                          void *pixels, size_t size, size_t stride, const carve_limits *limits,
                          carve_error *error);
/* Measures a symbol in any weight and size; `style` may be NULL. Returns CARVE_NONE if the symbol
 * does not exist. A weight that the archive lacks is interpolated between the nearest lighter and
 * bolder drawings; if their outlines have different steps, the nearest drawing is shown. A size
 * that the archive lacks is made from another size. */
int32_t carve_get_symbol(const carve_view *view, const char *name, size_t length,
                         const carve_symbol_style *style, carve_symbol *symbol,
                         const carve_limits *limits, carve_error *error);
/* Draws a symbol so that its outlines fill width times height pixels. It is black if `tint` is
 * NULL. System colours are those of the view's style. carve_draw_vector says what counts against
 * the limits. */
int32_t carve_draw_symbol(const carve_view *view, const char *name, size_t length,
                          const carve_symbol_style *style, int layout, int space, uint32_t width,
                          uint32_t height, const carve_color *tint, void *pixels, size_t size,
                          size_t stride, const carve_limits *limits, carve_error *error);
/* Creates a decoder, which decodes and draws several pictures in a row. It keeps the last atlas
 * that it decoded, so that consecutive pictures of one atlas decode it once, and all other memory
 * that its calls needed: while pictures grow no larger, decoding allocates nothing, except some
 * memory for each tile of deepmap2. It keeps its archive open. One thread at a time may use a
 * decoder: give each thread its own. */
int32_t carve_decoder_create(const carve_catalog *catalog, carve_decoder **decoder,
                             carve_error *error);
/* Decodes as carve_decode does. */
int32_t carve_decoder_decode(carve_decoder *decoder, const carve_rendition *rendition, int layout,
                             int space, void *pixels, size_t size, size_t stride,
                             const carve_limits *limits, carve_error *error);
/* Draws as carve_draw_sliced does. */
int32_t carve_decoder_draw_sliced(carve_decoder *decoder, const carve_rendition *rendition,
                                  int layout, int space, uint32_t width, uint32_t height,
                                  void *pixels, size_t size, size_t stride,
                                  const carve_limits *limits, carve_error *error);
/* Draws as carve_draw_vector does. The memory of drawing is kept; the file is read each time. */
int32_t carve_decoder_draw_vector(carve_decoder *decoder, const carve_rendition *rendition,
                                  int layout, int space, uint32_t width, uint32_t height,
                                  const carve_color *tint, void *pixels, size_t size,
                                  size_t stride, const carve_limits *limits, carve_error *error);
/* Draws as carve_draw_symbol does, in a view of the decoder's archive. The memory of drawing is
 * kept. */
int32_t carve_decoder_draw_symbol(carve_decoder *decoder, const carve_view *view, const char *name,
                                  size_t length, const carve_symbol_style *style, int layout,
                                  int space, uint32_t width, uint32_t height, const carve_color *tint,
                                  void *pixels, size_t size, size_t stride,
                                  const carve_limits *limits, carve_error *error);
/* Closes a decoder. NULL is allowed. */
void carve_decoder_close(carve_decoder *decoder);
/* Returns the components of a colour. A gray has equal red, green and blue. */
int32_t carve_get_color(const carve_catalog *catalog, const carve_rendition *rendition,
                        carve_color *color, carve_error *error);
/* Returns how the picture of a JPEG or HEIF file has to be turned, by EXIF's numbers, from 1 for
 * upright to 8; 1 for any other content. */
int32_t carve_orientation(const carve_catalog *catalog, const carve_rendition *rendition,
                          uint32_t *orientation, carve_error *error);
/* Returns the type that the archive gives to data, such as "public.json"; NULL and 0 if it gives
 * no type. The text lies in the file, has no zero byte at the end, and stays at this address until
 * the archive and its views are closed. */
int32_t carve_type_identifier(const carve_catalog *catalog, const carve_rendition *rendition,
                              const char **text, size_t *length, carve_error *error);
/* Returns the size of data, of a vector or of a JPEG or HEIF file. If the file is compressed in the
 * archive, it may state any size. */
int32_t carve_file_size(const carve_catalog *catalog, const carve_rendition *rendition,
                        size_t *size, carve_error *error);
/* Writes the file to the buffer, whose size is the limit. The call allocates nothing except the 52
 * KB of the codec if the file is compressed in the archive. */
int32_t carve_read_file(const carve_catalog *catalog, const carve_rendition *rendition,
                        void *buffer, size_t size, carve_error *error);

#ifdef __cplusplus
}
#endif

#endif
