// Draws every asset of an archive, as given traits show it, on one sheet: a PAM file with a cell for
// each asset, in the order of the names. Lists what each cell shows.
//
//     sheet Assets.car [TRAITS] [-o sheet.pam]
//     sheet Assets.car idiom=pad,scale=2,style=dark -o dark.pam
#include <carve.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr std::uint32_t cell = 96, room = 80, columns = 12;

/// Returns the pixels, reduced so that they fit into a cell: each pixel is the mean of those that it
/// covers.
carve::pixels reduced(const carve::pixels &from) {
  const std::uint32_t longer = std::max(from.width, from.height);
  if (longer <= room) return from;
  carve::pixels to;
  to.width = std::max<std::uint32_t>(1, std::uint64_t{from.width} * room / longer);
  to.height = std::max<std::uint32_t>(1, std::uint64_t{from.height} * room / longer);
  to.bytes.resize(to.stride() * to.height);
  for (std::uint32_t y = 0; y < to.height; y++) {
    const std::size_t top = std::uint64_t{y} * from.height / to.height;
    const std::size_t bottom = std::uint64_t{y + 1} * from.height / to.height;
    for (std::uint32_t x = 0; x < to.width; x++) {
      const std::size_t left = std::uint64_t{x} * from.width / to.width;
      const std::size_t right = std::uint64_t{x + 1} * from.width / to.width;
      std::uint64_t sums[4] = {};
      for (std::size_t row = top; row < bottom; row++)
        for (std::size_t column = left; column < right; column++)
          for (int channel = 0; channel < 4; channel++)
            sums[channel] += from.bytes[row * from.stride() + column * 4 + channel];
      for (int channel = 0; channel < 4; channel++)
        to.bytes[y * to.stride() + x * 4 + channel] =
            static_cast<std::uint8_t>(sums[channel] / ((bottom - top) * (right - left)));
    }
  }
  return to;
}

carve::pixels filled(const carve::color &color) {
  carve::pixels made;
  made.width = made.height = room;
  made.bytes.resize(made.stride() * made.height);
  const double parts[4] = {color.red * color.alpha, color.green * color.alpha,
                           color.blue * color.alpha, color.alpha};
  for (std::size_t place = 0; place < made.bytes.size(); place++)
    made.bytes[place] =
        static_cast<std::uint8_t>(std::clamp(parts[place % 4], 0.0, 1.0) * 255 + 0.5);
  return made;
}

/// Returns the picture of an asset, and says in `words` what it is; without pixels if the program
/// has to decode the file itself.
carve::pixels picture(const carve::catalog &catalog, carve::decoder &decoder,
                      const carve::rendition &shown, std::string &words) {
  switch (shown.content_kind()) {
    case carve::content::color:
      words = "a colour";
      return filled(catalog.color_of(shown));
    case carve::content::pdf:
    case carve::content::svg: {
      const carve::vector_page page = catalog.page_of(shown);
      const double share = room / std::max({page.width, page.height, 1.0});
      words = "a vector";
      return decoder.draw_vector(shown, std::max(1u, static_cast<unsigned>(page.width * share)),
                                 std::max(1u, static_cast<unsigned>(page.height * share)));
    }
    case carve::content::nothing:
      words = "nothing, on purpose";
      return {};
    default:
      if (!shown.has_pixels()) {
        words = std::to_string(catalog.file_of(shown).size()) + " bytes";
        if (shown.content_kind() == carve::content::heif) words += " of HEIF";
        return {};
      }
      words = std::to_string(shown.pixel_width) + "x" + std::to_string(shown.pixel_height) +
              " pixels";
      return reduced(decoder.decode(shown));
  }
}

void put(const carve::pixels &from, std::vector<std::uint8_t> &sheet, std::size_t number) {
  const std::size_t left = number % columns * cell + (cell - from.width) / 2;
  const std::size_t top = number / columns * cell + (cell - from.height) / 2;
  for (std::uint32_t y = 0; y < from.height; y++)
    std::memcpy(&sheet[((top + y) * columns * cell + left) * 4], &from.bytes[y * from.stride()],
                from.stride());
}

// The colours of PAM files are not premultiplied.
bool write(const char *path, std::vector<std::uint8_t> &sheet) {
  std::FILE *file = std::fopen(path, "wb");
  if (!file) return false;
  for (std::size_t place = 0; place < sheet.size(); place += 4)
    for (int channel = 0; channel < 3 && sheet[place + 3]; channel++)
      sheet[place + channel] = static_cast<std::uint8_t>(
          (sheet[place + channel] * 255 + sheet[place + 3] / 2) / sheet[place + 3]);
  std::fprintf(file, "P7\nWIDTH %u\nHEIGHT %zu\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
               columns * cell, sheet.size() / 4 / (columns * cell));
  std::fwrite(sheet.data(), 1, sheet.size(), file);
  return std::fclose(file) == 0;
}

int draw(const char *archive, const char *traits, const char *output) {
  const carve::catalog catalog = carve::catalog::open(archive);
  const carve::view view = catalog.view_for(carve::traits::parse(traits));
  carve::decoder decoder = carve::decoder::make(catalog);
  const std::size_t rows = (catalog.asset_count() + columns - 1) / columns;
  std::vector<std::uint8_t> sheet(rows * cell * columns * cell * 4);
  std::size_t number = 0;
  for (const carve::asset &asset : catalog.assets()) {
    const std::size_t place = number++;
    std::string words = "nothing for these traits";
    try {
      if (const auto shown = view.find(asset.id))
        put(picture(catalog, decoder, *shown, words), sheet, place);
    } catch (const carve::error &error) {
      words = error.what();
    }
    std::printf("%.*s: %s\n", static_cast<int>(asset.name.size()), asset.name.data(), words.c_str());
  }
  if (!output || write(output, sheet)) return 0;
  std::perror(output);
  return 1;
}

}  // namespace

int main(int argc, char **argv) {
  const char *traits = "", *output = nullptr;
  if (argc < 2) {
    std::fprintf(stderr, "usage: sheet ARCHIVE [TRAITS] [-o FILE.pam]\n");
    return 2;
  }
  for (int i = 2; i < argc; i++) {
    if (std::strcmp(argv[i], "-o") == 0 && i + 1 < argc) output = argv[++i];
    else traits = argv[i];
  }
  try {
    return draw(argv[1], traits, output);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "sheet: %s\n", error.what());
    return 1;
  }
}
