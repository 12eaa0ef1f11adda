// SPDX-License-Identifier: Apache-2.0
public import DBus

/// Formats bus values as JSON on one line: receipts, `--json` output, envelopes.
///
/// Keys are sorted, so equal values have equal lines. `ay` is `{"$data": "base64"}`, a structure is an array, a real
/// always has a point or an exponent, and values without a JSON representation (NaN, infinities, file descriptors)
/// are `null`. Control characters, including DEL and C1, are escaped, so a line is safe on a terminal.
public enum JSONText {
  /// Returns the JSON of an `a{sv}`.
  public static func line(_ entries: [String: Variant]) -> String { line(.dictionary(entries)) }

  /// Returns the JSON of any value.
  public static func line(_ value: Variant) -> String {
    var text = ""
    append(value, to: &text)
    return text
  }

  private static func append(_ value: Variant, to text: inout String) {
    switch value {
    case .byte, .int16, .uint16, .int32, .uint32, .int64: text += value.integer.map(String.init) ?? "null"
    case .uint64(let number): text += String(number)
    case .boolean(let truth): text += truth ? "true" : "false"
    // Swift's description of a finite number is valid JSON, and the shortest text that parses as this number.
    case .double(let number): text += number.isFinite ? number.description : "null"
    case .string(let string): append(quoted: string, to: &text)
    case .objectPath(let path): append(quoted: path.rawValue, to: &text)
    case .signature(let signature): append(quoted: signature.rawValue, to: &text)
    case .unixFD: text += "null"
    case .bytes(let bytes): text += #"{"\#(PropertyList.dataKey)":"\#(Base64.encode(bytes))"}"#
    case .array(_, let elements), .structure(let elements): append(list: elements, to: &text)
    case .dictionary(_, _, let entries): append(object: entries, to: &text)
    case .variant(let inner): append(inner, to: &text)
    }
  }

  private static func append(list: [Variant], to text: inout String) {
    text += "["
    for (index, element) in list.enumerated() {
      if index > 0 { text += "," }
      append(element, to: &text)
    }
    text += "]"
  }

  private static func append(object: [Variant: Variant], to text: inout String) {
    let entries = object.map { (key: $0.key.string ?? line($0.key), value: $0.value) }
    text += "{"
    for (index, entry) in entries.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { text += "," }
      append(quoted: entry.key, to: &text)
      text += ":"
      append(entry.value, to: &text)
    }
    text += "}"
  }

  private static func append(quoted string: String, to text: inout String) {
    text += "\""
    // Most texts need no escapes; 0xC2 may be the first byte of a C1 control character.
    let isPlain = string.utf8.allSatisfy { byte in
      byte >= 0x20 && byte != 0x22 && byte != 0x5C && byte != 0x7F && byte != 0xC2
    }
    guard !isPlain else {
      text += string
      text += "\""
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
