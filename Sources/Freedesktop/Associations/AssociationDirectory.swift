// SPDX-License-Identifier: Apache-2.0
/// The merged association lists of one directory, as GIO reads them.
///
/// MIME Applications Specification, with the order and the corner cases of GLib's `gdesktopappinfo.c`.
struct AssociationDirectory: Sendable {
  /// The index of the directory among the applications directories; `nil` for a configuration directory.
  let applicationDirectory: Int?
  private let lists: [AssociationList]
  /// The paths at which the directory's lists may be, whether they exist or not.
  let places: [String]
  private(set) var diagnostics: [Resolution.Diagnostic] = []

  /// An application that a list names for a type.
  struct Mention: Sendable {
    let name: String
    let origin: Resolution.Origin
  }

  /// The statements of the directory about one type; a list is `nil` if no line of its kind names the type.
  struct Tweaks: Sendable {
    var additions: [Mention]?
    var removals: [Mention]?
    var defaults: [Mention]?
    /// Additions that a removal in this same directory undid, with the removal.
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

  /// Returns the merged statements of the lists about a type under any of its `names`.
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

  /// Returns the part after `prefix` of each listed type that begins with it; duplicates are not removed.
  func types(behind prefix: String) -> [String] {
    lists.flatMap { $0.types(behind: prefix) }
  }

  /// Merges `new` into `old`, without the mentions in `blocked`.
  ///
  /// Only a list that is merged into an earlier one is filtered, because GLib accepts the first list unfiltered.
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
