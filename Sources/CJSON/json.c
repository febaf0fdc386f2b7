// Makes a module of the headers of json-c, whose functions are used directly.
#include "json.h"
