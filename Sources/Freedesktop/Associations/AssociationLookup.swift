/// Walks over what the directories say of one type, and gathers the candidates in order.
struct AssociationLookup {
  let catalog: ApplicationCatalog
  private(set) var steps: [Step] = []
  /// The type that is looked up, and where its steps begin.
  private var type: (name: String, start: Int)
  private var blocked: [AssociationDirectory.Mention] = []

  /// A candidate; without a verdict it is still to be judged by its entry.
  struct Step {
    let type: String
    let mention: AssociationDirectory.Mention
    let verdict: Resolution.Verdict?
  }

  init(catalog: ApplicationCatalog) {
    self.catalog = catalog
    type = ("", 0)
  }

  /// Goes on with another type, for which an application can be a candidate once more; what was taken out stays out.
  mutating func begin(_ type: String) { self.type = (type, steps.count) }

  mutating func addDefaults(of tweaks: AssociationDirectory.Tweaks) {
    for mention in tweaks.defaults ?? [] where !isNamed(mention) {
      add(mention, nil)
    }
  }

  /// Additions come before removals: a directory cannot take back what it adds itself.
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
    directory.flatMap { catalog.shadow(of: mention.name, aboveDirectory: $0) }
  }

  private func isNamed(_ mention: AssociationDirectory.Mention) -> Bool {
    steps[type.start...].contains { $0.verdict == nil && $0.mention.name.isSpelt(like: mention.name) }
  }
}
