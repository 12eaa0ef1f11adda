#include "ctoml.h"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct ctoml_document {
  toml::table table;
  ctoml_value root{};
  // Deques and vectors that never grow again: the addresses of children are kept.
  std::deque<std::vector<ctoml_value>> levels;
  std::string error;
  uint32_t error_line = 0, error_column = 0;
};

namespace {

ctoml_text text(std::string_view view) { return {view.data(), view.size()}; }

// Fills in `value` from `node`, without its children.
void convert(const toml::node &node, ctoml_value &value) {
  value.line = node.source().begin.line;
  value.column = node.source().begin.column;
  switch (node.type()) {
    case toml::node_type::table: value.kind = CTOML_TABLE; break;
    case toml::node_type::array: value.kind = CTOML_ARRAY; break;
    case toml::node_type::string:
      value.kind = CTOML_STRING;
      value.string = text(node.as_string()->get());
      break;
    case toml::node_type::integer:
      value.kind = CTOML_INTEGER;
      value.integer = node.as_integer()->get();
      break;
    case toml::node_type::floating_point:
      value.kind = CTOML_FLOAT;
      value.real = node.as_floating_point()->get();
      break;
    case toml::node_type::boolean:
      value.kind = CTOML_BOOLEAN;
      value.boolean = node.as_boolean()->get();
      break;
    default: value.kind = CTOML_DATE_TIME; break;
  }
}

// Converts a whole tree level by level: no recursion, however deep.
void convert_all(ctoml_document &document) {
  std::vector<std::pair<const toml::node *, ctoml_value *>> pending;
  convert(document.table, document.root);
  pending.emplace_back(&document.table, &document.root);
  while (!pending.empty()) {
    auto [node, value] = pending.back();
    pending.pop_back();
    const toml::table *table = node->as_table();
    const toml::array *array = node->as_array();
    size_t count = table ? table->size() : array ? array->size() : 0;
    if (count == 0) continue;
    auto &level = document.levels.emplace_back(count);
    std::vector<std::pair<const toml::key *, const toml::node *>> members;
    if (table) {
      for (auto &&[key, child] : *table) members.emplace_back(&key, &child);
      std::stable_sort(members.begin(), members.end(), [](auto &one, auto &other) {
        return one.first->source().begin < other.first->source().begin;
      });
    } else {
      for (auto &&child : *array) members.emplace_back(nullptr, &child);
    }
    for (size_t index = 0; index < count; index++) {
      auto [key, child] = members[index];
      convert(*child, level[index]);
      if (key) {
        level[index].key = text(key->str());
        level[index].key_line = key->source().begin.line;
        level[index].key_column = key->source().begin.column;
      }
      if (child->is_table() || child->is_array()) pending.emplace_back(child, &level[index]);
    }
    value->children = level.data();
    value->count = count;
  }
}

void refuse(ctoml_document &document, std::string message, uint32_t line, uint32_t column) {
  document.error = std::move(message);
  document.error_line = line ? line : 1;
  document.error_column = column ? column : 1;
}

// toml++ limits the nesting of values, not of dotted keys, and takes its tables down by recursion: half a million
// dots end the process. Returns the offset of the dot too many, or npos.
size_t dot_too_many(std::string_view toml) {
  constexpr size_t most_dots_in_a_key = 64;
  size_t dots = 0;
  for (size_t at = 0; at < toml.size(); at++) {
    char byte = toml[at];
    if (byte == '"' || byte == '\'') {
      std::string_view fence = toml.substr(at, 3);
      bool spans_lines = fence == "\"\"\"" || fence == "'''";
      if (!spans_lines) fence = fence.substr(0, 1);
      for (at += fence.size(); at < toml.size() && toml.substr(at, fence.size()) != fence; at++) {
        if (byte == '"' && toml[at] == '\\') at++;
        if (!spans_lines && at < toml.size() && toml[at] == '\n') break;
      }
      if (spans_lines) {
        at += fence.size() - 1;
        for (int extra = 0; extra < 2 && at + 1 < toml.size() && toml[at + 1] == byte; extra++) at++;
      }
    } else if (byte == '#') {
      while (at < toml.size() && toml[at] != '\n') at++;
      dots = 0;
    } else if (byte == '.') {
      if (++dots > most_dots_in_a_key) return at;
    } else if (std::string_view("\n=,{}[]").find(byte) != std::string_view::npos) {
      dots = 0;
    }
  }
  return std::string_view::npos;
}

// Lines and columns as toml++ counts them.
void refuse_at(ctoml_document &document, std::string message, std::string_view toml, size_t offset) {
  uint32_t line = 1, column = 1;
  for (size_t at = 0; at < offset; at++) {
    if (toml[at] == '\n') line++, column = 1;
    else if ((static_cast<unsigned char>(toml[at]) & 0xC0) != 0x80) column++;
  }
  refuse(document, std::move(message), line, column);
}

}  // namespace

ctoml_document *ctoml_parse(const char *bytes, size_t length) {
  auto document = std::unique_ptr<ctoml_document>(new (std::nothrow) ctoml_document);
  if (!document) return nullptr;
  try {
    std::string_view toml(bytes ? bytes : "", length);
    if (size_t dot = dot_too_many(toml); dot != std::string_view::npos) {
      refuse_at(*document, "the key has too many parts: the limit is 65", toml, dot);
      return document.release();
    }
    auto result = toml::parse(toml);
    if (result) {
      document->table = std::move(result).table();
      convert_all(*document);
    } else {
      auto &begin = result.error().source().begin;
      refuse(*document, std::string(result.error().description()), begin.line, begin.column);
    }
  } catch (...) {
    return nullptr;
  }
  return document.release();
}

void ctoml_free(ctoml_document *document) { delete document; }

const ctoml_value *ctoml_root(const ctoml_document *document) {
  return document->error.empty() ? &document->root : nullptr;
}

ctoml_text ctoml_error(const ctoml_document *document, uint32_t *line, uint32_t *column) {
  *line = document->error_line;
  *column = document->error_column;
  return text(document->error);
}
