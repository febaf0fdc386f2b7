// The program of the interface's tests, built with the current header.
#include "CurrentProgram.h"

#define main carve_current_program
#include "../interface.c"
