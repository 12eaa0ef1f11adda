// SPDX-License-Identifier: Apache-2.0
extension PropertyList {
  /// The maximum length of the encoding in bytes: 64 KiB.
  public static let maximumSize = 65_536

  /// The maximum nesting of arrays and dictionaries.
  ///
  /// The bus allows 64 containers in a message and counts a dictionary in a dictionary as three; the envelope and the
  /// receipt around the value need some of them.
  public static let maximumDepth = 16

  /// Checks that this value can be sent over the bus and as JSON.
  ///
  /// It must be neither too large nor too deep, every real must be finite, no text may contain U+0000, and no
  /// dictionary the key `$data`.
  public func validate(at path: String = "") throws(MessageError) {
    do { try validate(depthLeft: PropertyList.maximumDepth) } catch { throw error.inside(path) }
    let size = encodedSize
    guard size <= PropertyList.maximumSize else {
      throw MessageError(.tooLarge(bytes: size, limit: PropertyList.maximumSize), at: path)
    }
  }

  private func validate(depthLeft: Int) throws(MessageError) {
    switch self {
    case .integer, .boolean, .data, .date: return
    case .real(let number):
      guard number.isFinite else { throw MessageError(.notFinite) }
    case .string(let text): try PropertyList.validate(text: text)
    case .array(let elements):
      guard depthLeft > 0 else { throw MessageError(.tooDeep(limit: PropertyList.maximumDepth)) }
      for (index, element) in elements.enumerated() {
        do { try element.validate(depthLeft: depthLeft - 1) } catch { throw error.inside("[\(index)]") }
      }
    case .dictionary(let entries):
      guard depthLeft > 0 else { throw MessageError(.tooDeep(limit: PropertyList.maximumDepth)) }
      for (key, value) in entries {
        guard key != PropertyList.dataKey else { throw MessageError(.reservedKey) }
        try PropertyList.validate(text: key)
        do { try value.validate(depthLeft: depthLeft - 1) } catch { throw error.inside(key) }
      }
    }
  }

  private static func validate(text: String) throws(MessageError) {
    guard !text.utf8.contains(0) else { throw MessageError(.nulCharacter) }
  }

  /// The length in bytes as a `v` in a D-Bus message, with padding.
  ///
  /// D-Bus Specification, "Marshaling (Wire Format)"; it starts at a multiple of eight.
  public var encodedSize: Int {
    var size = WireSize()
    size.add(variant: self)
    return size.bytes
  }
}

private struct WireSize {
  var bytes = 0

  mutating func align(_ boundary: Int) { bytes = (bytes + boundary - 1) / boundary * boundary }

  mutating func add(string text: String) {
    align(4)
    bytes += 4 + text.utf8.count + 1
  }

  mutating func add(variant value: PropertyList) {
    // A signature has a length byte, its type codes and a NUL; all have one type code except `av`, `ay` and `a{sv}`.
    switch value {
    case .string(let text):
      bytes += 3
      add(string: text)
    case .date(let date):
      bytes += 3
      add(string: date.text)
    case .integer, .real:
      bytes += 3
      align(8)
      bytes += 8
    case .boolean:
      bytes += 3
      align(4)
      bytes += 4
    case .data(let data):
      bytes += 4
      align(4)
      bytes += 4 + data.count
    case .array(let elements):
      bytes += 4
      align(4)
      bytes += 4
      for element in elements { add(variant: element) }
    case .dictionary(let entries):
      bytes += 7
      align(4)
      bytes += 4
      align(8)
      for (key, element) in entries.sorted(by: { $0.key < $1.key }) {
        align(8)
        add(string: key)
        add(variant: element)
      }
    }
  }
}
