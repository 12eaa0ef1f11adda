// SPDX-License-Identifier: Apache-2.0
/// A MIME type as in association lists and entries, such as `text/html`.
///
/// RFC 6838, 4.2. The comparison is case-sensitive, as in GIO; the names of shared-mime-info are in lower case.
public struct MIMEType: Hashable, Sendable, CustomStringConvertible {
  /// The type, as it was given.
  public let rawValue: String

  /// Parses a MIME type; `nil` if `text` is not two non-empty parts with one slash between them.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), isPlain else { return nil }
    rawValue = text
  }

  private init(known rawValue: String) { self.rawValue = rawValue }

  /// The type of directories.
  public static let directory = MIMEType(known: "inode/directory")

  /// The type itself.
  public var description: String { rawValue }
}
