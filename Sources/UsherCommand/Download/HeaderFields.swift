// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Freedesktop

/// The header fields of `--header`: each value is `NAME: VALUE`, or `@FILE` with one field in each line.
struct HeaderFields {
  /// The fields by name.
  private(set) var values: [String: String] = [:]

  /// Reads the values of the option, and the files that they name.
  ///
  /// - Throws: `ValidationError`, which contains no value of a field, because that may be a secret.
  init(_ arguments: [String], readingFiles: Bool) throws {
    for argument in arguments {
      guard argument.hasPrefix("@") else {
        try add(argument, from: "--header")
        continue
      }
      guard readingFiles else { continue }
      let path = String(argument.dropFirst())
      switch LocalFiles().read(path) {
      case .bytes(let bytes):
        for (index, line) in String(decoding: bytes, as: UTF8.self).split(
          omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() where !line.isEmpty {
          try add(String(line), from: "\(path):\(index + 1)")
        }
      case .missing: throw ValidationError("--header: the file \(path) does not exist")
      case .unreadable(let reason): throw ValidationError("--header: cannot read \(path): \(reason)")
      }
    }
  }

  private mutating func add(_ field: String, from place: String) throws {
    guard let colon = field.firstIndex(of: ":") else {
      throw ValidationError(
        "\(place): a header field needs a name, a colon and a value, such as Accept-Language: de")
    }
    let name = String(field[..<colon])
    guard !values.keys.contains(where: { $0.lowercased() == name.lowercased() }) else {
      throw ValidationError("\(place): the header field \(name) is given twice")
    }
    values[name] = String(field[field.index(after: colon)...].trimmingPrefix { $0 == " " })
  }
}
