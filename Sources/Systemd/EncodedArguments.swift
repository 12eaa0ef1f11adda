// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Encodes arguments as printable ASCII, for transports that accept only text, such as D-Bus to the user manager.
///
/// Every byte that is not a visible ASCII character, and `%`, is percent-encoded.
public enum EncodedArguments {
  /// Returns one encoded text for each argument.
  public static func encode(_ arguments: [[UInt8]]) -> [String] {
    arguments.map { bytes in
      var word: [UInt8] = []
      for byte in bytes {
        if byte > 0x20 && byte < 0x7F && byte != percent {
          word.append(byte)
        } else {
          word += [percent, digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
        }
      }
      return String(decoding: word, as: UTF8.self)
    }
  }

  /// Returns the arguments that `words` encode; `nil` if one of them has an invalid `%` or a NUL.
  public static func decode(_ words: [String]) -> [[UInt8]]? {
    var arguments: [[UInt8]] = []
    for word in words {
      var bytes: [UInt8] = []
      var rest = Array(word.utf8)[...]
      while let byte = rest.popFirst() {
        guard byte == percent else {
          bytes.append(byte)
          continue
        }
        guard let high = rest.popFirst().flatMap(digits.firstIndex(of:)),
          let low = rest.popFirst().flatMap(digits.firstIndex(of:)), high + low > 0
        else { return nil }
        bytes.append(UInt8(high << 4 | low))
      }
      arguments.append(bytes)
    }
    return arguments
  }

  /// Replaces this process by the program that the first of `words` names, with all of them as arguments.
  ///
  /// The environment of this process is passed on. It returns only on failure: `errno` of execve(2), or `EINVAL` for
  /// invalid `words`.
  public static func execute(_ words: [String]) -> Int32 {
    guard let arguments = decode(words), let program = arguments.first else { return EINVAL }
    let copies = arguments.map { strdup(terminated($0)) } + [nil]
    defer { for copy in copies { free(copy) } }
    execv(terminated(program), copies)
    return errno
  }

  private static func terminated(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
  private static let percent = UInt8(ascii: "%")
  private static let digits = Array("0123456789ABCDEF".utf8)
}
