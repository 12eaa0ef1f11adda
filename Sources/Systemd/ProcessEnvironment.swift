// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The environment of this process.
public enum ProcessEnvironment {
  /// The variables as `NAME=VALUE`, in any bytes except NUL.
  public static var entries: [[UInt8]] {
    var entries: [[UInt8]] = []
    var entry = environ
    while let text = entry.pointee {
      entries.append(UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) })
      entry += 1
    }
    return entries
  }

  /// Returns variables as a program gets them, each as `NAME=VALUE`.
  ///
  /// A variable that is not UTF-8, such as a path in another encoding, has replacement characters as a string. If this process has it, the
  /// program gets its bytes.
  static func entries(of variables: [String: String]) -> [[UInt8]] {
    var originals: [[UInt8]: [UInt8]] = [:]
    for entry in entries where String(validating: entry, as: UTF8.self) == nil {
      originals[Array(String(decoding: entry, as: UTF8.self).utf8)] = entry
    }
    return variables.map { name, value in
      let text = Array("\(name)=\(value)".utf8)
      return originals[text] ?? text
    }
  }
}
