/// One `mimeapps.list`, or a file that is read like one.
struct AssociationList: Sendable {
  static let defaultGroup = "Default Applications"
  static let addedGroup = "Added Associations"
  static let removedGroup = "Removed Associations"
  static let cacheGroup = "MIME Cache"

  let path: String
  let kind: Kind
  private let faults: [KeyFile.Complaint]
  /// What the groups say that count, by their names: a list has thousands of lines, and is asked for one type after another.
  private let groups: [String: KeyFileGroup]

  init(path: String, kind: Kind, file: KeyFile) {
    (self.path, self.kind, faults) = (path, kind, file.faults)
    let names = [Self.defaultGroup, Self.removedGroup, kind.addedGroup]
    groups = Dictionary(names.map { ($0, KeyFileGroup($0, of: file)) }) { first, _ in first }
  }

  /// Whether GLib reads it at all.
  var isWellFormed: Bool { faults.isEmpty }

  enum Kind: Hashable, Sendable {
    /// `gnome-mimeapps.list`: defaults of one desktop.
    case desktop(String)
    /// `mimeapps.list`.
    case general
    /// `defaults.list`, which only GLib ever read.
    case legacy
    /// `mimeinfo.cache`: the `MimeType` keys of the folder's entries.
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
    var addedGroup: String { self == .cache ? cacheGroup : AssociationList.addedGroup }
  }

  /// The applications that the list names for a type: a list for each line that has one of the type's `names`, in
  /// the order of the lines, but for those whose value cannot be read.
  func mentions(of names: [String], in group: String) -> [[AssociationFolder.Mention]] {
    // Most groups of most lists say nothing.
    guard let lines = groups[group], !lines.isEmpty else { return [] }
    return lines.pairs(of: names).compactMap { pair in
      guard let names = pair.text.flatMap(KeyFile.list) else { return nil }
      let origin = Resolution.Origin(path: path, line: pair.line, group: group)
      // An empty item names nothing, though it is how a line is marked that was registered without Usher in front.
      return names.filter { !$0.isEmpty }.map { AssociationFolder.Mention(name: $0, origin: origin) }
    }
  }

  /// The types that it names, as far as they count, and that begin like this.
  func types(beginningWith prefix: String) -> [String] {
    let names = [Self.defaultGroup] + (kind.mayAddAndRemove ? [kind.addedGroup] : [])
    return names.flatMap { groups[$0]?.keys(beginningWith: prefix) ?? [] }
  }

  var complaints: [Resolution.Complaint] {
    var complaints = faults.map { Resolution.Complaint(path: path, problem: .malformed($0)) }
    guard !kind.mayAddAndRemove else { return complaints }
    for group in [Self.addedGroup, Self.removedGroup] where groups[group]?.isEmpty == false {
      complaints.append(.init(path: path, problem: .groupNotAllowed(group)))
    }
    return complaints
  }
}
