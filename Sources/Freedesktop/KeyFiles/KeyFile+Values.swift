// SPDX-License-Identifier: Apache-2.0
extension KeyFile {
  /// Returns the text of a raw value of type string.
  ///
  /// Desktop Entry Specification, "Possible value types": `\s \n \t \r \\`. As in GLib, any other escape remains
  /// unchanged, and a single `\` at the end is dropped.
  public static func string(_ raw: String) -> String {
    guard raw.utf8.span.place(of: UInt8(ascii: "\\")) != nil else { return raw }
    var text: [UInt8] = []
    var bytes = raw.utf8.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let code = bytes.next() else { break }
      text += meaning(ofEscape: code, separator: nil).map { [$0] } ?? [byte, code]
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the items of a raw value of type list; `nil` if an escape is invalid.
  ///
  /// Items are separated by `;` and are not trimmed; `\;` is a `;` inside an item. An empty item counts, except after
  /// the last `;`.
  public static func list(_ raw: String) -> [String]? {
    let separator = UInt8(ascii: ";")
    guard raw.utf8.span.place(of: UInt8(ascii: "\\")) != nil else {
      let items = raw.pieces(between: separator)
      return items.last?.isEmpty == true ? items.dropLast() : items
    }
    var items: [String] = []
    var item: [UInt8] = []
    var bytes = raw.utf8.makeIterator()
    while let byte = bytes.next() {
      if byte == UInt8(ascii: "\\") {
        guard let code = bytes.next(), let meant = meaning(ofEscape: code, separator: separator) else {
          return nil
        }
        item.append(meant)
      } else if byte == separator {
        items.append(String(decoding: item, as: UTF8.self))
        item.removeAll(keepingCapacity: true)
      } else {
        item.append(byte)
      }
    }
    if !item.isEmpty { items.append(String(decoding: item, as: UTF8.self)) }
    return items
  }

  /// Returns whether a raw value of type boolean is true: `true`, or `1` as in GLib.
  public static func boolean(_ raw: String) -> Bool {
    let bytes = raw.utf8.span
    let text = bytes.extracting(bytes.withoutBlanksBehind(bytes.indices))
    return text.isSpelt(like: "true".utf8.span) || text.isSpelt(like: "1".utf8.span)
  }

  /// Returns the raw value that represents `text`.
  public static func raw(_ text: String) -> String { escape(text, separator: nil) }

  /// Returns the raw value that represents `items`, each terminated by `;`.
  public static func raw(list items: [String]) -> String {
    items.map { escape($0, separator: UInt8(ascii: ";")) + ";" }.joined()
  }

  /// Returns the text of a key of type string; `nil` if it is missing or not UTF-8.
  public func string(of key: String, in group: String) -> String? {
    value(of: key, in: group).map(Self.string)
  }

  /// Returns the items of a key of type list; `nil` if it is missing or invalid.
  public func list(of key: String, in group: String) -> [String]? {
    value(of: key, in: group).flatMap(Self.list)
  }

  private static func meaning(ofEscape code: UInt8, separator: UInt8?) -> UInt8? {
    switch code {
    case UInt8(ascii: "s"): 0x20
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "\\"): code
    default: code == separator ? code : nil
    }
  }

  private static func escape(_ text: String, separator: UInt8?) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x20 where bytes.isEmpty: bytes += "\\s".utf8
      case 0x0A: bytes += "\\n".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0D: bytes += "\\r".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      case separator: bytes += [UInt8(ascii: "\\"), byte]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
