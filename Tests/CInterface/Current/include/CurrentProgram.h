// The program of the interface's tests as a function, built with the header of today.
#pragma once

/// 0 where all is as it should be; `arguments` are those of `main`.
int carve_current_program(int count, char **arguments);
