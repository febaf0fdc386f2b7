// Uses carve.h from C++: handles in smart pointers, views in threads.
#include <carve.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Close {
  void operator()(carve_catalog *catalog) const { carve_close(catalog); }
  void operator()(carve_view *view) const { carve_view_close(view); }
};

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  carve_catalog *opened = nullptr;
  carve_error error;
  if (carve_open(argv[1], &opened, &error) != CARVE_OK) {
    std::fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  std::unique_ptr<carve_catalog, Close> catalog(opened);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; number++) {
    threads.emplace_back([&, number] {
      for (int round = 0; round < 500; round++) {
        carve_traits traits;
        carve_traits_init(&traits, sizeof traits);
        traits.scale = uint8_t(1 + (round + number) % 3);
        traits.style = round % 2 ? CARVE_STYLE_DARK : CARVE_STYLE_ANY;
        traits.subtype = uint16_t(round % 100);
        carve_view *made = nullptr;
        if (carve_view_for(catalog.get(), &traits, &made, nullptr) != CARVE_OK) wrong++;
        std::unique_ptr<carve_view, Close> view(made);
        carve_rendition star{};
        star.size = sizeof star;
        const std::string name = "Group/Star";
        if (carve_find(view.get(), name.data(), name.size(), CARVE_IMAGE, &star) != CARVE_OK ||
            star.scale != traits.scale)
          wrong++;
      }
    });
  }
  for (auto &thread : threads) thread.join();
  if (wrong == 0) std::puts("fine");
  return wrong != 0;
}
