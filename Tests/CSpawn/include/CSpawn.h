// Runs a program and waits for it, with the calls that only GNU's headers have.
#pragma once

/// Runs a program in a folder, or for NULL in that of this process, and waits for its end.
///
/// Its standard input is empty, its outputs are open files, and it has no other file. `status` is
/// that of waitpid; `memory` is the most that the program had, in KiB. Returns 0 or an error
/// number.
int spawn_and_wait(
  const char *program, char *const words[], char *const variables[], const char *folder,
  int output, int errors, int *status, long *memory);
