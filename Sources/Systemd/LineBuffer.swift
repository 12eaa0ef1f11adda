// SPDX-License-Identifier: Apache-2.0
/// A buffer that splits the bytes of a stream into lines.
public struct LineBuffer: Sendable {
  /// A line, without its line ending.
  public enum Line: Hashable, Sendable {
    /// A complete line.
    case line([UInt8])
    /// More than ``longestLine`` bytes without a line ending; they are dropped.
    case tooLong
  }

  /// The maximum length of a line in bytes.
  public static let longestLine = 1 << 20

  private var bytes: [UInt8] = []
  /// The number of bytes at the beginning that were returned or dropped.
  ///
  /// They are removed together, because each removal moves all later bytes.
  private var start = 0
  /// The index up to which the bytes from `start` on are known to contain no line ending.
  private var searched = 0
  /// A Boolean value that is `true` while the rest of a dropped line is being skipped.
  private var isSkipping = false

  /// Creates an empty buffer.
  public init() {}

  /// The number of buffered bytes.
  public var count: Int { bytes.count - start }

  /// Appends bytes of the stream.
  public mutating func append(_ more: some Collection<UInt8>) {
    bytes.removeFirst(start)
    (start, searched) = (0, searched - start)
    bytes.append(contentsOf: more)
  }

  /// Removes and returns the next line; `nil` if it is not complete.
  ///
  /// - Parameter isEnd: Whether the stream has ended, so that the last line needs no line ending.
  public mutating func next(atEnd isEnd: Bool = false) -> Line? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      if isEnd, count > 0 { return remove(to: bytes.count, ending: 0) }
      searched = bytes.count
      guard count > Self.longestLine else { return nil }
      (bytes, start, searched) = ([], 0, 0)
      defer { isSkipping = true }
      return isSkipping ? nil : .tooLong
    }
    return remove(to: end, ending: 1) ?? next(atEnd: isEnd)
  }

  /// Removes the bytes before `end` and their line ending; `nil` if they are the rest of a line that was dropped.
  private mutating func remove(to end: Int, ending: Int) -> Line? {
    let line = bytes[start..<end]
    start = end + ending
    searched = start
    defer { isSkipping = false }
    if isSkipping { return nil }
    return line.count > Self.longestLine ? .tooLong : .line(Array(line))
  }
}
