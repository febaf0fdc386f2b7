// json-c behind one module. No logic here: macros stay in C, Swift sees the functions.
#include <json-c/json.h>
#include <json-c/json_tokener.h>
#include <json-c/linkhash.h>
