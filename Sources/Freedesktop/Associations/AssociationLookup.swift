/// Walks over what the directories say of one type, and gathers the candidates in order.
struct AssociationLookup {
  let catalog: ApplicationCatalog
  private(set) var steps: [Step] = []
  private var blocked: [AssociationFolder.Mention] = []

  /// A candidate; without a verdict it is still to be judged by its entry.
  struct Step {
    let mention: AssociationFolder.Mention
    let verdict: Resolution.Verdict?
  }

  init(catalog: ApplicationCatalog) { self.catalog = catalog }

  mutating func addDefaults(of tweaks: AssociationFolder.Tweaks) {
    for mention in tweaks.defaults ?? [] where !isNamed(mention) {
      steps.append(Step(mention: mention, verdict: nil))
    }
  }

  /// Additions come before removals: a directory cannot take back what it adds itself.
  mutating func addAssociations(of tweaks: AssociationFolder.Tweaks, in folder: Int?) {
    for (mention, removal) in tweaks.undone {
      steps.append(Step(mention: mention, verdict: .removed(by: removal.origin)))
    }
    for mention in tweaks.additions ?? [] where !isNamed(mention) {
      steps.append(Step(mention: mention, verdict: obstacle(to: mention, in: folder)))
    }
    for mention in tweaks.removals ?? [] where !isNamed(mention) && shadow(of: mention, in: folder) == nil {
      blocked.append(mention)
    }
  }

  private func obstacle(to mention: AssociationFolder.Mention, in folder: Int?) -> Resolution.Verdict? {
    if let shadow = shadow(of: mention, in: folder) { return .shadowed(by: shadow.path) }
    return blocked.first { $0.name == mention.name }.map { .removed(by: $0.origin) }
  }

  private func shadow(of mention: AssociationFolder.Mention, in folder: Int?) -> ApplicationCatalog.Location?
  {
    folder.flatMap { catalog.shadow(of: mention.name, aboveFolder: $0) }
  }

  private func isNamed(_ mention: AssociationFolder.Mention) -> Bool {
    steps.contains { $0.verdict == nil && $0.mention.name == mention.name }
  }
}
