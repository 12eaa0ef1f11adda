// SPDX-License-Identifier: Apache-2.0
internal import CToml
package import RouteTables

/// A value of a TOML document, with its location.
package struct TomlValue {
  /// The content of a value, by kind.
  package enum Content {
    case table([TomlMember])
    case array([TomlValue])
    case string(String)
    case integer(Int64)
    case boolean(Bool)
    /// A real number, a date or a time, which no route file has.
    case other(String)
  }

  private let value: UnsafePointer<ctoml_value>
  let document: TomlDocument

  init(_ value: UnsafePointer<ctoml_value>, in document: TomlDocument) {
    self.value = value
    self.document = document
  }

  package var location: SourceLocation {
    SourceLocation(file: document.file, line: Int(value.pointee.line), column: Int(value.pointee.column))
  }

  package var content: Content {
    switch value.pointee.kind {
    case CTOML_TABLE:
      .table(
        children.map { TomlMember(key: String($0.value.pointee.key), keyLocation: $0.keyLocation, value: $0) }
      )
    case CTOML_ARRAY: .array(children)
    case CTOML_STRING: .string(String(value.pointee.string))
    case CTOML_INTEGER: .integer(value.pointee.integer)
    case CTOML_BOOLEAN: .boolean(value.pointee.boolean)
    case CTOML_FLOAT: .other("a real number")
    default: .other("a date or a time")
    }
  }

  /// The name of the kind in a sentence.
  package var kindName: String {
    switch content {
    case .table: "a table"
    case .array: "an array"
    case .string: "a string"
    case .integer: "an integer"
    case .boolean: "a boolean"
    case .other(let name): name
    }
  }

  private var keyLocation: SourceLocation {
    SourceLocation(
      file: document.file, line: Int(value.pointee.key_line), column: Int(value.pointee.key_column))
  }

  private var children: [TomlValue] {
    guard let first = value.pointee.children else { return [] }
    return (0..<value.pointee.count).map { TomlValue(first + $0, in: document) }
  }
}

/// A key of a table and its value.
package struct TomlMember {
  package let key: String
  package let keyLocation: SourceLocation
  package let value: TomlValue

  /// Returns the member under another key.
  func renamed(_ key: String) -> TomlMember { TomlMember(key: key, keyLocation: keyLocation, value: value) }
}
