/// A MIME type as lists and entries spell it, as `text/html`.
///
/// RFC 6838, 4.2. Case counts, as it does for GIO; shared-mime-info's names are in lower case.
public struct MIMEType: Hashable, Sendable, CustomStringConvertible {
  /// The type, as it was given.
  public let rawValue: String

  /// The type that `text` spells; `nil` when it is not two parts with one slash between.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), isPlain else { return nil }
    rawValue = text
  }

  private init(known rawValue: String) { self.rawValue = rawValue }

  /// A folder.
  public static let directory = MIMEType(known: "inode/directory")

  /// The type itself.
  public var description: String { rawValue }
}
