// The functions of json-c are used as they are; this file makes a module of their headers.
#include "json.h"
