// SPDX-License-Identifier: Apache-2.0
/// The request line and the header fields of an HTTP/1.1 or HTTP/1.0 request (RFC 9112), strictly read.
///
/// Spellings that recipients need not accept are errors: lines that end with LF alone, folded fields, and blanks before a colon.
struct HTTPRequestHead: Equatable {
  /// A header field.
  struct Field: Equatable {
    /// The name in lower case.
    let name: String
    /// The value, without blanks around it.
    let value: String
  }

  /// The reason why bytes are not a head.
  enum Failure: Error {
    /// The bytes are not an HTTP/1.1 or HTTP/1.0 request.
    case malformed
    /// The head has more than ``HTTPRequestHead/limit`` bytes, or too many fields.
    case tooLong
  }

  /// The maximum length of a head in bytes, and the maximum number of its fields.
  static let (limit, maximumFields) = (16 << 10, 100)

  /// The method.
  let method: String
  /// The target, in visible ASCII.
  let target: String
  /// The fields in order.
  let fields: [Field]

  /// Reads the head at the beginning of `bytes`; `nil` if it is not complete.
  static func read(_ bytes: [UInt8]) throws(Failure) -> HTTPRequestHead? {
    guard let length = length(in: bytes) else {
      guard bytes.count <= limit else { throw .tooLong }
      return nil
    }
    guard length <= limit else { throw .tooLong }
    var lines: [ArraySlice<UInt8>] = []
    var rest = bytes[..<(length - 2)]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      // The line before the LF ends with CR, and has no other one.
      guard rest[..<end].firstIndex(of: UInt8(ascii: "\r")) == end - 1 else { throw .malformed }
      lines.append(rest[..<(end - 1)])
      rest = rest[(end + 1)...]
    }
    guard let first = lines.first else { throw .malformed }
    guard lines.count <= maximumFields + 1 else { throw .tooLong }
    return try HTTPRequestHead(first, fields: lines.dropFirst())
  }

  /// Returns the values of all fields of a name, which is in lower case.
  func values(of name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// Returns the length of the head with its empty line; `nil` if there is no empty line yet.
  private static func length(in bytes: [UInt8]) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    let searched = bytes.prefix(limit + end.count)
    return searched.indices.first { searched[$0...].starts(with: end) }.map { $0 + end.count }
  }

  private init(_ line: ArraySlice<UInt8>, fields lines: ArraySlice<ArraySlice<UInt8>>) throws(Failure) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, Self.isToken(parts[0]), !parts[1].isEmpty,
      parts[1].allSatisfy({ (0x21...0x7E).contains($0) }),
      ["HTTP/1.1", "HTTP/1.0"].contains(where: { parts[2].elementsEqual($0.utf8) })
    else { throw .malformed }
    method = String(decoding: parts[0], as: UTF8.self)
    target = String(decoding: parts[1], as: UTF8.self)
    var fields: [Field] = []
    for line in lines {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(line[..<colon]) else {
        throw .malformed
      }
      let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      var value = line[(colon + 1)...].drop(while: isBlank)
      while let last = value.last, isBlank(last) { value.removeLast() }
      guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
        throw .malformed
      }
      fields.append(
        Field(
          name: String(decoding: line[..<colon], as: UTF8.self).lowercased(),
          value: String(decoding: value, as: UTF8.self)))
    }
    self.fields = fields
  }

  /// Returns whether the bytes are a token (RFC 9110, section 5.6.2).
  private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        let letter = byte | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }
}
