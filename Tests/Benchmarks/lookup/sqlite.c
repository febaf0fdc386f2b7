// Looks up the same names in an SQLite table: an exact key, and a statement that is prepared once.
#include <sqlite3.h>

#include "bench.h"

static sqlite3_stmt *find;

NOINLINE static uint64_t by_name(void *data) {
  bench_names *names = data;
  uint64_t sum = 0;
  for (size_t i = 0; i < names->lookups; i++) {
    uint32_t asked = names->order[i];
    sqlite3_bind_text(find, 1, names->names[asked], (int)names->lengths[asked], SQLITE_STATIC);
    if (sqlite3_step(find) == SQLITE_ROW) sum += (uint64_t)sqlite3_column_int64(find, 0);
    sqlite3_reset(find);
  }
  return sum;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  bench_names names = bench_read(argv[1], (size_t)atol(argv[2]) / 10 + 1);
  sqlite3 *base;
  sqlite3_stmt *insert;
  if (sqlite3_open(":memory:", &base)) return 1;
  sqlite3_exec(base, "create table t(name text primary key, winner int) without rowid", 0, 0, 0);
  sqlite3_exec(base, "begin", 0, 0, 0);
  sqlite3_prepare_v2(base, "insert into t values(?,?)", -1, &insert, NULL);
  for (size_t i = 0; i < names.count; i++) {
    sqlite3_bind_text(insert, 1, names.names[i], -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 2, (sqlite3_int64)i);
    sqlite3_step(insert);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  sqlite3_exec(base, "commit", 0, 0, 0);
  sqlite3_prepare_v2(base, "select winner from t where name=?", -1, &find, NULL);
  bench_run("sqlite-name", names.lookups, by_name, &names);
  sqlite3_finalize(find);
  sqlite3_close(base);
  return 0;
}
