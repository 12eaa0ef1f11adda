/// One `mimeapps.list`, or a file that is read like one.
struct AssociationList: Sendable {
  static let defaultGroup = "Default Applications"
  static let addedGroup = "Added Associations"
  static let removedGroup = "Removed Associations"
  static let cacheGroup = "MIME Cache"

  let path: String
  let kind: Kind
  let file: KeyFile

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
    let keys = names.count == 1 ? names : file.keys(in: group).filter(names.contains)
    return keys.compactMap { mentions(of: $0, in: group) }
  }

  private func mentions(of type: String, in group: String) -> [AssociationFolder.Mention]? {
    guard let names = file.list(of: type, in: group), let line = file.line(of: type, in: group) else {
      return nil
    }
    let origin = Resolution.Origin(path: path, line: line, group: group)
    // An empty item names nothing, though it is how a line is marked that was registered without Usher in front.
    return names.filter { !$0.isEmpty }.map { AssociationFolder.Mention(name: $0, origin: origin) }
  }

  var types: Set<String> {
    let groups = [Self.defaultGroup] + (kind.mayAddAndRemove ? [kind.addedGroup] : [])
    return Set(groups.flatMap { file.keys(in: $0) })
  }

  var complaints: [Resolution.Complaint] {
    var complaints = file.faults.map { Resolution.Complaint(path: path, problem: .malformed($0)) }
    guard !kind.mayAddAndRemove else { return complaints }
    for group in [Self.addedGroup, Self.removedGroup] where !file.keys(in: group).isEmpty {
      complaints.append(.init(path: path, problem: .groupNotAllowed(group)))
    }
    return complaints
  }
}
