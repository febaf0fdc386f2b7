// Tells the thread sanitizer about the locks of Swift's library. A Mutex that no other thread
// holds is locked in the caller's own code, which the sanitizer sees. The functions for a Mutex
// that is held lie in libswiftSynchronization, which is built without the sanitizer, so each such
// lock would be reported as a race. These functions take their place: they call the library's and
// then state the order of the threads. `make tsan` loads them by LD_PRELOAD.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Programs that are built without the sanitizer do not have these.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

// _MutexHandle._lockSlow(_ thread: UInt32)
SWIFT void carve_lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void carve_lock_slow(uint32_t thread, SELF void *mutex) {
  SWIFT void (*library)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
  library(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

// _MutexHandle._unlockSlow()
SWIFT void carve_unlock_slow(SELF void *mutex) __asm__(UNLOCK);
SWIFT void carve_unlock_slow(SELF void *mutex) {
  SWIFT void (*library)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  library(mutex);
}
