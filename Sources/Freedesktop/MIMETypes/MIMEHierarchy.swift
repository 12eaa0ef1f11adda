/// Which MIME types are other names of one type, and which are a kind of another.
///
/// Read from the `aliases` and `subclasses` of shared-mime-info's folders. Like GIO it goes by what these files say
/// alone: that every `text/…` is a `text/plain`, and every file an `application/octet-stream`, is no reason to open it
/// with what opens those. Shared MIME-info Database Specification, 2.
struct MIMEHierarchy: Sendable {
  private var originals: [String: String] = [:]
  private var parents: [String: [String]] = [:]

  /// Reads the folders of `directories`, most important first.
  init(directories: BaseDirectories, files: some FileReading) {
    for directory in ([directories.dataHome] + directories.dataDirectories).map({ $0 + "/mime/" }) {
      for (alias, type) in Self.pairs(directory + "aliases", files) where originals[alias] == nil {
        originals[alias] = type
      }
      for (type, parent) in Self.pairs(directory + "subclasses", files) {
        if parents[type]?.contains(parent) != true { parents[type, default: []].append(parent) }
      }
    }
  }

  /// The type's own name.
  func original(of type: String) -> String { originals[type] ?? type }

  /// All names by which lists may speak of a type; none for what is only another name of one.
  func names(of type: String) -> [String] {
    (originals[type] == nil ? [type] : []) + originals.filter { $0.value == type }.map(\.key)
  }

  /// The type, and what it is a kind of, nearest first.
  func lineage(of type: String) -> [String] {
    var lineage = [original(of: type)]
    var index = 0
    while index < lineage.count {
      let type = original(of: lineage[index])
      for parent in [type] + (parents[type] ?? []) where !lineage.contains(parent) { lineage.append(parent) }
      index += 1
    }
    return lineage
  }

  /// The lines of a file, each two words.
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
