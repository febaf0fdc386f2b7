// The cost of a piece of work for the thread that does it: instructions or processor time, and
// memory.
#ifndef CCOST_H
#define CCOST_H

#include <stddef.h>
#include <stdint.h>

struct cost {
  // Of the processor, outside of the system; 0 if the system does not count them.
  uint64_t instructions;
  // Of processor time.
  uint64_t nanoseconds;
  // The most bytes that the thread had allocated at one time since the beginning.
  int64_t memory;
  // Of a beginning: the most that was allocated before it.
  int64_t before;
};

// Begins to count for this thread. One count may lie within another, because each has its own
// beginning.
void cost_begin(struct cost *start);
// Ends the count, and says what was spent since its beginning.
struct cost cost_end(const struct cost *start);
// Returns whether allocations are counted. In programs that a sanitizer watches, they are not,
// because the sanitizer has an allocator of its own.
int cost_counts_memory(void);

#endif
