// Counts the allocations of a program and of the libraries that are linked into it. Link with
// ALLOCATION_FLAGS: -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign
// ALLOCATION_FLAGS: -Wl,--wrap=aligned_alloc
#pragma once
#include <stddef.h>

static size_t allocation_count, allocation_bytes;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);

static void allocation_note(size_t size) {
  allocation_count++;
  allocation_bytes += size;
}

void *__wrap_malloc(size_t size) {
  allocation_note(size);
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  allocation_note(count * size);
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
  allocation_note(size);
  return __real_realloc(memory, size);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
  allocation_note(size);
  return __real_posix_memalign(memory, alignment, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  allocation_note(size);
  return __real_aligned_alloc(alignment, size);
}
