// Looks up the same names as files of one folder: asks the system whether each exists.
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

NOINLINE static uint64_t by_name(void *data) {
  bench_names *names = data;
  uint64_t sum = 0;
  for (size_t i = 0; i < names->lookups; i++) {
    struct stat status;
    sum += (uint64_t)stat(names->names[names->order[i]], &status);
  }
  return sum;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  bench_names names = bench_read(argv[2], (size_t)atol(argv[3]) / 10 + 1);
  if (chdir(argv[1])) return 1;
  bench_run("files-name", names.lookups, by_name, &names);
  return 0;
}
