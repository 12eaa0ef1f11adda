// SPDX-License-Identifier: Apache-2.0

/// The path of a directory for sockets on another machine, which the machine itself names.
///
/// ssh(1) replaces `${VARIABLE}` and tokens such as `%u` in the paths of sockets by values of this desktop, and sends the result to the
/// machine. So the path consists of characters without a meaning for ssh, and for a shell.
struct RemoteDirectory: Hashable {
  /// The absolute path.
  let path: String

  /// The rule for the path, as part of a sentence.
  static let rule = "a path of letters, digits and / . _ - + , @"

  /// Creates the directory of a path; `nil` if the path is not absolute, or has other characters.
  init?(_ path: some StringProtocol) {
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy(Self.isPlain) else { return nil }
    self.path = String(path)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/._-+,@".utf8.contains(byte)
    }
  }
}
