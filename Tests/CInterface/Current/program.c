// The program of the interface's tests, built with the header of today.
#include "CurrentProgram.h"

#define main carve_current_program
#include "../interface.c"
