// Looks up the same names in a GResource: argv[1] is the compiled bundle.
#include <gio/gio.h>

#include "bench.h"

static GResource *resource;

NOINLINE static uint64_t by_name(void *data) {
  bench_names *names = data;
  uint64_t sum = 0;
  char path[600] = "/";
  for (size_t i = 0; i < names->lookups; i++) {
    memcpy(path + 1, names->names[names->order[i]], names->lengths[names->order[i]] + 1);
    GBytes *bytes = g_resource_lookup_data(resource, path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    if (!bytes) exit(1);
    sum += g_bytes_get_size(bytes);
    g_bytes_unref(bytes);
  }
  return sum;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  bench_names names = bench_read(argv[2], (size_t)atol(argv[3]) / 10 + 1);
  resource = g_resource_load(argv[1], NULL);
  if (!resource) return 1;
  bench_run("gresource-name", names.lookups, by_name, &names);
  return 0;
}
