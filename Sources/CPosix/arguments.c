// The words of the command line as the process got them. Swift reads them from /proc on Linux, which a
// container or a build's sandbox may not have.
#include "posix.h"

static int count;
static char *const *words;

#ifdef __GLIBC__
// glibc hands them to every constructor; other libraries do not.
__attribute__((constructor)) static void keep_arguments(int argument_count, char **arguments) {
  count = argument_count;
  words = arguments;
}
#endif

#ifdef CARVE_STATIC
// In a fully static program the run time of Swift asks /proc where it is installed, for which nothing here has
// a use, and gives up where there is none. It asks no further when this variable says it.
__attribute__((constructor(101))) static void answer_for_missing_proc(void) {
  if (access("/proc/self/exe", F_OK) != 0) setenv("SWIFT_ROOT", "/", 0);
}
#endif

int carve_argument_count(void) { return count; }

const char *carve_argument(int place) { return words[place]; }
