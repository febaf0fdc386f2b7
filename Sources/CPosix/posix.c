// O_TMPFILE is an extension of Linux. The header must not ask for it: it would change what other
// modules see of the system.
#define _GNU_SOURCE
#include "posix.h"

#include <sched.h>
#include <sys/file.h>

int carve_open_unnamed(const char *folder) {
  // Without /proc the file could not be named later.
  if (access("/proc/self/fd", X_OK) != 0) return -1;
  return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
}

int carve_open_scratch(const char *folder) {
  int descriptor = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  // Not every file system has such files. A kill between the next two calls leaves an empty one.
  char path[4096];
  if (snprintf(path, sizeof path, "%s/carve-XXXXXX", folder) >= (int)sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  descriptor = mkostemp(path, O_CLOEXEC);
  if (descriptor >= 0) unlink(path);
  return descriptor;
}

int carve_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

bool carve_is_same(int descriptor, const char *path) {
  struct stat mine, theirs;
  return fstat(descriptor, &mine) == 0 && stat(path, &theirs) == 0 &&
         mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino;
}

int carve_link_unnamed(int descriptor, const char *path) {
  char source[64];
  snprintf(source, sizeof source, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

void carve_sync_folder(const char *folder) {
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

void carve_start_writeback(int descriptor, int64_t offset, int64_t count) {
  sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

int carve_processor_count(void) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
