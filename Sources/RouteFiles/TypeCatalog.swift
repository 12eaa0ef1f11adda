// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

/// The types of each owner, from all files of a policy layer.
///
/// A file uses its own definition of a type. Otherwise it uses the definition of files that are at least as trusted as
/// itself, the most trusted first, and of those the ones of the first directory: a file that users can write must not
/// change the patterns of the administrator's rules.
struct TypeCatalog {
  private struct Owner: Hashable {
    let rank: PolicyLayer
    let owner: String?
  }

  private struct Definition {
    let draft: PartialType
    let source: RouteFileSource

    var precedence: (RouteDirectory.Finality, Int) { (source.finality, source.directory) }
  }

  /// The types that the patterns of a file can use.
  struct Visible {
    var types: [RouteType] = []
    /// The names that other files define and that this file cannot use, each with an error message.
    var unusable: [String: String] = [:]
  }

  private var definitions: [Owner: [String: [Definition]]] = [:]

  /// Adds the types of a file, and reports a type that an earlier file of the owner defines differently.
  ///
  /// The most trusted files must be added first.
  mutating func add(_ types: [PartialType], of reader: inout RouteFileReader) {
    let owner = Owner(rank: reader.source.rank, owner: reader.owner)
    for draft in types {
      let known = definitions[owner]?[draft.type.name] ?? []
      if let first = known.first(where: { $0.draft.type.language != draft.type.language }) {
        reader.report(
          .conflict, at: draft.location,
          "this owner has another type `\(draft.type.name)` at \(first.draft.location): rename one")
      }
      definitions[owner, default: [:]][draft.type.name, default: []].append(
        Definition(draft: draft, source: reader.source))
    }
  }

  /// Returns the types that the patterns of a file can use.
  func visible(to reader: RouteFileReader) -> Visible {
    var visible = Visible()
    let source = reader.source
    for (name, all) in definitions[Owner(rank: source.rank, owner: reader.owner), default: [:]] {
      if let own = all.first(where: { $0.source.path == source.path }) {
        visible.types.append(own.draft.type)
        continue
      }
      guard let first = all.min(by: { $0.precedence < $1.precedence }) else { continue }
      guard first.source.finality <= source.finality else {
        visible.unusable[name] =
          "the type `\(name)` is defined at \(first.draft.location), which the administrator's files do not use: "
          + (first.source.writable.map { "\($0.reason); \($0.correction(moving: "the definition"))" }
            ?? "move the definition to \(RouteDirectory.system)")
        continue
      }
      let others = all.filter { $0.precedence == first.precedence }
      if let other = others.first(where: { $0.draft.type.language != first.draft.type.language }) {
        visible.unusable[name] =
          "the type `\(name)` has two definitions, at \(first.draft.location) and \(other.draft.location): rename one"
        continue
      }
      visible.types.append(first.draft.type)
    }
    visible.types.sort { $0.name < $1.name }
    return visible
  }
}
