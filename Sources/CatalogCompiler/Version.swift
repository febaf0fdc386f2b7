// The version of Carve: what `--version` prints and archives carry.

package let carveVersion = "0.1.0"
