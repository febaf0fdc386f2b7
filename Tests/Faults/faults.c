// A library that is loaded before the C library (LD_PRELOAD) and makes chosen calls of an unchanged
// program fail. Tests/Faults/run builds it, chooses the calls and judges the results.
//
//   CARVE_FAULTS   "n:fault[,n:fault...]": call number n, counted from 1, has this fault
//   CARVE_CALLS    a file with one line for each call: its number, its name and its path
//   CARVE_THREADS  "0": the program cannot start threads
//
// Instead of a number, the name of a call means all calls of that name.
//
// A fault is an error number of errno(3) by its name (EIO). With "+" after it, every later call of
// the same name has this fault, too. The other faults are:
//
//   SHORT   at most one byte is read or written
//   TORN    one byte is written, then the process is killed
//   KILL    the process is killed before the call
//   BACK    the clock is an hour behind, from this call on
//
// Calls are counted in the order in which they are made: a program with one thread makes the same
// calls each time. Calls that the C library makes itself are not counted; the call of the program
// counts as one.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { NO_FAULT = 0, SHORT = -1, TORN = -2, KILL = -3, BACK = -4 };

struct fault {
  long number;
  int kind;
  bool stays;
  /// The name of the call at which a lasting fault first occurred.
  const char *name;
};

static const struct {
  const char *name;
  int kind;
} kinds[] = {
    {"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EINTR", EINTR},   {"EMFILE", EMFILE}, {"EACCES", EACCES},
    {"ENOENT", ENOENT}, {"ENOMEM", ENOMEM}, {"EAGAIN", EAGAIN}, {"ECONNRESET", ECONNRESET},
    {"EROFS", EROFS},   {"EPERM", EPERM},   {"EINVAL", EINVAL}, {"ENOSYS", ENOSYS}, {"EEXIST", EEXIST},
    {"SHORT", SHORT},   {"TORN", TORN},     {"KILL", KILL},     {"BACK", BACK},
};

enum { MOST_FAULTS = 32, CALLS_SIZE = 1 << 19 };
static struct fault faults[MOST_FAULTS];
static int fault_count;
static atomic_long call_count;
static atomic_long hours_back;
static bool is_active, has_threads = true;
static char *calls;
static size_t calls_length;
static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER;

static void note(long number, const char *name, const char *subject, int descriptor) {
  if (calls == NULL) return;
  char link[64], path[512];
  if (subject == NULL && descriptor >= 0) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlink, link, path, sizeof path - 1);
    if (length > 0) {
      path[length] = 0;
      subject = path;
    }
  }
  pthread_mutex_lock(&calls_lock);
  size_t room = CALLS_SIZE - calls_length;
  int length = snprintf(
      calls + calls_length, room, "%ld %s %s\n", number, name, subject != NULL ? subject : "-");
  if (length > 0 && (size_t)length < room) calls_length += (size_t)length;
  pthread_mutex_unlock(&calls_lock);
}

/// Maps the file of CARVE_CALLS, so that it is complete however the process ends. The unused part
/// of the file is zero.
static void open_calls(const char *path) {
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return;
  if (syscall(SYS_ftruncate, descriptor, CALLS_SIZE) == 0) {
    long place = syscall(SYS_mmap, NULL, CALLS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (place > 0 || place < -4096) calls = (char *)place;
  }
  syscall(SYS_close, descriptor);
}

static void stop(void) {
  syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
}

/// Counts a call and returns its fault. Calls about standard error can only be short or
/// interrupted: a message that cannot be written is not judged.
static int fault_of(const char *name, const char *subject, int descriptor) {
  if (!is_active) return NO_FAULT;
  long number = atomic_fetch_add(&call_count, 1) + 1;
  note(number, name, subject, descriptor);
  int kind = NO_FAULT;
  for (int place = 0; place < fault_count && kind == NO_FAULT; place++) {
    struct fault *fault = &faults[place];
    if (fault->number == number) {
      kind = fault->kind;
      if (fault->stays) fault->name = name;
    } else if (fault->name != NULL && strcmp(fault->name, name) == 0) {
      kind = fault->kind;
    }
  }
  if (kind == KILL) stop();
  if (kind == BACK) {
    atomic_store(&hours_back, 1);
    return NO_FAULT;
  }
  if (kind > 0 && kind != EINTR && kind != EAGAIN && subject == NULL && descriptor == STDERR_FILENO)
    return NO_FAULT;
  return kind;
}

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("CARVE_FAULTS");
  while (text != NULL && *text != 0 && fault_count < MOST_FAULTS) {
    char *rest;
    struct fault fault = {.number = strtol(text, &rest, 10)};
    if (rest == text) {
      rest = (char *)text + strcspn(text, ":");
      fault.name = strndup(text, (size_t)(rest - text));
    }
    if (*rest != ':') break;
    rest++;
    size_t length = strcspn(rest, "+,");
    for (size_t place = 0; place < sizeof kinds / sizeof *kinds; place++)
      if (strlen(kinds[place].name) == length && strncmp(kinds[place].name, rest, length) == 0)
        fault.kind = kinds[place].kind;
    if (fault.kind == NO_FAULT) {
      static const char message[] = "CARVE_FAULTS: a fault is unknown\n";
      syscall(SYS_write, STDERR_FILENO, message, sizeof message - 1);
      _exit(127);
    }
    fault.stays = rest[length] == '+';
    faults[fault_count++] = fault;
    text = rest + length + (fault.stays ? 1 : 0);
    if (*text == ',') text++;
  }
  if (getenv("CARVE_CALLS") != NULL) open_calls(getenv("CARVE_CALLS"));
  const char *threads = getenv("CARVE_THREADS");
  has_threads = threads == NULL || strcmp(threads, "0") != 0;
  // Programs that this program starts have no faults.
  unsetenv("LD_PRELOAD");
  is_active = fault_count > 0 || calls != NULL;
}

