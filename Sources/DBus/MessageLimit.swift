// SPDX-License-Identifier: Apache-2.0
/// A limit on the content of a message, which is checked as its values are read, before each of them is copied.
///
/// A message may have 128 MiB, whose values take many times as much memory and keep a server busy, and any number of values that
/// refer to one file descriptor, each of which would be a descriptor of its own.
public struct MessageLimit: Hashable, Sendable {
  var values: Int
  var bytes: Int
  let allowsDescriptorsInVariants: Bool

  /// Allows at most `values` values and containers, with `bytes` bytes of text and data in total.
  ///
  /// - Parameter descriptorsInVariants: Whether a variant may contain a file descriptor. An argument whose type is ``UnixFD`` is always
  ///   allowed.
  public init(values: Int = 65_536, bytes: Int = 16 << 20, descriptorsInVariants: Bool = false) {
    self.values = values
    self.bytes = bytes
    allowsDescriptorsInVariants = descriptorsInVariants
  }

  /// The limit for calls and signals: 65,536 values with 16 MiB of text and data, and no descriptors in variants.
  public static let standard = MessageLimit()

  /// A limit that no message exceeds.
  public static let unlimited = MessageLimit(values: .max, bytes: .max, descriptorsInVariants: true)

  /// Subtracts a value with `count` bytes of text or data from what is left.
  mutating func take(bytes count: Int = 0) throws(BusError) {
    values -= 1
    bytes -= count
    guard values >= 0, bytes >= 0 else {
      throw BusError(.limitsExceeded, "the message has too many values, or too much text and data")
    }
  }
}
