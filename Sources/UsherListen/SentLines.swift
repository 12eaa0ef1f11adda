// SPDX-License-Identifier: Apache-2.0

/// The lines that a program may not have read, in the order in which they were written.
struct SentLines {
  private var lines: [(id: String?, count: Int)] = []

  /// Records a line.
  ///
  /// - Parameters:
  ///   - count: The number of its bytes.
  ///   - id: The request that the line contains; `nil` for a line that needs no reply, such as a cancellation.
  ///   - unread: The number of bytes of earlier lines that the program has not read.
  mutating func append(_ count: Int, for id: String?, after unread: Int) {
    if unread == 0 { lines = [] }
    lines.append((id, count))
  }

  /// Removes the line of a request that is not written any more.
  mutating func remove(_ id: String) { lines.removeAll { $0.id == id } }

  /// Returns the requests of which the program has read nothing, the last one first.
  ///
  /// - Parameters:
  ///   - count: The number of bytes that the program has not read.
  ///   - hasMore: `true` if it has not read the byte before them either, so that it cannot have used the line that ends there.
  func unread(_ count: Int, hasMore: Bool = false) -> [String] {
    var (left, ids) = (count, [String]())
    for line in lines.reversed() {
      let isWhole = left >= line.count
      guard isWhole || hasMore else { break }
      if let id = line.id { ids.append(id) }
      guard isWhole else { break }
      left -= line.count
    }
    return ids
  }
}
