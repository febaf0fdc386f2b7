// Accepts the connections of the tests' server.
#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/time.h>

int accept_connection(int listener) {
  int descriptor;
  do {
    descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return -1;
  struct timeval patience = {.tv_sec = 5, .tv_usec = 0};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  return descriptor;
}
