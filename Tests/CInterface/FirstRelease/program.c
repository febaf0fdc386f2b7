// The program of the interface's tests, built with the header of the first release, which is in
// this folder.
#include "FirstReleaseProgram.h"

#define main carve_first_release_program
#include "../interface.c"
