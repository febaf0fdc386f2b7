// Looks up the same names in a Qt resource: argv[1] is the compiled bundle.
#include <QResource>
#include <QString>

#include "bench.h"

static uint64_t by_name(void *data) {
  auto *names = static_cast<bench_names *>(data);
  uint64_t sum = 0;
  for (size_t i = 0; i < names->lookups; i++) {
    QResource found(QLatin1String(":/") + QLatin1String(names->names[names->order[i]]));
    if (!found.isValid()) exit(1);
    sum += static_cast<uint64_t>(found.size());
  }
  return sum;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  bench_names names = bench_read(argv[2], static_cast<size_t>(atol(argv[3])) / 10 + 1);
  if (!QResource::registerResource(argv[1])) return 1;
  bench_run("qresource-name", names.lookups, by_name, &names);
  return 0;
}
