// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

extension RouteFileReader {
  /// A pattern without captures, because the template of a route with `scheme` can insert only the URL or the source.
  static let withoutCaptures = [try? RoutePattern("/")].compactMap(\.self)

  /// Reads `scheme`, which replaces `match` and matches every URL of these schemes, of every scheme with `*`, or of every scheme
  /// except some with `{ except = […] }`.
  mutating func readScheme(
    _ scheme: TomlMember, members: [TomlMember], group: RouteGroup?, options: RouteOptions
  ) -> [(pattern: RoutePattern, location: SourceLocation)] {
    if members.contains(where: { $0.key == "match" }) {
      report(
        .shape, at: scheme.keyLocation,
        "the route has both `match` and `scheme`, which matches every URL of a scheme: remove one of the two")
    }
    if let group, !group.bases.isEmpty {
      report(
        .shape, at: scheme.keyLocation,
        "the `base` of the group already sets the scheme: remove `scheme` or `group`"
      )
    }
    if case .table(let members) = scheme.value.content {
      return everyURL(exceptBy: members, at: scheme.value.location)
    }
    let before = faults
    let texts = texts(scheme.value, "the name of a scheme, such as `vnc`")
    if texts.count == 1, texts[0].text == "*" { return everyURL(at: scheme.value.location) }
    let names = names(texts)
    guard faults == before else { return [] }
    do throws(RouteTableError) {
      return try RoutePattern.everyURL(ofSchemes: names, authority: options.authority)
        .map { ($0, scheme.value.location) }
    } catch {
      report(.shape, at: scheme.value.location, "\(error.message): move the others to a second route")
      return []
    }
  }

  /// Returns the names of schemes, in lower case and without duplicates.
  private mutating func names(_ texts: [LocatedText]) -> [String] {
    var names: [String] = []
    for text in texts {
      guard text.text != "*" else {
        report(
          .shape, at: text.location,
          "`*` matches every scheme: remove the other names, or write a list without `*`")
        continue
      }
      guard !text.text.contains(where: { "{:".contains($0) }),
        let name = Self.schemes(of: text.text + ":")?.first
      else {
        report(
          .shape, at: text.location,
          "`\(text.text)` is not a scheme: write only its name, such as `vnc` for `vnc://h.example/`, or `*` alone for every scheme"
        )
        continue
      }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The patterns of `scheme = { except = […] }`.
  private mutating func everyURL(exceptBy members: [TomlMember], at location: SourceLocation) -> [(
    pattern: RoutePattern, location: SourceLocation
  )] {
    let before = faults
    refuseUnknown(members, RouteFileKeys.scheme)
    guard let excluded = members.first(where: { $0.key == "except" }) else {
      if faults == before {
        report(
          .shape, at: location,
          "the table is empty: write `{ except = [\"https\"] }`, or `\"*\"` for every scheme")
      }
      return []
    }
    let names = names(texts(excluded.value, "the name of a scheme, such as `https`"))
    return faults == before ? everyURL(except: names, at: excluded.value.location) : []
  }

  /// The patterns of every URL of every scheme but `excluded`; without it, those of `scheme = "*"`.
  private mutating func everyURL(except excluded: [String] = [], at location: SourceLocation) -> [(
    pattern: RoutePattern, location: SourceLocation
  )] {
    do {
      return try RoutePattern.everyURL(except: excluded).map { ($0, location) }
    } catch {
      report(error, at: location)
      return []
    }
  }
}
