/// One directory's lists of associations, as GIO reads them: what its files say of a type, merged.
///
/// MIME Applications Specification, with the order and the corner cases of GLib's `gdesktopappinfo.c`.
struct AssociationDirectory: Sendable {
  /// Its place among the applications folders; `nil` for a configuration directory.
  let applicationDirectory: Int?
  private let lists: [AssociationList]
  /// The files that may hold its lists, there or not.
  let places: [String]
  private(set) var diagnostics: [Resolution.Diagnostic] = []

  /// An application that a list names for a type.
  struct Mention: Sendable {
    let name: String
    let origin: Resolution.Origin
  }

  /// What the directory says of one type; `nil` where no line says anything.
  struct Tweaks: Sendable {
    var additions: [Mention]?
    var removals: [Mention]?
    var defaults: [Mention]?
    /// Additions that a removal in this very directory undid, with the removal.
    var undone: [(mention: Mention, by: Mention)] = []
  }

  init(path: String, applicationDirectory: Int?, desktops: [String], files: some FileReading) {
    self.applicationDirectory = applicationDirectory
    var kinds: [AssociationList.Kind] = desktops.map { .desktop($0) } + [.general]
    if applicationDirectory != nil { kinds += [.legacy, .cache] }
    places = kinds.map { path + "/" + $0.fileName }
    var lists: [AssociationList] = []
    for (kind, file) in zip(kinds, places) {
      switch files.read(file) {
      case .missing: continue
      case .unreadable(let reason):
        diagnostics.append(.init(path: file, problem: .unreadable(reason: reason)))
      case .bytes(let bytes):
        let list = AssociationList(path: file, kind: kind, bytes: bytes)
        diagnostics += list.diagnostics
        if list.isWellFormed { lists.append(list) }
      }
    }
    self.lists = lists
  }

  /// What the lists say of a type by any of its `names`.
  func tweaks(of names: [String]) -> Tweaks {
    var tweaks = Tweaks()
    for list in lists {
      if list.kind.mayAddAndRemove {
        for added in list.mentions(of: names, in: list.added) {
          let (kept, undone) = Self.merged(tweaks.additions, added, without: tweaks.removals)
          tweaks.additions = kept
          tweaks.undone += undone
        }
        for removed in list.mentions(of: names, in: list.removed) {
          tweaks.removals = Self.merged(tweaks.removals, removed, without: tweaks.additions).kept
        }
      }
      for defaults in list.mentions(of: names, in: list.defaults) {
        tweaks.defaults = Self.merged(tweaks.defaults, defaults, without: nil).kept
      }
    }
    return tweaks
  }

  /// What stands behind `prefix` in the types that the lists name, one as often as it is named.
  func types(behind prefix: String) -> [String] {
    lists.flatMap { $0.types(behind: prefix) }
  }

  /// Only what joins an earlier list is held against the other; GLib takes a first list as it is.
  private static func merged(
    _ old: [Mention]?, _ new: [Mention], without blocked: [Mention]?
  ) -> (kept: [Mention], undone: [(mention: Mention, by: Mention)]) {
    guard var kept = old else { return (new, []) }
    var undone: [(mention: Mention, by: Mention)] = []
    for mention in new {
      if let blocker = blocked?.first(where: { $0.name.isSpelt(like: mention.name) }) {
        undone.append((mention, blocker))
      } else if !kept.contains(where: { $0.name.isSpelt(like: mention.name) }) {
        kept.append(mention)
      }
    }
    return (kept, undone)
  }
}
