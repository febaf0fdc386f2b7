// The POSIX calls of Carve as plain functions, without variadic arguments or macros. A call that
// fails returns -1 and leaves the reason in carve_errno().
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
static inline void carve_set_errno(int number) { errno = number; }

/// Makes a call again for as long as a signal interrupts it before it has done anything.
#define CARVE_AGAIN(call)                        \
  ({                                             \
    int carve_result;                            \
    do {                                         \
      carve_result = (call);                     \
    } while (carve_result < 0 && errno == EINTR); \
    carve_result;                                \
  })

/// Returns the number of words of the command line, with the tool's own name; 0 if they are
/// unknown.
int carve_argument_count(void);

/// Returns a word of the command line. `place` is below the count.
const char *carve_argument(int place);

/// Writes the path of the running program without a zero byte at its end. Returns its length, or
/// -1. If /proc does not exist, it is the path with which the program was started.
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
  return CARVE_AGAIN(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

static inline int carve_open_new(const char *path) {
  return CARVE_AGAIN(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
}

/// Opens a path for reading, unless it is a link.
static inline int carve_open_own(const char *path) {
  return CARVE_AGAIN(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
}

/// Opens or creates a file of the user's own, to write at its end.
static inline int carve_open_append(const char *path) {
  return CARVE_AGAIN(
    open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
}

/// Opens a device, a pipe or a file without a name for writing, and empties it.
static inline int carve_open_stream(const char *path) {
  return CARVE_AGAIN(open(path, O_WRONLY | O_TRUNC | O_CLOEXEC));
}

/// Opens a folder for carve_next_entry and closedir. Returns NULL on failure.
static inline DIR *carve_open_folder(const char *path) {
  DIR *folder;
  do {
    folder = opendir(path);
  } while (folder == NULL && errno == EINTR);
  return folder;
}

/// Waits until what was written to an open file is on the disk.
static inline int carve_sync(int descriptor) { return CARVE_AGAIN(fsync(descriptor)); }

/// Returns the next entry of a folder. Returns NULL at its end, and then carve_errno() is 0, or if
/// reading fails.
static inline struct dirent *carve_next_entry(DIR *folder) {
  errno = 0;
  return readdir(folder);
}

/// Returns whether `path` is neither a file nor a folder: a device, a pipe, or an open file without
/// a name, to which a link such as /dev/stdout leads.
static inline bool carve_is_special(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0 || S_ISDIR(status.st_mode)) return false;
  if (!S_ISREG(status.st_mode)) return true;
  return status.st_nlink == 0 && lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/// Sets the time of a file to now.
static inline int carve_touch(const char *path) { return utimensat(AT_FDCWD, path, NULL, 0); }

/// Sets the time of an open file to now.
static inline int carve_touch_open(int descriptor) { return futimens(descriptor, NULL); }

/// Maps the first `size` bytes of a file for reading; munmap ends the mapping. Returns NULL on
/// failure.
static inline void *carve_map_read(int descriptor, size_t size) {
  void *base = mmap(NULL, size, PROT_READ, MAP_SHARED, descriptor, 0);
  return base == MAP_FAILED ? NULL : base;
}

/// Reserves memory full of zeros, which takes room only when it is written to; munmap frees it.
/// Returns NULL on failure.
static inline void *carve_reserve(size_t size) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  return base == MAP_FAILED ? NULL : base;
}

/// Makes the C library return large pieces of memory to the system as soon as they are freed. By
/// default glibc keeps more with each larger piece that it sees: up to 32 MB of unused memory.
void carve_bound_spare_memory(void);

/// Returns freed memory to the system, even if the C library would keep it for later.
void carve_trim_memory(void);

/// Creates a file in `folder` that has no name until carve_link_unnamed gives it one.
int carve_open_unnamed(const char *folder);

/// Creates a file in `folder` that never gets a name, so that it disappears with the process.
int carve_open_scratch(const char *folder);

/// Locks an open file until it is closed. Does not wait if another process has locked it:
/// EWOULDBLOCK.
int carve_lock(int descriptor);

/// Returns whether `path` is the open file.
bool carve_is_same(int descriptor, const char *path);

int carve_link_unnamed(int descriptor, const char *path);

/// Asks the system to begin writing bytes to the disk, so that fsync has less to wait for.
void carve_start_writeback(int descriptor, int64_t offset, int64_t count);

/// Makes a rename in `folder` survive a power cut, if the system can do that.
void carve_sync_folder(const char *folder);

static inline bool carve_is_regular(const struct stat *status) { return S_ISREG(status->st_mode); }

static inline bool carve_is_folder(const struct stat *status) { return S_ISDIR(status->st_mode); }

static inline bool carve_is_character_device(const struct stat *status) {
  return S_ISCHR(status->st_mode);
}

static inline bool carve_is_link(const struct stat *status) { return S_ISLNK(status->st_mode); }

/// Returns the number of processors on which this process may run.
int carve_processor_count(void);

/// Returns the path of a file without links, to be freed; NULL if the file does not exist. The call
/// is here because headers of hardened programs define realpath in ways that Swift cannot import.
char *carve_real_path(const char *path);

/// Does the same as carve_program_path, for modules that also see those headers.
ssize_t carve_tool_path(char *path, size_t size);

/// Creates a socket that answers on this machine only, at `port` or, if it is 0, at a free port.
/// Writes the port to `bound`.
int carve_listen_loopback(uint16_t port, uint16_t *bound);

/// Accepts the next connection, whose calls never wait.
int carve_accept_waiting(int listener);

/// Connects to a port of a host. The host may take `patience` milliseconds to answer, and may later
/// be silent for as long. Returns -1 on failure, CARVE_UNKNOWN_HOST if the name is unknown.
int carve_connect(const char *host, const char *port, int patience);

#define CARVE_UNKNOWN_HOST -2

/// Sends bytes, without a signal if the other side has closed the connection.
ssize_t carve_send(int descriptor, const void *bytes, size_t count);

/// Returns a descriptor that becomes readable when a watched folder changes.
int carve_watch_start(void);

/// Watches a folder, but not the folders in it.
int carve_watch_add(int watch, const char *folder);

/// Is called for an event in a watched folder, with what carve_watch_add returned, or -1 if events
/// were lost; whether a folder was added, removed or moved; and the name, which is empty for the
/// folder itself.
typedef void (*carve_watch_seen)(
    void *context, int watch, bool is_about_folders, const char *name);

/// Calls `seen` for every event since the last call.
void carve_watch_take(int watch, carve_watch_seen seen, void *context);

/// Returns a descriptor that becomes readable when the process is asked to end while
/// carve_hold_signals holds such requests. Signals that the process ignores do not count.
int carve_open_signals(void);

/// Holds requests to end, or lets them end the process at once.
void carve_hold_signals(bool are_held);

/// Starts a program that is found in PATH, with the words of its command line. Its input and its
/// output are the socket that is returned; its errors go there, too, if `joins_errors`, or else
/// nowhere. Each of `settings` is NAME=VALUE, which the program gets in its environment, or NAME,
/// which it does not get. Both lists end with NULL.
int carve_spawn(
    char *const words[], const char *const settings[], bool joins_errors, pid_t *child);

/// Waits for the end of a program. Returns its exit status, or -1 if a signal ended it.
int carve_wait(pid_t child);

/// Remembers a path that is removed, with everything below it, if a signal ends the process.
/// Returns its index in a list, or -1 if the list is full.
int carve_add_leftover(const char *path);

/// Forgets a path, which has its own name or is removed.
void carve_drop_leftover(int index);

/// Removes what a folder contains. Links are removed, not followed. Returns false if something
/// stays.
bool carve_remove_contents(const char *path);

/// Remembers the time of an open input of which `size` bytes are mapped, and the message if it
/// changes. Returns its number, or -1 on failure.
int carve_add_input(int descriptor, size_t size, const char *message);

/// Is called before the descriptor of an input is closed.
void carve_close_input(int number);

/// Returns the message of an input that has changed; NULL if none has.
const char *carve_changed_input(void);

/// Forgets that inputs had changed before they were closed, for a program that reads them again.
void carve_forget_closed_inputs(void);

/// From now on, signals that end the process first remove the leftovers. If an input has changed, a
/// fault of memory prints its message and exits with the status.
void carve_handle_end(int status);
