// O_TMPFILE is an extension of Linux. It must be requested here and not in the header, because
// there it would change the declarations that other modules see.
#define _GNU_SOURCE
#include "posix.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

int carve_open_unnamed(const char *folder) {
  // Without /proc the file could not be given a name later.
  if (access("/proc/self/fd", X_OK) != 0) return -1;
  return CARVE_AGAIN(open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
}

int carve_open_scratch(const char *folder) {
  int descriptor = CARVE_AGAIN(open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600));
  if (descriptor >= 0) return descriptor;
  // Not every file system supports such files. If the process is killed between the next two calls,
  // an empty file stays.
  char path[4096];
  if (snprintf(path, sizeof path, "%s/carve-XXXXXX", folder) >= (int)sizeof path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  descriptor = CARVE_AGAIN(mkostemp(path, O_CLOEXEC));
  if (descriptor >= 0) unlink(path);
  return descriptor;
}

void carve_bound_spare_memory(void) {
#if defined(__GLIBC__)
  // Most pictures and their packed bytes take less than 2 MB. Memory for larger ones costs a page
  // fault for each page every time.
  mallopt(M_MMAP_THRESHOLD, 2 << 20);
  mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}

void carve_trim_memory(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

int carve_lock(int descriptor) { return CARVE_AGAIN(flock(descriptor, LOCK_EX | LOCK_NB)); }

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
  int descriptor = CARVE_AGAIN(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor < 0) return;
  carve_sync(descriptor);
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

int carve_listen_loopback(uint16_t port, uint16_t *bound) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, SOMAXCONN) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
    int code = errno;
    close(listener);
    errno = code;
    return -1;
  }
  *bound = ntohs(address.sin_port);
  return listener;
}

int carve_accept_waiting(int listener) {
  return CARVE_AGAIN(accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

/// Waits until a connection is established; afterwards its calls block.
static int finish_connecting(int descriptor, int patience) {
  struct pollfd wait = {.fd = descriptor, .events = POLLOUT, .revents = 0};
  int count;
  do {
    count = poll(&wait, 1, patience);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return -1;
  if (count == 0) return errno = ETIMEDOUT, -1;
  int code = 0;
  socklen_t size = sizeof code;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) != 0) return -1;
  if (code != 0) return errno = code, -1;
  return fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
}

static int connect_to(const struct addrinfo *address, int patience) {
  int kind = address->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK;
  int descriptor = socket(address->ai_family, kind, address->ai_protocol);
  if (descriptor < 0) return -1;
  int result = connect(descriptor, address->ai_addr, address->ai_addrlen);
  // An interrupted connection is made all the same.
  if (result == 0 || errno == EINPROGRESS || errno == EINTR) result = finish_connecting(descriptor, patience);
  if (result != 0) {
    int code = errno;
    close(descriptor);
    errno = code;
    return -1;
  }
  struct timeval silence = {.tv_sec = patience / 1000, .tv_usec = patience % 1000 * 1000};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &silence, sizeof silence);
  int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return descriptor;
}

int carve_connect(const char *host, const char *port, int patience) {
  struct addrinfo hints;
  memset(&hints, 0, sizeof hints);
  hints.ai_socktype = SOCK_STREAM;
  struct addrinfo *addresses = NULL;
  if (getaddrinfo(host, port, &hints, &addresses) != 0) return CARVE_UNKNOWN_HOST;
  int descriptor = -1;
  for (struct addrinfo *next = addresses; next != NULL && descriptor < 0; next = next->ai_next)
    descriptor = connect_to(next, patience);
  int code = errno;
  freeaddrinfo(addresses);
  errno = code;
  return descriptor;
}

ssize_t carve_send(int descriptor, const void *bytes, size_t count) {
  return send(descriptor, bytes, count, MSG_NOSIGNAL);
}

int carve_watch_start(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int carve_watch_add(int watch, const char *folder) {
  return inotify_add_watch(watch, folder,
                           IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                               IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
}

void carve_watch_take(int watch, carve_watch_seen seen, void *context) {
  _Alignas(struct inotify_event) char buffer[1 << 14];
  uint32_t about_folders = IN_ISDIR | IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_Q_OVERFLOW;
  for (;;) {
    ssize_t count = read(watch, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    for (char *next = buffer; next < buffer + count;) {
      const struct inotify_event *event = (const void *)next;
      seen(context, event->wd, (event->mask & about_folders) != 0, event->len > 0 ? event->name : "");
      next += sizeof *event + event->len;
    }
  }
}

static sigset_t end_signals(void) {
  int signals[] = {SIGINT, SIGTERM, SIGHUP};
  sigset_t set;
  sigemptyset(&set);
  for (int index = 0; index < 3; index++) {
    struct sigaction action;
    if (sigaction(signals[index], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&set, signals[index]);
  }
  return set;
}

int carve_open_signals(void) {
  sigset_t set = end_signals();
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void carve_hold_signals(bool are_held) {
  sigset_t set = end_signals();
  pthread_sigmask(are_held ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

char *carve_real_path(const char *path) { return realpath(path, NULL); }

ssize_t carve_tool_path(char *path, size_t size) { return carve_program_path(path, size); }

/// Returns whether an entry of the environment has the name that a setting states.
static bool is_set_by(const char *entry, const char *setting) {
  size_t length = strcspn(setting, "=");
  return strncmp(entry, setting, length) == 0 && entry[length] == '=';
}

/// Returns the environment with settings, to be freed; NULL if there is no memory.
static char **changed_environment(const char *const settings[]) {
  size_t count = 1;
  for (char **entry = environ; *entry != NULL; entry++) count++;
  for (const char *const *setting = settings; *setting != NULL; setting++) count++;
  char **changed = calloc(count, sizeof *changed);
  if (changed == NULL) return NULL;
  char **end = changed;
  for (char **entry = environ; *entry != NULL; entry++) {
    bool is_kept = true;
    for (const char *const *setting = settings; *setting != NULL && is_kept; setting++)
      is_kept = !is_set_by(*entry, *setting);
    if (is_kept) *end++ = *entry;
  }
  for (const char *const *setting = settings; *setting != NULL; setting++)
    if (strchr(*setting, '=') != NULL) *end++ = (char *)*setting;
  return changed;
}

int carve_spawn(
    char *const words[], const char *const settings[], bool joins_errors, pid_t *child) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  char **environment = changed_environment(settings);
  posix_spawn_file_actions_t actions;
  int code = environment == NULL ? ENOMEM : posix_spawn_file_actions_init(&actions);
  if (code == 0) {
    code = posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    if (code == 0)
      code = joins_errors
          ? posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
          : posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (code == 0) code = posix_spawnp(child, words[0], &actions, NULL, words, environment);
    posix_spawn_file_actions_destroy(&actions);
  }
  free(environment);
  close(ends[1]);
  if (code == 0) return ends[0];
  close(ends[0]);
  errno = code;
  return -1;
}

int carve_wait(pid_t child) {
  int status = 0;
  if (CARVE_AGAIN(waitpid(child, &status, 0)) < 0) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
