// SPDX-License-Identifier: Apache-2.0
/// A `mimeapps.list` or a file with the same syntax.
struct AssociationList: Sendable {
  static let defaultGroup = "Default Applications"
  static let addedGroup = "Added Associations"
  static let removedGroup = "Removed Associations"
  static let cacheGroup = "MIME Cache"

  let path: String
  let kind: Kind
  private let fatalDiagnostics: [KeyFile.Diagnostic]
  /// The groups that have an effect.
  let (defaults, added, removed): (KeyFileGroup, KeyFileGroup, KeyFileGroup)

  init(path: String, kind: Kind, bytes: [UInt8]) {
    let names = [Self.defaultGroup, kind.addedGroup, Self.removedGroup]
    let (groups, fatalDiagnostics) = KeyFileGroup.read(names, in: bytes)
    (self.path, self.kind, self.fatalDiagnostics) = (path, kind, fatalDiagnostics)
    (defaults, added, removed) = (groups[0], groups[1], groups[2])
  }

  /// Indicates whether the file has no syntax error; GLib ignores a file with one.
  var isWellFormed: Bool { fatalDiagnostics.isEmpty }

  enum Kind: Hashable, Sendable {
    /// `gnome-mimeapps.list`: the defaults of one desktop.
    case desktop(String)
    /// `mimeapps.list`.
    case general
    /// `defaults.list`, which only GLib ever read.
    case legacy
    /// `mimeinfo.cache`: the `MimeType` keys of the entries in the directory.
    case cache

    var fileName: String {
      switch self {
      case .desktop(let name): "\(name)-mimeapps.list"
      case .general: "mimeapps.list"
      case .legacy: "defaults.list"
      case .cache: "mimeinfo.cache"
      }
    }

    var mayAddAndRemove: Bool { self == .general || self == .cache }
    fileprivate var addedGroup: String { self == .cache ? cacheGroup : AssociationList.addedGroup }
  }

  /// Returns the applications that the group names for a type: one array for each line with one of the type's `names`.
  ///
  /// The arrays are in the order of the lines. Lines whose value cannot be parsed are skipped.
  func mentions(of names: [String], in group: KeyFileGroup) -> [[AssociationDirectory.Mention]] {
    // Return early, because most groups of most lists are empty.
    guard !group.isEmpty else { return [] }
    return group.pairs(of: names).compactMap { pair in
      guard let names = pair.text.flatMap(KeyFile.list) else { return nil }
      let origin = Resolution.Origin(path: path, line: pair.line, group: group.name)
      // An empty item names no application. Usher writes one to mark a line that was registered without Usher in
      // front.
      return names.filter { !$0.isEmpty }.map { AssociationDirectory.Mention(name: $0, origin: origin) }
    }
  }

  /// Returns the part after `prefix` of each type that begins with it, from the groups that have an effect.
  func types(behind prefix: String) -> [String] {
    defaults.keys(behind: prefix) + (kind.mayAddAndRemove ? added.keys(behind: prefix) : [])
  }

  var diagnostics: [Resolution.Diagnostic] {
    var diagnostics = fatalDiagnostics.map { Resolution.Diagnostic(path: path, problem: .malformed($0)) }
    guard !kind.mayAddAndRemove else { return diagnostics }
    for group in [added, removed] where !group.isEmpty {
      diagnostics.append(.init(path: path, problem: .groupNotAllowed(group.name)))
    }
    return diagnostics
  }
}
