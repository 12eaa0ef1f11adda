// SPDX-License-Identifier: Apache-2.0
/// Collects the candidates for a type from the directories, in order of precedence.
struct AssociationLookup {
  let catalog: ApplicationCatalog
  private(set) var steps: [Step] = []
  /// The type of the current lookup, and the index of its first step.
  private var type: (name: String, start: Int)
  private var blocked: [AssociationDirectory.Mention] = []

  /// A candidate; its verdict is `nil` until its entry is judged.
  struct Step {
    let type: String
    let mention: AssociationDirectory.Mention
    let verdict: Resolution.Verdict?
  }

  init(catalog: ApplicationCatalog) {
    self.catalog = catalog
    type = ("", 0)
  }

  /// Starts the lookup of another type.
  ///
  /// Applications can be candidates again, but removals stay in effect.
  mutating func begin(_ type: String) { self.type = (type, steps.count) }

  mutating func addDefaults(of tweaks: AssociationDirectory.Tweaks) {
    for mention in tweaks.defaults ?? [] where !isNamed(mention) {
      add(mention, nil)
    }
  }

  /// Adds the associations of a directory, then its removals, so that a directory cannot remove its own additions.
  mutating func addAssociations(of tweaks: AssociationDirectory.Tweaks, in directory: Int?) {
    for (mention, removal) in tweaks.undone {
      add(mention, .removed(by: removal.origin))
    }
    for mention in tweaks.additions ?? [] where !isNamed(mention) {
      add(mention, obstacle(to: mention, in: directory))
    }
    for mention in tweaks.removals ?? [] where !isNamed(mention) && shadow(of: mention, in: directory) == nil
    {
      blocked.append(mention)
    }
  }

  private mutating func add(_ mention: AssociationDirectory.Mention, _ verdict: Resolution.Verdict?) {
    steps.append(Step(type: type.name, mention: mention, verdict: verdict))
  }

  private func obstacle(to mention: AssociationDirectory.Mention, in directory: Int?) -> Resolution.Verdict? {
    if let shadow = shadow(of: mention, in: directory) { return .shadowed(by: shadow.path) }
    return blocked.first { $0.name.isSpelt(like: mention.name) }.map { .removed(by: $0.origin) }
  }

  private func shadow(of mention: AssociationDirectory.Mention, in directory: Int?) -> ApplicationCatalog
    .Location?
  {
    directory.flatMap { catalog.shadow(of: mention.name, aboveDirectoryAt: $0) }
  }

  private func isNamed(_ mention: AssociationDirectory.Mention) -> Bool {
    steps[type.start...].contains { $0.verdict == nil && $0.mention.name.isSpelt(like: mention.name) }
  }
}
