// The words of the command line as the process received them. Swift reads them from /proc on Linux,
// which does not exist in every container and build sandbox.
#include "posix.h"

static int count;
static char *const *words;

#ifdef __GLIBC__
// glibc passes them to every constructor; other libraries do not.
__attribute__((constructor)) static void keep_arguments(int argument_count, char **arguments) {
  count = argument_count;
  words = arguments;
}
#endif

#ifdef CARVE_STATIC
// In a fully static program the Swift run time searches /proc for its own installation, which Carve
// does not need, and ends the process if /proc does not exist. If this variable is set, it does not
// search.
__attribute__((constructor(101))) static void answer_for_missing_proc(void) {
  if (access("/proc/self/exe", F_OK) != 0) setenv("SWIFT_ROOT", "/", 0);
}
#endif

int carve_argument_count(void) { return count; }

const char *carve_argument(int place) { return words[place]; }
