// The program of the interface's tests as a function, built with the current header.
#pragma once

/// Returns 0 if all checks pass; `arguments` are those of `main`.
int carve_current_program(int count, char **arguments);
