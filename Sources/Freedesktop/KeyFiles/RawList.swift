// SPDX-License-Identifier: Apache-2.0
/// The raw items of a list value, so that undoing a change restores the original bytes.
struct RawList {
  var items: [String] = []
  /// Indicates whether a `;` follows the last item.
  var isTerminated = true
  /// Indicates whether the value ends in a single `\`, which would escape a `;` after it.
  private var endsInEscape = false

  init(_ raw: String?) {
    guard let raw, !raw.isEmpty else { return }
    guard raw.utf8.span.place(of: UInt8(ascii: "\\")) != nil else {
      items = raw.pieces(between: UInt8(ascii: ";"))
      isTerminated = items.last?.isEmpty == true
      if isTerminated { items.removeLast() }
      return
    }
    var item: [UInt8] = []
    var isEscaped = false
    for byte in raw.utf8 {
      if byte == UInt8(ascii: ";"), !isEscaped {
        items.append(String(decoding: item, as: UTF8.self))
        item = []
      } else {
        item.append(byte)
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    isTerminated = item.isEmpty
    endsInEscape = isEscaped
    if !item.isEmpty { items.append(String(decoding: item, as: UTF8.self)) }
  }

  var raw: String { items.joined(separator: ";") + (isTerminated && !items.isEmpty ? ";" : "") }

  mutating func appendIfMissing(_ item: String) {
    guard !items.contains(item) else { return }
    items.insert(item, at: endsInEscape ? 0 : items.count)
  }
}