// Declares `next`, the C library's own function of the same name.
#define NEXT(name)                                                 \
  static __typeof__(name) *next;                                   \
  if (next == NULL) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

// Returns `failure` from the function if the fault of the call is an error.
#define FAIL(name, subject, descriptor, failure)                   \
  NEXT(name);                                                      \
  int fault = fault_of(#name, subject, descriptor);                \
  if (fault > 0) return errno = fault, failure

// Files.

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  FAIL(open, path, -1, -1);
  return next(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  FAIL(openat, path, -1, -1);
  return next(folder, path, flags, mode);
}

int mkostemp(char *path, int flags) {
  FAIL(mkostemp, path, -1, -1);
  return next(path, flags);
}

// Closes the descriptor in any case: on Linux it is closed regardless of the result of close(2).
int close(int descriptor) {
  NEXT(close);
  int fault = fault_of("close", NULL, descriptor);
  int result = next(descriptor);
  return fault > 0 ? (errno = fault, -1) : result;
}

int dup(int descriptor) {
  FAIL(dup, NULL, descriptor, -1);
  return next(descriptor);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  FAIL(read, NULL, descriptor, -1);
  return next(descriptor, bytes, fault == SHORT && count > 1 ? 1 : count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  FAIL(pread, NULL, descriptor, -1);
  return next(descriptor, bytes, fault == SHORT && count > 1 ? 1 : count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  FAIL(write, NULL, descriptor, -1);
  ssize_t result = next(descriptor, bytes, fault < 0 && count > 1 ? 1 : count);
  if (fault == TORN) stop();
  return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  FAIL(pwrite, NULL, descriptor, -1);
  ssize_t result = next(descriptor, bytes, fault < 0 && count > 1 ? 1 : count, offset);
  if (fault == TORN) stop();
  return result;
}

int stat(const char *path, struct stat *status) {
  FAIL(stat, path, -1, -1);
  return next(path, status);
}

int lstat(const char *path, struct stat *status) {
  FAIL(lstat, path, -1, -1);
  return next(path, status);
}

int fstat(int descriptor, struct stat *status) {
  FAIL(fstat, NULL, descriptor, -1);
  return next(descriptor, status);
}

int fstatat(int folder, const char *path, struct stat *status, int flags) {
  FAIL(fstatat, path, -1, -1);
  return next(folder, path, status, flags);
}

int access(const char *path, int mode) {
  FAIL(access, path, -1, -1);
  return next(path, mode);
}

int mkdir(const char *path, mode_t mode) {
  FAIL(mkdir, path, -1, -1);
  return next(path, mode);
}

int rmdir(const char *path) {
  FAIL(rmdir, path, -1, -1);
  return next(path);
}

int rename(const char *old, const char *new) {
  FAIL(rename, new, -1, -1);
  return next(old, new);
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  FAIL(renameat2, new, -1, -1);
  return next(from, old, to, new, flags);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
  FAIL(linkat, new, -1, -1);
  return next(from, old, to, new, flags);
}

int unlink(const char *path) {
  FAIL(unlink, path, -1, -1);
  return next(path);
}

int unlinkat(int folder, const char *path, int flags) {
  FAIL(unlinkat, path, -1, -1);
  return next(folder, path, flags);
}

int fsync(int descriptor) {
  FAIL(fsync, NULL, descriptor, -1);
  return next(descriptor);
}

int fdatasync(int descriptor) {
  FAIL(fdatasync, NULL, descriptor, -1);
  return next(descriptor);
}

int ftruncate(int descriptor, off_t size) {
  FAIL(ftruncate, NULL, descriptor, -1);
  return next(descriptor, size);
}

int fchmod(int descriptor, mode_t mode) {
  FAIL(fchmod, NULL, descriptor, -1);
  return next(descriptor, mode);
}

int flock(int descriptor, int operation) {
  FAIL(flock, NULL, descriptor, -1);
  return next(descriptor, operation);
}

int fcntl(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  FAIL(fcntl, NULL, descriptor, -1);
  return next(descriptor, command, argument);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  FAIL(utimensat, path, -1, -1);
  return next(folder, path, times, flags);
}

int futimens(int descriptor, const struct timespec times[2]) {
  FAIL(futimens, NULL, descriptor, -1);
  return next(descriptor, times);
}

int sync_file_range(int descriptor, off_t offset, off_t count, unsigned flags) {
  FAIL(sync_file_range, NULL, descriptor, -1);
  return next(descriptor, offset, count, flags);
}

void *mmap(void *place, size_t size, int protection, int flags, int descriptor, off_t offset) {
  FAIL(mmap, NULL, descriptor, MAP_FAILED);
  return next(place, size, protection, flags, descriptor, offset);
}

// Folders and paths.

DIR *opendir(const char *path) {
  FAIL(opendir, path, -1, NULL);
  return next(path);
}

struct dirent *readdir(DIR *folder) {
  FAIL(readdir, NULL, dirfd(folder), NULL);
  return next(folder);
}

int closedir(DIR *folder) {
  NEXT(closedir);
  int fault = fault_of("closedir", NULL, dirfd(folder));
  int result = next(folder);
  return fault > 0 ? (errno = fault, -1) : result;
}

char *realpath(const char *path, char *resolved) {
  FAIL(realpath, path, -1, NULL);
  return next(path, resolved);
}

ssize_t readlink(const char *path, char *text, size_t size) {
  FAIL(readlink, path, -1, -1);
  return next(path, text, size);
}

char *getcwd(char *path, size_t size) {
  FAIL(getcwd, ".", -1, NULL);
  return next(path, size);
}

// Waiting.

int poll(struct pollfd *waits, nfds_t count, int patience) {
  FAIL(poll, NULL, count > 0 ? waits[0].fd : -1, -1);
  return next(waits, count, patience);
}

int inotify_init1(int flags) {
  FAIL(inotify_init1, NULL, -1, -1);
  return next(flags);
}

int inotify_add_watch(int watch, const char *path, uint32_t events) {
  FAIL(inotify_add_watch, path, -1, -1);
  return next(watch, path, events);
}

int signalfd(int descriptor, const sigset_t *signals, int flags) {
  FAIL(signalfd, NULL, descriptor, -1);
  return next(descriptor, signals, flags);
}

// Sockets.

int socket(int family, int type, int protocol) {
  FAIL(socket, NULL, -1, -1);
  return next(family, type, protocol);
}

int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
  NEXT(connect);
  int fault = fault_of("connect", NULL, descriptor);
  if (fault > 0 && fault != EINTR) return errno = fault, -1;
  int result = next(descriptor, address, size);
  // The connection is still being made.
  return fault == EINTR ? (errno = EINTR, -1) : result;
}

int bind(int descriptor, const struct sockaddr *address, socklen_t size) {
  FAIL(bind, NULL, descriptor, -1);
  return next(descriptor, address, size);
}

int listen(int descriptor, int count) {
  FAIL(listen, NULL, descriptor, -1);
  return next(descriptor, count);
}

int accept4(int descriptor, struct sockaddr *address, socklen_t *size, int flags) {
  FAIL(accept4, NULL, descriptor, -1);
  return next(descriptor, address, size, flags);
}

int getsockname(int descriptor, struct sockaddr *address, socklen_t *size) {
  FAIL(getsockname, NULL, descriptor, -1);
  return next(descriptor, address, size);
}

int getsockopt(int descriptor, int level, int name, void *value, socklen_t *size) {
  FAIL(getsockopt, NULL, descriptor, -1);
  return next(descriptor, level, name, value, size);
}

int setsockopt(int descriptor, int level, int name, const void *value, socklen_t size) {
  FAIL(setsockopt, NULL, descriptor, -1);
  return next(descriptor, level, name, value, size);
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  FAIL(send, NULL, descriptor, -1);
  return next(descriptor, bytes, fault == SHORT && count > 1 ? 1 : count, flags);
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
  FAIL(recv, NULL, descriptor, -1);
  return next(descriptor, bytes, fault == SHORT && count > 1 ? 1 : count, flags);
}

int getaddrinfo(
    const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found) {
  NEXT(getaddrinfo);
  int fault = fault_of("getaddrinfo", host, -1);
  if (fault > 0) return errno = fault, EAI_SYSTEM;
  return next(host, port, hints, found);
}

// Time and threads.

int clock_gettime(clockid_t clock, struct timespec *time) {
  NEXT(clock_gettime);
  if (clock == CLOCK_REALTIME) fault_of("clock_gettime", "", -1);
  int result = next(clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec -= 3600 * atomic_load(&hours_back);
  return result;
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  NEXT(pthread_create);
  if (!has_threads) return EAGAIN;
  int fault = fault_of("pthread_create", "", -1);
  if (fault > 0) return fault;
  return next(thread, attributes, body, argument);
}
