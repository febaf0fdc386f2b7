/* carve.hpp: asset catalogues at run time, for C++17 and newer. A header over carve.h: it has no
 * library of its own, and carve.h documents what each call does and costs.
 *
 *     carve::catalog catalog = carve::catalog::open("Assets.car");
 *     carve::view view = catalog.view_for(carve::traits::parse("scale=2,style=dark"));
 *     if (auto star = view.find("Star")) {
 *       carve::pixels picture = catalog.decode(*star);
 *       upload(picture.bytes.data(), picture.width, picture.height, picture.stride());
 *     }
 *
 * Handles close themselves. Copies of an archive or a view share one handle; a decoder can only be
 * moved. A view keeps its archive open, and so does a decoder. An object that was moved from
 * finds nothing, and its other functions fail with CARVE_BAD_ARGUMENT.
 *
 * Errors: "nothing is found" is an empty std::optional. Everything else that fails throws a
 * carve::error, which has the status and the sentence of carve.h. If CARVE_NO_EXCEPTIONS is defined,
 * or the compiler has exceptions turned off, functions that can fail return a carve::result instead,
 * which holds the value or the error; carve::outcome<T> is T or result<T>. The two forms have names
 * of their own for the linker, so that one program may contain both.
 *
 * Views of memory are carve::span, in every version of C++, so that files of one program that are
 * compiled for different versions agree. It is made from anything that has data() and size(),
 * std::span among them, and C++20 makes a std::span of it.
 */
#ifndef CARVE_HPP
#define CARVE_HPP

#include <carve.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L && defined(__has_include)
#if __has_include(<ranges>)
#include <ranges>
#endif
#endif

#if !defined(CARVE_NO_EXCEPTIONS) && !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#define CARVE_NO_EXCEPTIONS
#endif

namespace carve {

/* --- Words ------------------------------------------------------------------------------------ */

enum class kind : int {
  image = CARVE_IMAGE,
  color = CARVE_COLOR,
  data = CARVE_DATA,
  symbol = CARVE_SYMBOL,
  icon = CARVE_ICON
};
enum class content : std::uint8_t {
  other = CARVE_CONTENT_OTHER,
  bitmap = CARVE_CONTENT_BITMAP,
  atlas_bitmap = CARVE_CONTENT_ATLAS_BITMAP,
  color = CARVE_CONTENT_COLOR,
  data = CARVE_CONTENT_DATA,
  jpeg = CARVE_CONTENT_JPEG,
  heif = CARVE_CONTENT_HEIF,
  pdf = CARVE_CONTENT_PDF,
  svg = CARVE_CONTENT_SVG,
  nothing = CARVE_CONTENT_NOTHING
};
enum class layout : int {
  bgra8 = CARVE_BGRA8,
  rgba8 = CARVE_RGBA8,
  gray8 = CARVE_GRAY8,
  gray_alpha8 = CARVE_GRAY_ALPHA8,
  rgba16f = CARVE_RGBA16F
};
enum class space : int { srgb = CARVE_SRGB, display_p3 = CARVE_DISPLAY_P3 };

/* The number of an asset: see carve_id_of_name. */
using id = std::uint64_t;
inline id id_of(std::string_view name, kind of = kind::image) noexcept {
  return carve_id_of_name(name.data(), name.size(), static_cast<int>(of));
}

inline std::size_t pixel_size(layout of) noexcept { return carve_pixel_size(static_cast<int>(of)); }

/* A part of memory that belongs to another object. */
template <class T>
class span {
 public:
  constexpr span() noexcept = default;
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <class Container, class Data = decltype(std::declval<Container &>().data()),
            class = std::enable_if_t<std::is_convertible_v<
                                         std::remove_pointer_t<Data> (*)[], T (*)[]> &&
                                     !std::is_same_v<std::remove_cv_t<Container>, span>>>
  constexpr span(Container &&container) noexcept
      : data_(container.data()), size_(container.size()) {}
  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }
  constexpr T &operator[](std::size_t place) const noexcept { return data_[place]; }

 private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/* --- Errors ----------------------------------------------------------------------------------- */

class error : public std::exception {
 public:
  explicit error(const carve_error &from) noexcept : from_(from) {}
  /* One of CARVE_... of carve.h. */
  std::int32_t status() const noexcept { return from_.status; }
  const char *what() const noexcept override { return from_.message; }

