// SPDX-License-Identifier: Apache-2.0
/// The aliases and supertypes of MIME types.
///
/// They are read from the files `aliases` and `subclasses` of shared-mime-info's directories. Like GIO, it uses only
/// these files: the general rules that every `text/…` is a `text/plain`, and every file an
/// `application/octet-stream`, do not apply here. Shared MIME-info Database Specification, 2.
struct MIMEHierarchy: Sendable {
  private var originals: [String: String] = [:]
  private var aliases: [String: [String]] = [:]
  private var parents: [String: [String]] = [:]

  /// Reads the `mime` directories below `directories`, most important first.
  init(directories: BaseDirectories, files: some FileReading) {
    for directory in ([directories.dataHome] + directories.dataDirectories).map({ $0 + "/mime/" }) {
      for (alias, type) in Self.pairs(directory + "aliases", files) where originals[alias] == nil {
        originals[alias] = type
        aliases[type, default: []].append(alias)
      }
      for (type, parent) in Self.pairs(directory + "subclasses", files) {
        parents[type, default: []].append(parent)
      }
    }
  }

  /// Returns the canonical name of a type.
  func original(of type: String) -> String { originals[type] ?? type }

  /// Returns all names of a type in lists; none if `type` is itself an alias of another type.
  func names(of type: String) -> [String] {
    (originals[type] == nil ? [type] : []) + (aliases[type] ?? [])
  }

  /// Returns the type and its supertypes, nearest first.
  func lineage(of type: String) -> [String] {
    var lineage = [original(of: type)]
    var known = Set(lineage)
    var index = 0
    while index < lineage.count {
      let type = original(of: lineage[index])
      lineage += ([type] + (parents[type] ?? [])).filter { known.insert($0).inserted }
      index += 1
    }
    return lineage
  }

  /// Returns the lines of a file, each split at its first space.
  private static func pairs(_ path: String, _ files: some FileReading) -> [(String, String)] {
    guard case .bytes(let bytes) = files.read(path) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard line.first != UInt8(ascii: "#"), let space = line.firstIndex(of: 0x20) else { return nil }
      return (
        String(decoding: line[..<space], as: UTF8.self), String(decoding: line[(space + 1)...], as: UTF8.self)
      )
    }
  }
}
