// The version of Carve: what `--version` prints and archives carry. carve.h has it.

import CCarve

package let carveVersion = CARVE_VERSION
