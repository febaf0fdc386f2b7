// Some 2,000 programs are run by the tests: Foundation's Process takes longer than most of them.
#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/// Adds what is done in the new process before it becomes the program.
static int prepare(
  posix_spawn_file_actions_t *actions, const char *folder, int output, int errors) {
  int failure =
    posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(actions, errors, STDERR_FILENO);
  // The program must not inherit files that other tests have open.
  if (failure == 0) {
    failure = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
  }
  if (failure == 0 && folder != NULL) {
    failure = posix_spawn_file_actions_addchdir_np(actions, folder);
  }
  return failure;
}

int spawn_and_wait(
  const char *program, char *const words[], char *const variables[], const char *folder,
  int output, int errors, int *status, long *memory) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure != 0) return failure;
  failure = posix_spawnattr_init(&attributes);
  if (failure != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return failure;
  }
  // Threads that run tests hold signals back.
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t process = 0;
  failure = prepare(&actions, folder, output, errors);
  if (failure == 0) {
    failure = posix_spawn(&process, program, &actions, &attributes, words, variables);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return failure;
  struct rusage usage;
  while (wait4(process, status, 0, &usage) < 0) {
    if (errno != EINTR) return errno;
  }
  *memory = usage.ru_maxrss;
  return 0;
}
