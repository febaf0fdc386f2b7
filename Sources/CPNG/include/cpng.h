// libpng and libdeflate behind a few functions. Every longjmp of libpng ends in this module.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// The version of the libpng that is linked, e.g. 10639.
uint32_t carve_png_version(void);
