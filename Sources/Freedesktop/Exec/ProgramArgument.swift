/// One argument of a command line: any bytes but NUL, because the path of a file need not be UTF-8.
///
/// ```swift
/// ProgramArgument("--new-window").text       // "--new-window"
/// ProgramArgument(bytes: [0x2F, 0xFF]).text  // nil
/// ```
public struct ProgramArgument: Hashable, Sendable {
  /// The bytes that the program gets, without a NUL at the end.
  public let bytes: [UInt8]

  /// The argument with these bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The argument with the bytes of `text`.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The argument as text; `nil` where its bytes are not UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }
}

extension ProgramArgument: ExpressibleByStringLiteral, CustomStringConvertible {
  /// The argument with the bytes of `text`.
  public init(stringLiteral text: String) { self.init(text) }

  /// The argument as text, `U+FFFD` in the place of bytes that are not UTF-8.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
