// SPDX-License-Identifier: Apache-2.0
/// One argument of a command line: any bytes except NUL, because a file's path need not be UTF-8.
///
/// ```swift
/// ProgramArgument("--new-window").text       // "--new-window"
/// ProgramArgument(bytes: [0x2F, 0xFF]).text  // nil
/// ```
public struct ProgramArgument: Hashable, Sendable {
  /// The bytes that the program receives, without the terminating NUL.
  public let bytes: [UInt8]

  /// Creates the argument with these bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates the argument with the bytes of `text`.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The argument as text; `nil` if its bytes are not UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }
}

extension ProgramArgument: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates the argument with the bytes of `text`.
  public init(stringLiteral text: String) { self.init(text) }

  /// The argument as text, with `U+FFFD` for bytes that are not UTF-8.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
