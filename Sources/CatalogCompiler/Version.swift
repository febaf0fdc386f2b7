// The version of Carve: what `--version` prints and archives carry.

public let carveVersion = "0.1.0"
