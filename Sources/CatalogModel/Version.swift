// The version of Carve, which `--version` prints and archives contain. carve.h defines it.

import CCarve

package let carveVersion = CARVE_VERSION
