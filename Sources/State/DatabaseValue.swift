// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A value in a statement.
enum DatabaseValue: Equatable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  /// Returns the text as a value, or `null` for `nil`.
  static func optional(_ text: String?) -> DatabaseValue { text.map(DatabaseValue.text) ?? .null }

  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          usher_bind_text(statement, index, characters.baseAddress, Int32(clamping: characters.count))
        }
      }
    case .bytes(let bytes): return usher_bind_blob(statement, index, bytes, Int32(clamping: bytes.count))
    }
  }
}

/// A row of a result, valid until the next row.
struct DatabaseRow {
  let statement: OpaquePointer

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
  }
}
