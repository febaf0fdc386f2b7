// The end of the tool before its work is done: by a signal, or by a fault of memory after another
// program changed an input that is read in place. Handlers call only functions that POSIX allows in
// them, and system calls.
#define _GNU_SOURCE
#include "posix.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/uio.h>

// MARK: Files without their own names

#define LEFTOVERS 64

/// The paths. A path that is taken out of the list has one owner, so that no other one frees it.
static _Atomic(char *) leftovers[LEFTOVERS];

int carve_add_leftover(const char *path) {
  char *copy = strdup(path);
  if (copy == NULL) return -1;
  for (int index = 0; index < LEFTOVERS; index++) {
    char *none = NULL;
    if (atomic_compare_exchange_strong(&leftovers[index], &none, copy)) return index;
  }
  free(copy);
  return -1;
}

void carve_drop_leftover(int index) {
  if (index >= 0) free(atomic_exchange(&leftovers[index], NULL));
}

static bool is_dots(const char *name) {
  return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0));
}

/// Removes everything in a folder, and closes its descriptor. `depth` bounds the stack.
static bool remove_contents(int folder, int depth) {
  if (folder < 0) return false;
  bool is_empty = true;
  _Alignas(struct dirent64) char buffer[2048];
  for (;;) {
    long count = syscall(SYS_getdents64, folder, buffer, sizeof buffer);
    if (count < 0) is_empty = false;
    if (count <= 0) break;
    for (long offset = 0; offset < count;) {
      const struct dirent64 *entry = (const void *)(buffer + offset);
      offset += entry->d_reclen;
      const char *name = entry->d_name;
      if (is_dots(name) || unlinkat(folder, name, 0) == 0 || errno == ENOENT) continue;
      int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
      bool is_removed = depth > 0 &&
                        remove_contents(CARVE_AGAIN(openat(folder, name, flags)), depth - 1) &&
                        unlinkat(folder, name, AT_REMOVEDIR) == 0;
      is_empty = is_removed && is_empty;
    }
  }
  close(folder);
  return is_empty;
}

bool carve_remove_contents(const char *path) {
  int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
  return remove_contents(CARVE_AGAIN(open(path, flags)), 64);
}

static void remove_leftovers(void) {
  for (int index = 0; index < LEFTOVERS; index++) {
    const char *path = atomic_exchange(&leftovers[index], NULL);
    if (path == NULL || unlink(path) == 0) continue;
    // Other threads may still write files into the folder.
    for (int round = 0; round < 100; round++) {
      carve_remove_contents(path);
      if (rmdir(path) == 0 || errno == ENOENT) break;
    }
  }
}

// MARK: Inputs

struct input {
  int number, descriptor;
  off_t size;
  struct timespec modified;
  /// Whether the input is open, and whether it had changed before it was closed.
  _Atomic bool is_open, had_changed;
  char *message;
  struct input *next;
};

/// All inputs, also those that were closed.
static _Atomic(struct input *) inputs;

int carve_add_input(int descriptor, size_t size, const char *message) {
  static _Atomic int count;
  struct input *input = calloc(1, sizeof *input);
  struct stat status;
  if (input == NULL || fstat(descriptor, &status) != 0 ||
      (input->message = strdup(message)) == NULL) {
    free(input);
    return -1;
  }
  // The input is written before the list has it.
  int number = input->number = count++;
  input->descriptor = descriptor;
  input->size = (off_t)size;
  input->modified = status.st_mtim;
  input->is_open = true;
  struct input *first = inputs;
  do {
    input->next = first;
  } while (!atomic_compare_exchange_weak(&inputs, &first, input));
  return number;
}

static bool has_changed(const struct input *input) {
  if (!input->is_open) return input->had_changed;
  struct stat status;
  return fstat(input->descriptor, &status) == 0 &&
         (status.st_size != input->size || status.st_mtim.tv_sec != input->modified.tv_sec ||
          status.st_mtim.tv_nsec != input->modified.tv_nsec);
}

void carve_close_input(int number) {
  for (struct input *input = inputs; input != NULL; input = input->next) {
    if (input->number != number) continue;
    input->had_changed = has_changed(input);
    input->is_open = false;
  }
}

const char *carve_changed_input(void) {
  for (const struct input *input = inputs; input != NULL; input = input->next)
    if (has_changed(input)) return input->message;
  return NULL;
}

void carve_forget_closed_inputs(void) {
  for (struct input *input = inputs; input != NULL; input = input->next) input->had_changed = false;
}

// MARK: Handlers

static int fault_status;
static const int faults[] = {SIGBUS, SIGSEGV, SIGILL, SIGTRAP};
static struct sigaction earlier[sizeof faults / sizeof *faults];
static atomic_flag is_ending = ATOMIC_FLAG_INIT;

static void handle_fault(int number) {
  const char *message = carve_changed_input();
  if (message == NULL) {
    // The instruction is repeated, and the earlier handler is called or the process ends.
    for (size_t index = 0; index < sizeof faults / sizeof *faults; index++)
      if (faults[index] == number) sigaction(number, &earlier[index], NULL);
    return;
  }
  while (atomic_flag_test_and_set(&is_ending)) pause();
  remove_leftovers();
  const char *parts[] = {isatty(2) ? "\r\033[K" : "", "carve: error: ", message, "\n"};
  struct iovec pieces[4];
  for (int index = 0; index < 4; index++)
    pieces[index] = (struct iovec){(void *)parts[index], strlen(parts[index])};
  ssize_t written = writev(2, pieces, 4);
  (void)written;
  _exit(fault_status);
}

static void handle_end(int number) {
  remove_leftovers();
  // The default action has been restored, and ends the process when this function returns.
  raise(number);
}

void carve_handle_end(int status) {
  fault_status = status;
  struct sigaction action = {.sa_handler = handle_fault};
  sigemptyset(&action.sa_mask);
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++)
    sigaction(faults[index], &action, &earlier[index]);
  action = (struct sigaction){.sa_handler = handle_end, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  int ends[] = {SIGINT, SIGTERM, SIGHUP};
  for (int index = 0; index < 3; index++) {
    struct sigaction now;
    // A program that is started in the background may have to ignore a signal.
    if (sigaction(ends[index], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
      sigaction(ends[index], &action, NULL);
  }
}
