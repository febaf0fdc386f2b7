// Looks up the same names in an Android resource table: by name, and by the number that a build
// assigns. Names in Android have no hyphens, so underscores replace them.
#include <androidfw/ApkAssets.h>
#include <androidfw/AssetManager2.h>

#include <string>
#include <vector>

#include "bench.h"

namespace {

struct Bench {
  bench_names names;
  std::vector<std::string> asked;
  std::vector<uint32_t> ids;
  android::AssetManager2 manager;
};

NOINLINE uint64_t by_name(void *data) {
  Bench *bench = static_cast<Bench *>(data);
  uint64_t sum = 0;
  for (size_t i = 0; i < bench->names.lookups; i++)
    sum += bench->manager.GetResourceId(bench->asked[bench->names.order[i]]);
  return sum;
}

NOINLINE uint64_t by_id(void *data) {
  Bench *bench = static_cast<Bench *>(data);
  uint64_t sum = 0;
  for (size_t i = 0; i < bench->names.lookups; i++) {
    android::Res_value value;
    android::ResTable_config config;
    uint32_t flags;
    uint32_t id = bench->ids[bench->names.order[i]];
    bench->manager.GetResource(id, false, 0, &value, &config, &flags);
    sum += value.data;
  }
  return sum;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  Bench bench;
  bench.names = bench_read(argv[2], static_cast<size_t>(atol(argv[3])));
  std::unique_ptr<const android::ApkAssets> apk = android::ApkAssets::Load(argv[1]);
  if (!apk) return 1;
  bench.manager.SetApkAssets({apk.get()});
  for (size_t i = 0; i < bench.names.count; i++) {
    std::string name = bench.names.names[i];
    for (char &letter : name)
      if (letter == '-') letter = '_';
    bench.asked.push_back("a.b:color/" + name);
    bench.ids.push_back(bench.manager.GetResourceId(bench.asked.back()));
    if (!bench.ids.back()) return 1;
  }
  bench_run("android-id", bench.names.lookups, by_id, &bench);
  // By name, the table is searched from its start, so a hundredth of the lookups is enough.
  bench.names.lookups = bench.names.lookups / 100 + 1;
  bench_run("android-name", bench.names.lookups, by_name, &bench);
  return 0;
}
