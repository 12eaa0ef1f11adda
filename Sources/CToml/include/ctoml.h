/// toml++ behind a C face: a buffer in, a tree of values out, each with the place where it was written.
///
/// No exception crosses this face. Lines and columns count from 1, columns in code points.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CTOML_TABLE,
  CTOML_ARRAY,
  CTOML_STRING,
  CTOML_INTEGER,
  CTOML_FLOAT,
  CTOML_BOOLEAN,
  /// Dates and times: told apart from strings, not converted.
  CTOML_DATE_TIME,
} ctoml_kind;

/// A run of UTF-8 bytes, not terminated.
typedef struct {
  const char *_Nullable bytes;
  size_t length;
} ctoml_text;

typedef struct ctoml_value ctoml_value;

struct ctoml_value {
  ctoml_kind kind;
  uint32_t line, column;
  /// Of a table's child: its key, and where the key was written.
  ctoml_text key;
  uint32_t key_line, key_column;
  ctoml_text string;
  int64_t integer;
  double real;
  bool boolean;
  /// Of a table, in the order of the file, or of an array.
  const ctoml_value *_Nullable children;
  size_t count;
};

/// What was read: a tree, or why there is none.
typedef struct ctoml_document ctoml_document;

/// Reads `length` bytes of TOML 1.0, which must be UTF-8. Null only if memory ran out.
ctoml_document *_Nullable ctoml_parse(const char *_Nullable bytes, size_t length);
void ctoml_free(ctoml_document *_Nullable document);

/// The table of the whole document; null if it is not TOML. Lives as long as the document.
const ctoml_value *_Nullable ctoml_root(const ctoml_document *_Nonnull document);

/// Why the document is not TOML, and where; empty if it is.
ctoml_text ctoml_error(const ctoml_document *_Nonnull document, uint32_t *_Nonnull line, uint32_t *_Nonnull column);

#ifdef __cplusplus
}
#endif
