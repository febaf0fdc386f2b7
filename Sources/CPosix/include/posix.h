// The POSIX calls that Carve makes, as plain functions without variadics or macros.
// A call that fails returns -1 and leaves the reason in carve_errno().
#pragma once

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static inline int carve_errno(void) { return errno; }

/// How many words the command line had, the tool's own name among them; 0 where that is not known.
int carve_argument_count(void);

/// A word of the command line: `place` is below the count.
const char *carve_argument(int place);

/// The path of the running program, without a zero byte at its end; its length, or -1. Without /proc it is
/// the path by which the program was started.
static inline ssize_t carve_program_path(char *path, size_t size) {
  ssize_t length = readlink("/proc/self/exe", path, size);
  if (length >= 0) return length;
  const char *start = (const char *)getauxval(AT_EXECFN);
  if (start == NULL) return -1;
  char whole[PATH_MAX];
  if (realpath(start, whole) == NULL) return -1;
  if (strlen(whole) > size) return errno = ENAMETOOLONG, -1;
  memcpy(path, whole, strlen(whole));
  return (ssize_t)strlen(whole);
}

static inline int carve_open_read(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static inline int carve_open_new(const char *path) {
  return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/// The same of a path that is no link.
static inline int carve_open_own(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
}

/// Opens or makes a file of the user's own, to write at its end.
static inline int carve_open_append(const char *path) {
  return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/// Opens a device, a pipe or a file without a name, which is emptied.
static inline int carve_open_stream(const char *path) {
  return open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
}

/// The next entry of a folder; NULL at its end, where carve_errno() is 0, and where reading fails.
static inline struct dirent *carve_next_entry(DIR *folder) {
  errno = 0;
  return readdir(folder);
}

/// Whether something that is neither a file nor a folder is at `path`: a device, a pipe, or an open file
/// without a name, to which a link such as /dev/stdout leads.
static inline bool carve_is_special(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0 || S_ISDIR(status.st_mode)) return false;
  if (!S_ISREG(status.st_mode)) return true;
  return status.st_nlink == 0 && lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/// Sets the time of a file to now.
static inline int carve_touch(const char *path) { return utimensat(AT_FDCWD, path, NULL, 0); }

/// The same for an open file.
static inline int carve_touch_open(int descriptor) { return futimens(descriptor, NULL); }

/// The first `size` bytes of a file, to be read and left with munmap; NULL on failure.
static inline void *carve_map_read(int descriptor, size_t size) {
  void *base = mmap(NULL, size, PROT_READ, MAP_SHARED, descriptor, 0);
  return base == MAP_FAILED ? NULL : base;
}

/// Memory full of zeros, which takes room where it is written to; left with munmap; NULL on failure.
static inline void *carve_reserve(size_t size) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  return base == MAP_FAILED ? NULL : base;
}

/// Has the C library give large pieces of memory back as soon as they are freed. Left alone, glibc keeps more
/// with each larger piece that it sees: up to 32 MB that nobody uses.
void carve_bound_spare_memory(void);

/// Gives memory that was freed back to the system, where the C library would keep it for later.
void carve_trim_memory(void);

/// A new file in `folder` that has no name until carve_link_unnamed gives it one.
int carve_open_unnamed(const char *folder);

/// A new file in `folder` that never gets a name, so that it goes with the process.
int carve_open_scratch(const char *folder);

/// Locks an open file until it is closed. Does not wait for who has locked it: EWOULDBLOCK.
int carve_lock(int descriptor);

/// Whether `path` is the open file.
bool carve_is_same(int descriptor, const char *path);

int carve_link_unnamed(int descriptor, const char *path);

/// Lets the disk begin with bytes that were written, so that there is less to wait for in fsync.
void carve_start_writeback(int descriptor, int64_t offset, int64_t count);

/// Makes a rename in `folder` survive a power cut. Best effort: not every system can.
void carve_sync_folder(const char *folder);

static inline bool carve_is_regular(const struct stat *status) { return S_ISREG(status->st_mode); }

static inline bool carve_is_folder(const struct stat *status) { return S_ISDIR(status->st_mode); }

static inline bool carve_is_character_device(const struct stat *status) {
  return S_ISCHR(status->st_mode);
}

static inline bool carve_is_link(const struct stat *status) { return S_ISLNK(status->st_mode); }

/// The processors that this process may run on, which may be fewer than there are.
int carve_processor_count(void);

/// The path of a file without links, to be freed; NULL where it is not there. Called from here, because
/// headers of hardened programs define realpath in several ways, of which Swift takes none.
char *carve_real_path(const char *path);

/// carve_program_path, for modules that see those headers, too.
ssize_t carve_tool_path(char *path, size_t size);

/// A socket that answers on this machine alone, at `port` or, for 0, at one that is free; which it is
/// is written to `bound`.
int carve_listen_loopback(uint16_t port, uint16_t *bound);

/// The next connection. It gives up on a partner that is silent for some seconds.
int carve_accept(int listener);

/// A connection to a port of a host. The host may take so many milliseconds to answer, and may be silent for
/// so long afterwards. -1 on failure, CARVE_UNKNOWN_HOST where nobody knows the name.
int carve_connect(const char *host, const char *port, int patience);

#define CARVE_UNKNOWN_HOST -2

/// Sends without a signal where the partner has gone.
ssize_t carve_send(int descriptor, const void *bytes, size_t count);

/// A descriptor that becomes readable when a watched folder changes.
int carve_watch_start(void);

/// Watches a folder, but not the folders in it.
int carve_watch_add(int watch, const char *folder);

/// Takes what happened: 0 for nothing, 1 for changes of files, 3 where folders came, went or moved, too.
int carve_watch_take(int watch);

/// A descriptor that becomes readable when the process is asked to end while carve_hold_signals holds that
/// back. What the process ignores does not count.
int carve_open_signals(void);

/// Holds requests to end back, or lets them end the process at once.
void carve_hold_signals(bool are_held);
