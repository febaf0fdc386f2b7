// json-c as a module, without code of its own: macros stay in C, and Swift sees the functions.
#include <json-c/json.h>
#include <json-c/json_tokener.h>
#include <json-c/linkhash.h>
