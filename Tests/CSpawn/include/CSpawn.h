// Runs programs and accepts connections, with the calls that only GNU's headers have.
#pragma once

/// Runs a program in a folder, or for NULL in that of this process, and waits for its end.
///
/// Its standard input is empty, its outputs are open files, and it has no other file. `status` is
/// that of waitpid; `memory` is the most that the program had, in KiB. Returns 0 or an error
/// number.
int spawn_and_wait(
  const char *program, char *const words[], char *const variables[], const char *folder,
  int output, int errors, int *status, long *memory);

/// Accepts the next connection. Reading from it fails if the other side is silent for some seconds.
/// Returns -1 and sets errno on failure.
int accept_connection(int listener);
