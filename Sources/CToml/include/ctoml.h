// SPDX-License-Identifier: Apache-2.0
/// A C interface to toml++, which parses a buffer into a tree of values with their positions.
///
/// No exception leaves these functions. Lines and columns count from 1, columns in code points.
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
  /// Dates and times, which are distinguished from strings and not converted.
  CTOML_DATE_TIME,
} ctoml_kind;

/// UTF-8 bytes without a terminating NUL.
typedef struct {
  const char *_Nullable bytes;
  size_t length;
} ctoml_text;

typedef struct ctoml_value ctoml_value;

struct ctoml_value {
  ctoml_kind kind;
  uint32_t line, column;
  /// The key and its position, if the value is in a table.
  ctoml_text key;
  uint32_t key_line, key_column;
  ctoml_text string;
  int64_t integer;
  double real;
  bool boolean;
  /// The children of a table, in the order of the file, or of an array.
  const ctoml_value *_Nullable children;
  size_t count;
};

/// The result of parsing: a tree, or an error.
typedef struct ctoml_document ctoml_document;

/// Parses `length` bytes of TOML 1.0, which must be UTF-8.
///
/// Returns null only if memory is exhausted.
ctoml_document *_Nullable ctoml_parse(const char *_Nullable bytes, size_t length);
void ctoml_free(ctoml_document *_Nullable document);

/// Returns the table of the whole document; null if it is not TOML. Valid as long as the document.
const ctoml_value *_Nullable ctoml_root(const ctoml_document *_Nonnull document);

/// Returns the error and its position; empty if there is none.
ctoml_text ctoml_error(const ctoml_document *_Nonnull document, uint32_t *_Nonnull line, uint32_t *_Nonnull column);

#ifdef __cplusplus
}
#endif
