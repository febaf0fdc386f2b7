// The version of Carve, which `--version` prints and archives contain. It is that of carve.h; a
// test compares the two, and .ci/set-version changes both.

package let carveVersion = "0.2.0"
