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
  /// The number of bytes that are known to contain no line ending.
  private var searched = 0
  /// A Boolean value that is `true` while the rest of a dropped line is being skipped.
  private var isSkipping = false

  /// Creates an empty buffer.
  public init() {}

  /// The number of buffered bytes.
  public var count: Int { bytes.count }

  /// Appends bytes of the stream.
  public mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// Removes and returns the next line; `nil` if it is not complete.
  ///
  /// - Parameter isEnd: Whether the stream has ended, so that the last line needs no line ending.
  public mutating func next(atEnd isEnd: Bool = false) -> Line? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      if isEnd, !bytes.isEmpty { return remove(bytes.count, ending: 0) }
      searched = bytes.count
      guard bytes.count > Self.longestLine else { return nil }
      (bytes, searched) = ([], 0)
      defer { isSkipping = true }
      return isSkipping ? nil : .tooLong
    }
    return remove(end, ending: 1) ?? next(atEnd: isEnd)
  }

  /// Removes `count` bytes and their line ending; `nil` if they are the rest of a line that was dropped.
  private mutating func remove(_ count: Int, ending: Int) -> Line? {
    defer {
      bytes.removeFirst(count + ending)
      (searched, isSkipping) = (0, false)
    }
    if isSkipping { return nil }
    return count > Self.longestLine ? .tooLong : .line(Array(bytes[..<count]))
  }
}
