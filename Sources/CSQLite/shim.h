// SPDX-License-Identifier: Apache-2.0
#if !__has_include(<sqlite3.h>)
#error "sqlite3.h is missing; on Debian: apt install libsqlite3-dev"
#endif
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift does not import.
static inline int usher_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text ? text : "", count, SQLITE_TRANSIENT);
}

static inline int usher_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