 private:
  carve_error from_;
};

/* The value of a call, or its error. The value must only be read if there is one. */
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : value_(std::move(value)) {}
  result(const carve::error &reason) : reason_(reason) {}
  bool has_value() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  T &operator*() noexcept { return *value_; }
  const T &operator*() const noexcept { return *value_; }
  T *operator->() noexcept { return &*value_; }
  const T *operator->() const noexcept { return &*value_; }
  const carve::error &error() const noexcept { return *reason_; }

 private:
  std::optional<T> value_;
  std::optional<carve::error> reason_;
};
template <>
class [[nodiscard]] result<void> {
 public:
  result() = default;
  result(const carve::error &reason) : reason_(reason) {}
  bool has_value() const noexcept { return !reason_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  const carve::error &error() const noexcept { return *reason_; }

 private:
  std::optional<carve::error> reason_;
};

#ifdef CARVE_NO_EXCEPTIONS
inline namespace with_results {
template <class T>
using outcome = result<T>;
namespace detail {
template <class T>
outcome<T> failed(const carve_error &reason) {
  return error(reason);
}
inline outcome<void> finished(std::int32_t status, const carve_error &reason) {
  return status == CARVE_OK ? outcome<void>() : outcome<void>(error(reason));
}
}  // namespace detail
#else
inline namespace with_exceptions {
template <class T>
using outcome = T;
namespace detail {
template <class T>
[[noreturn]] outcome<T> failed(const carve_error &reason) {
  throw error(reason);
}
inline void finished(std::int32_t status, const carve_error &reason) {
  if (status != CARVE_OK) throw error(reason);
}
}  // namespace detail
#endif

/* --- Values ----------------------------------------------------------------------------------- */

/* The traits of a window; the unspecified request if nothing is set. */
struct traits : carve_traits {
  traits() noexcept { carve_traits_init(this, sizeof(carve_traits)); }
  /* Reads text such as "idiom=pad,scale=2,style=dark". */
  static outcome<traits> parse(const std::string &text) {
    traits read;
    carve_error reason;
    if (carve_traits_parse(text.c_str(), &read, sizeof(carve_traits), &reason) != CARVE_OK)
      return detail::failed<traits>(reason);
    return read;
  }
  /* Returns the traits of a window on a device, which has a model or a name: see
   * carve_traits_for_device. NULL is the full screen, and the first orientation that has it. */
  static outcome<traits> for_device(const std::string &device, const char *window = nullptr,
                                    const char *orientation = nullptr) {
    traits read;
    carve_error reason;
    if (carve_traits_for_device(device.c_str(), window, orientation, &read, sizeof(carve_traits),
                                &reason) != CARVE_OK)
      return detail::failed<traits>(reason);
    return read;
  }
  /* Sets the languages, the preferred one first, with the shorter tags of each, such as es after
   * es-MX; none if a text is no tag. Numbers beyond CARVE_MOST_LANGUAGES are left out. */
  traits &prefer(std::initializer_list<const char *> tags) {
    std::string text;
    bool are_tags = true;
    for (const char *tag : tags) {
      text.append(text.empty() ? "language=" : ":").append(tag);
      are_tags = are_tags && std::strpbrk(tag, ",:") == nullptr;
    }
    carve_traits read;
    carve_traits_init(&read, sizeof read);
    are_tags = are_tags && carve_traits_parse(text.c_str(), &read, sizeof read, nullptr) == CARVE_OK;
    language_count = are_tags ? read.language_count : 0;
    std::memcpy(languages, read.languages, sizeof languages);
    return *this;
  }
};

struct point_size {
  double width, height;
};

/* A variant that was found. It is a value: it stays valid after its view and archive. */
struct rendition : carve_rendition {
  rendition() noexcept : carve_rendition{} { size = sizeof(carve_rendition); }
  carve::content content_kind() const noexcept { return static_cast<carve::content>(content); }
  bool is_vector() const noexcept {
    return content == CARVE_CONTENT_PDF || content == CARVE_CONTENT_SVG;
  }
  /* Whether decode() makes pixels of it: a bitmap, a JPEG picture or a vector. */
  bool has_pixels() const noexcept {
    return content == CARVE_CONTENT_BITMAP || content == CARVE_CONTENT_ATLAS_BITMAP ||
           content == CARVE_CONTENT_JPEG || is_vector();
  }
  std::optional<point_size> points() const noexcept {
    point_size found{};
    if (carve_point_size(this, &found.width, &found.height) != CARVE_OK) return std::nullopt;
    return found;
  }
};

struct key : carve_key {
  key() noexcept : carve_key{} { size = sizeof(carve_key); }
};

/* A name with one of its kinds. The name is valid as long as the archive or a view is open. */
struct asset {
  std::string_view name;
  carve::kind kind;
  carve::id id;
  std::uint16_t identifier;
  std::size_t variant_count;
};

struct variant {
  carve::key key;
  carve::rendition rendition;
};

struct localization {
  std::uint16_t number;
  std::string tag;
};

/* A colour, not premultiplied: see carve_color. */
struct color : carve_color {
  color() noexcept : carve_color{} { size = sizeof(carve_color); }
  /* A colour of sRGB, such as a tint. */
  color(double r, double g, double b, double a = 1) noexcept : color() {
    space = 1, red = r, green = g, blue = b, alpha = a;
  }
  std::optional<std::string_view> system() const noexcept {
    if (!system_name) return std::nullopt;
    return std::string_view(system_name, system_name_length);
  }
};

struct vector_page : carve_vector {
  vector_page() noexcept : carve_vector{} { size = sizeof(carve_vector); }
};
struct symbol_style : carve_symbol_style {
  symbol_style() noexcept : carve_symbol_style{} { size = sizeof(carve_symbol_style); }
};
struct symbol : carve_symbol {
  symbol() noexcept : carve_symbol{} { size = sizeof(carve_symbol); }
};
struct limits : carve_limits {
  limits(std::uint32_t most_width, std::uint32_t most_height, std::uint64_t most_bytes) noexcept
      : carve_limits{sizeof(carve_limits), most_width, most_height, 0, most_bytes} {}
};

/* How pixels are made. */
struct options {
  layout format = layout::rgba8;
  space colors = space::srgb;
  /* Replaces all colours of a vector or a symbol. */
  const color *tint = nullptr;
  const carve_limits *limits = nullptr;
};

/* Pixels from the top row down, without gaps between the rows. Colour is premultiplied. */
struct pixels {
  std::uint32_t width = 0, height = 0;
  layout format = layout::rgba8;
  std::vector<std::uint8_t> bytes;
  std::size_t stride() const noexcept { return width * pixel_size(format); }
};

/* Memory of the caller for pixels; row y begins at y * stride. */
struct target {
  span<std::uint8_t> bytes;
  std::size_t stride;
};

namespace detail {

inline carve_error reason(std::int32_t status, const char *words) noexcept {
  carve_error made{};
  made.status = status;
  std::strncpy(made.message, words, sizeof made.message - 1);
  return made;
}

/* Makes room for a picture and calls `draw` to fill it. A file may state any size, so that sizes
 * beyond the limits are refused before memory is taken. */
template <class Draw>
outcome<pixels> painted(std::uint32_t width, std::uint32_t height, const options &how, Draw draw) {
  const std::uint64_t most = how.limits ? how.limits->scratch_bytes : std::uint64_t{1} << 29;
  const std::uint32_t wide = how.limits ? how.limits->width : 16384;
  const std::uint32_t high = how.limits ? how.limits->height : 16384;
  const std::uint64_t row = std::uint64_t{width} * pixel_size(how.format);
  if (width > wide || height > high || (height > 0 && row > most / height) ||
      row * height > static_cast<std::size_t>(-1))
    return failed<pixels>(reason(CARVE_OVER_LIMIT, "the picture is over the limits"));
  pixels made;
  made.width = width;
  made.height = height;
  made.format = how.format;
  made.bytes.resize(static_cast<std::size_t>(row * height));
  carve_error why{};
  target into{made.bytes, static_cast<std::size_t>(row)};
  if (draw(into, &why) != CARVE_OK) return failed<pixels>(why);
  return made;
}

/* The items of a list, for loops: `next` returns the item at a place, or nothing after the last. */
template <class Next>
class listing {
 public:
  using item = typename std::invoke_result_t<const Next &, std::size_t>::value_type;
  struct end_of_list {};
  class iterator {
   public:
    explicit iterator(const Next *next) : next_(next), item_((*next)(0)) {}
    const item &operator*() const { return *item_; }
    const item *operator->() const { return &*item_; }
    iterator &operator++() {
      item_ = (*next_)(++place_);
      return *this;
    }
    bool operator!=(end_of_list) const { return item_.has_value(); }

   private:
    const Next *next_;
    std::size_t place_ = 0;
    std::optional<item> item_;
  };
  explicit listing(Next next) : next_(std::move(next)) {}
  iterator begin() const { return iterator(&next_); }
  end_of_list end() const { return {}; }

 private:
  Next next_;
};

}  // namespace detail

/* --- Views ------------------------------------------------------------------------------------ */

class decoder;

/* An archive seen with one set of traits. A lookup takes no lock and allocates nothing. */
class view {
 public:
  view() = default;

  /* Looks up the variant that is shown. */
  std::optional<rendition> find(std::string_view name, kind of = kind::image) const noexcept {
    rendition found;
    return found_if(carve_find(get(), name.data(), name.size(), static_cast<int>(of), &found), found);
  }
  std::optional<rendition> find(id of) const noexcept {
    rendition found;
    return found_if(carve_find_id(get(), of, &found), found);
  }
  /* Looks up the PDF or SVG of the variant that is shown. */
  std::optional<rendition> find_vector(std::string_view name, kind of = kind::image) const noexcept {
    rendition found;
    return found_if(
        carve_find_vector(get(), name.data(), name.size(), static_cast<int>(of), &found), found);
  }
  /* Looks up one of the drawings of a symbol. */
  std::optional<rendition> find_symbol(std::string_view name, int weight, int size) const noexcept {
    rendition found;
    return found_if(carve_find_symbol(get(), name.data(), name.size(), weight, size, &found), found);
  }
  /* Returns the decision alone; equal results show the same picture: see carve_choice. */
  std::uint32_t choice(id of) const noexcept { return carve_choice(get(), of); }
  /* Returns the reason for which nothing is found: CARVE_OBSTACLE_... */
  std::int32_t obstacle(std::string_view name, kind of = kind::image) const noexcept {
    return carve_obstacle(get(), name.data(), name.size(), static_cast<int>(of));
  }

  /* Measures a symbol; nothing if it does not exist. */
  outcome<std::optional<symbol>> measure_symbol(std::string_view name, const symbol_style &style = {},
                                                const carve_limits *limits = nullptr) const {
    symbol found;
    carve_error why{};
    const std::int32_t status =
        carve_get_symbol(get(), name.data(), name.size(), &style, &found, limits, &why);
    if (status == CARVE_NONE) return std::optional<symbol>();
    if (status != CARVE_OK) return detail::failed<std::optional<symbol>>(why);
    return std::optional<symbol>(found);
  }
  /* Draws a symbol so that its outlines fill the size. */
  outcome<pixels> draw_symbol(std::string_view name, std::uint32_t width, std::uint32_t height,
                              const symbol_style &style = {}, const options &how = {}) const {
    return detail::painted(width, height, how, [&](const target &into, carve_error *why) {
      return carve_draw_symbol(get(), name.data(), name.size(), &style, static_cast<int>(how.format),
                               static_cast<int>(how.colors), width, height, how.tint,
                               into.bytes.data(), into.bytes.size(), into.stride, how.limits, why);
    });
  }

  /* Returns the handle, for calls of carve.h. */
  const carve_view *get() const noexcept { return handle_.get(); }
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
  friend class catalog;
  explicit view(carve_view *handle) : handle_(handle, carve_view_close) {}
  static std::optional<rendition> found_if(std::int32_t status, const rendition &found) noexcept {
    return status == CARVE_OK ? std::optional<rendition>(found) : std::nullopt;
  }
  std::shared_ptr<carve_view> handle_;
};

/* --- Archives --------------------------------------------------------------------------------- */

class catalog {
 public:
  catalog() = default;

  /* Maps a file and opens it. */
  static outcome<catalog> open(const std::string &path) {
    return opened([&](carve_catalog **made, carve_error *why) {
      if (path.find('\0') == std::string::npos) return carve_open(path.c_str(), made, why);
      why->status = CARVE_BAD_ARGUMENT;
      std::strcpy(why->message, "the path contains a zero byte");
      return why->status;
    });
  }
  /* Maps the file of a descriptor, which may be closed afterwards. */
  static outcome<catalog> open_descriptor(int descriptor) {
    return opened([&](carve_catalog **made, carve_error *why) {
      return carve_open_descriptor(descriptor, made, why);
    });
  }
  /* Opens a copy of the bytes. */
  static outcome<catalog> copy(span<const std::uint8_t> bytes) {
    return opened([&](carve_catalog **made, carve_error *why) {
      return carve_open_bytes(bytes.data(), bytes.size(), 0, made, why);
    });
  }
  /* Opens the bytes in place. They must not change until the archive and all its views and
   * decoders are closed. */
  static outcome<catalog> lend(span<const std::uint8_t> bytes) {
    return opened([&](carve_catalog **made, carve_error *why) {
      return carve_open_bytes(bytes.data(), bytes.size(), 1, made, why);
    });
  }

  bool uses_index() const noexcept { return get() && carve_uses_index(get()) == 1; }
  outcome<view> view_for(const carve_traits &window) const {
    carve_view *made = nullptr;
    carve_error why{};
    if (carve_view_for(get(), &window, &made, &why) != CARVE_OK) return detail::failed<view>(why);
    return view(made);
  }
  /* Returns the assets that look different in the second view. */
  outcome<std::vector<id>> transition(const view &from, const view &to) const {
    std::vector<id> ids(asset_count());
    std::size_t count = 0;
    const std::int32_t status =
        carve_transition(from.get(), to.get(), ids.data(), ids.size(), &count);
    if (status != CARVE_OK)
      return detail::failed<std::vector<id>>(
          detail::reason(status, "two views of one archive are needed"));
    ids.resize(count < ids.size() ? count : ids.size());
    return ids;
  }

  std::size_t asset_count() const noexcept { return get() ? carve_asset_count(get()) : 0; }
  /* Returns the id of a name; nothing if the archive does not have it. */
  std::optional<id> find_id(std::string_view name, kind of = kind::image) const noexcept {
    const id found = carve_id(get(), name.data(), name.size(), static_cast<int>(of));
    return found == 0 ? std::nullopt : std::optional<id>(found);
  }
  /* The assets by name, then kind, for a loop. */
  auto assets() const {
    return detail::listing([own = *this](std::size_t place) -> std::optional<asset> {
      carve_asset found{};
      found.size = sizeof found;
      if (!own.get() || carve_asset_at(own.get(), place, &found) != CARVE_OK) return std::nullopt;
      return asset{std::string_view(found.name, found.name_length),
                   static_cast<carve::kind>(found.kind), found.id, found.identifier,
                   found.variant_count};
    });
  }
  /* The variants of an asset with their keys, for a loop. */
  auto variants(id of) const {
    return detail::listing([own = *this, of](std::size_t place) -> std::optional<variant> {
      variant found;
      if (!own.get() ||
          carve_variant_at(own.get(), of, place, &found.key, &found.rendition) != CARVE_OK)
        return std::nullopt;
      return found;
    });
  }
  /* The localizations that give languages of keys their tags, for a loop. */
  auto localizations() const {
    return detail::listing([own = *this](std::size_t place) -> std::optional<localization> {
      localization found{};
      std::size_t length = 0;
      if (!own.get() || carve_localization_at(own.get(), place, &found.number, nullptr, 0, &length) ==
                            CARVE_NONE)
        return std::nullopt;
      // The library writes a zero byte behind the text, where a string has one.
      found.tag.resize(length);
      if (carve_localization_at(own.get(), place, &found.number, found.tag.data(), length + 1,
                                &length) != CARVE_OK)
        return std::nullopt;
      return found;
    });
  }

  /* Decodes a picture; a vector is drawn at the size of its page. */
  outcome<pixels> decode(const rendition &of, const options &how = {}) const {
    return decoded(of, how, [&](const target &into, carve_error *why) {
      return carve_decode(get(), &of, static_cast<int>(how.format), static_cast<int>(how.colors),
                          into.bytes.data(), into.bytes.size(), into.stride, how.limits, why);
    });
  }
  /* Decodes a picture into memory of the caller. */
  outcome<void> decode(const rendition &of, const target &into, const options &how = {}) const {
    carve_error why{};
    return detail::finished(
        carve_decode(get(), &of, static_cast<int>(how.format), static_cast<int>(how.colors),
                     into.bytes.data(), into.bytes.size(), into.stride, how.limits, &why),
        why);
  }
  /* Stretches a picture by its slicing. */
  outcome<pixels> draw_sliced(const rendition &of, std::uint32_t width, std::uint32_t height,
                              const options &how = {}) const {
    return detail::painted(width, height, how, [&](const target &into, carve_error *why) {
      return carve_draw_sliced(get(), &of, static_cast<int>(how.format),
                               static_cast<int>(how.colors), width, height, into.bytes.data(),
                               into.bytes.size(), into.stride, how.limits, why);
    });
  }
  /* Draws a PDF or SVG, or the one beside a bitmap, at any size. */
  outcome<pixels> draw_vector(const rendition &of, std::uint32_t width, std::uint32_t height,
                              const options &how = {}) const {
    return detail::painted(width, height, how, [&](const target &into, carve_error *why) {
      return carve_draw_vector(get(), &of, static_cast<int>(how.format),
                               static_cast<int>(how.colors), width, height, how.tint,
                               into.bytes.data(), into.bytes.size(), into.stride, how.limits, why);
    });
  }
  outcome<vector_page> page_of(const rendition &of, const carve_limits *limits = nullptr) const {
    vector_page found;
    carve_error why{};
    if (carve_get_vector(get(), &of, &found, limits, &why) != CARVE_OK)
      return detail::failed<vector_page>(why);
    return found;
  }

  outcome<color> color_of(const rendition &of) const {
    color found;
    carve_error why{};
    if (carve_get_color(get(), &of, &found, &why) != CARVE_OK) return detail::failed<color>(why);
    return found;
  }
  /* Returns the file of data, of a vector, or of a JPEG or HEIF picture. A file that states more
   * than `most` bytes is refused. */
  outcome<std::vector<std::uint8_t>> file_of(const rendition &of,
                                             std::size_t most = std::size_t{1} << 29) const {
    using bytes = std::vector<std::uint8_t>;
    std::size_t size = 0;
    carve_error why{};
    if (carve_file_size(get(), &of, &size, &why) != CARVE_OK) return detail::failed<bytes>(why);
    if (size > most)
      return detail::failed<bytes>(detail::reason(CARVE_OVER_LIMIT, "the file is over the limit"));
    bytes file(size);
    if (carve_read_file(get(), &of, file.data(), file.size(), &why) != CARVE_OK)
      return detail::failed<bytes>(why);
    return file;
  }
  /* Returns how a JPEG or HEIF picture has to be turned, by EXIF's numbers. */
  outcome<std::uint32_t> orientation_of(const rendition &of) const {
    std::uint32_t found = 1;
    carve_error why{};
    if (carve_orientation(get(), &of, &found, &why) != CARVE_OK)
      return detail::failed<std::uint32_t>(why);
    return found;
  }
  /* Returns the type of data, such as "public.json"; nothing if the archive gives none. */
  outcome<std::optional<std::string_view>> type_of(const rendition &of) const {
    using type = std::optional<std::string_view>;
    const char *text = nullptr;
    std::size_t length = 0;
    carve_error why{};
    if (carve_type_identifier(get(), &of, &text, &length, &why) != CARVE_OK)
      return detail::failed<type>(why);
    return text ? type(std::string_view(text, length)) : type();
  }
  /* Returns the name that the archive keeps with a variant, usually that of its source file. */
  outcome<std::string> stored_name(const rendition &of) const {
    std::size_t length = 0;
    carve_error why{};
    const std::int32_t asked = carve_stored_name(get(), &of, nullptr, 0, &length, &why);
    if (asked != CARVE_OK && asked != CARVE_BUFFER_TOO_SMALL) return detail::failed<std::string>(why);
    std::string name(length, '\0');
    if (carve_stored_name(get(), &of, name.data(), length + 1, &length, &why) != CARVE_OK)
      return detail::failed<std::string>(why);
    return name;
  }

  /* Returns the handle, for calls of carve.h. */
  carve_catalog *get() const noexcept { return handle_.get(); }
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
  friend class decoder;
  explicit catalog(carve_catalog *handle) : handle_(handle, carve_close) {}

  template <class Open>
  static outcome<catalog> opened(Open open) {
    carve_catalog *made = nullptr;
    carve_error why{};
    if (open(&made, &why) != CARVE_OK) return detail::failed<catalog>(why);
    return catalog(made);
  }

  /* Decodes at the size of the picture or of the page. */
  template <class Draw>
  outcome<pixels> decoded(const rendition &of, const options &how, Draw draw) const {
    std::uint32_t width = of.pixel_width, height = of.pixel_height;
    if (of.is_vector()) {
      vector_page page;
      carve_error why{};
      if (carve_get_vector(get(), &of, &page, how.limits, &why) != CARVE_OK)
        return detail::failed<pixels>(why);
      width = page.pixel_width, height = page.pixel_height;
    }
    return detail::painted(width, height, how, draw);
  }

  std::shared_ptr<carve_catalog> handle_;
};

/* --- Decoders --------------------------------------------------------------------------------- */

/* Decodes and draws several pictures in a row, and keeps the last atlas and the memory of its
 * calls: see carve_decoder_create. One thread at a time may use it. */
class decoder {
 public:
  static outcome<decoder> make(const catalog &of) {
    carve_decoder *made = nullptr;
    carve_error why{};
    if (carve_decoder_create(of.get(), &made, &why) != CARVE_OK)
      return detail::failed<decoder>(why);
    return decoder(of, made);
  }

  /* The functions below do what those of catalog and view do. */
  outcome<pixels> decode(const rendition &of, const options &how = {}) {
    return catalog_.decoded(of, how, [&](const target &into, carve_error *why) {
      return carve_decoder_decode(get(), &of, static_cast<int>(how.format),
                                  static_cast<int>(how.colors), into.bytes.data(),
                                  into.bytes.size(), into.stride, how.limits, why);
    });
  }
  outcome<void> decode(const rendition &of, const target &into, const options &how = {}) {
    carve_error why{};
    return detail::finished(
        carve_decoder_decode(get(), &of, static_cast<int>(how.format), static_cast<int>(how.colors),
                             into.bytes.data(), into.bytes.size(), into.stride, how.limits, &why),
        why);
  }
  outcome<pixels> draw_sliced(const rendition &of, std::uint32_t width, std::uint32_t height,
                              const options &how = {}) {
    return detail::painted(width, height, how, [&](const target &into, carve_error *why) {
      return carve_decoder_draw_sliced(get(), &of, static_cast<int>(how.format),
                                       static_cast<int>(how.colors), width, height,
                                       into.bytes.data(), into.bytes.size(), into.stride, how.limits,
                                       why);
    });
  }
  outcome<pixels> draw_vector(const rendition &of, std::uint32_t width, std::uint32_t height,
                              const options &how = {}) {
    return detail::painted(width, height, how, [&](const target &into, carve_error *why) {
      return carve_decoder_draw_vector(get(), &of, static_cast<int>(how.format),
                                       static_cast<int>(how.colors), width, height, how.tint,
                                       into.bytes.data(), into.bytes.size(), into.stride, how.limits,
                                       why);
    });
  }
  outcome<pixels> draw_symbol(const view &in, std::string_view name, std::uint32_t width,
                              std::uint32_t height, const symbol_style &style = {},
                              const options &how = {}) {
    return detail::painted(width, height, how, [&](const target &into, carve_error *why) {
      return carve_decoder_draw_symbol(get(), in.get(), name.data(), name.size(), &style,
                                       static_cast<int>(how.format), static_cast<int>(how.colors),
                                       width, height, how.tint, into.bytes.data(), into.bytes.size(),
                                       into.stride, how.limits, why);
    });
  }

  /* Returns the handle, for calls of carve.h. */
  carve_decoder *get() const noexcept { return handle_.get(); }

 private:
  struct close {
    void operator()(carve_decoder *handle) const noexcept { carve_decoder_close(handle); }
  };
  decoder(const catalog &of, carve_decoder *handle) : catalog_(of), handle_(handle) {}
  catalog catalog_;
  std::unique_ptr<carve_decoder, close> handle_;
};

}  // namespace with_results or with_exceptions
}  // namespace carve

#if defined(__cpp_lib_ranges)
/* The memory of a span outlives the span. */
template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<carve::span<T>> = true;
#endif

#endif
