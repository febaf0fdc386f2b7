// The loops over rows, compiled a second time for processors with AVX2.
#ifdef __x86_64__
#include <stdlib.h>
#include <string.h>

#include "rows.h"

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define ROWS_SHUFFLE_BYTES
#define ROWS(name) name##_avx2
#include "rows_body.h"
#include "planes_body.h"
#pragma clang attribute pop
#endif
