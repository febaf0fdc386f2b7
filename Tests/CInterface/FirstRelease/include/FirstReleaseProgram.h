// The program of the interface's tests as a function, built with the header of the first release.
#pragma once

/// 0 where all is as it should be; `arguments` are those of `main`.
int carve_first_release_program(int count, char **arguments);
