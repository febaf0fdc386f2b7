// Checks that the structures of the C interface have the same sizes in every build of the library.
#include "carve.h"

#define HAS_SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "the ABI fixes " #type)

HAS_SIZE(carve_error, 256);
HAS_SIZE(carve_traits, 56);
HAS_SIZE(carve_rendition, 64);
HAS_SIZE(carve_key, 20);
HAS_SIZE(carve_limits, 24);
HAS_SIZE(carve_symbol_style, 24);
HAS_SIZE(carve_symbol, 64);
#if UINTPTR_MAX == UINT64_MAX
HAS_SIZE(carve_asset, 40);
HAS_SIZE(carve_color, 56);
#endif
