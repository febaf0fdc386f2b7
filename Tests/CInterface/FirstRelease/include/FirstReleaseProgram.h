// The program of the interface's tests as a function, built with the header of the first release.
#pragma once

/// Returns 0 if all checks pass; `arguments` are those of `main`.
int carve_first_release_program(int count, char **arguments);
