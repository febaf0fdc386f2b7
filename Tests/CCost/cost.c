// Counts instructions by perf_event_open if the system allows it, processor time always, and memory
// by an allocator that counts and passes each call on to glibc.
#define _GNU_SOURCE
#include "CCost.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WATCHED 1
#endif
#endif

static __thread int64_t held;
static __thread int64_t most;
// 0 before the first use, -1 if the system counts no instructions.
static __thread int counter;

static int open_counter(void) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  long descriptor = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  return descriptor > 0 ? (int)descriptor : -1;
}

static uint64_t instructions(void) {
  if (counter == 0) counter = open_counter();
  uint64_t count = 0;
  if (counter < 0 || read(counter, &count, sizeof count) != sizeof count) return 0;
  return count;
}

static uint64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void cost_begin(struct cost *start) {
  start->instructions = instructions();
  start->nanoseconds = nanoseconds();
  start->memory = held;
  start->before = most;
  most = held;
}

struct cost cost_end(const struct cost *start) {
  struct cost spent;
  spent.instructions = instructions() - start->instructions;
  spent.nanoseconds = nanoseconds() - start->nanoseconds;
  spent.memory = most - start->memory;
  spent.before = 0;
  if (most < start->before) most = start->before;
  return spent;
}

#ifdef WATCHED
int cost_counts_memory(void) { return 0; }
#else
int cost_counts_memory(void) { return 1; }

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static void *counted(void *memory) {
  if (memory != NULL) {
    held += (int64_t)malloc_usable_size(memory);
    if (held > most) most = held;
  }
  return memory;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *realloc(void *memory, size_t size) {
  int64_t before = memory == NULL ? 0 : (int64_t)malloc_usable_size(memory);
  void *grown = __libc_realloc(memory, size);
  if (grown == NULL && size != 0) return NULL;
  held -= before;
  return counted(grown);
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *memory = made;
  return 0;
}

void free(void *memory) {
  if (memory == NULL) return;
  held -= (int64_t)malloc_usable_size(memory);
  __libc_free(memory);
}
#endif
