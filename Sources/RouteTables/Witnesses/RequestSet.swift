// SPDX-License-Identifier: Apache-2.0
/// The set of requests that a variant matches, component by component.
///
/// A request belongs to the set if and only if each of its components does.
package struct RequestSet {
  /// The form of a request's URL: a bare path, or the text after the scheme.
  enum Form {
    case bare
    case host
    case rooted
    case rootless
  }

  package let shape: RouteVariant
  package let user: ComponentMatcher?
  package let host: ComponentSequence
  package private(set) var path: ComponentSequence
  /// The tests of the query, by key.
  let kinds: [[UInt8]: RouteVariant.Test.Kind]

  package init(_ shape: RouteVariant, pattern: RoutePattern, _ languages: inout LanguageInterner) {
    self.shape = shape
    user = shape.shape.user.map { languages.place($0, of: pattern, in: .user) }
    host = ComponentSequence(hostOf: shape.shape, pattern, &languages)
    path = ComponentSequence(pathOf: shape.shape, pattern, &languages)
    // A pattern names each key at most once, so there are no duplicates.
    kinds = Dictionary(shape.tests.map { ($0.key, $0.kind) }) { first, _ in first }
  }

  /// Returns the requests without those in which a catch-all of the path has an empty segment; `nil` if there are none.
  package func withoutEmptySegments(_ languages: inout LanguageInterner) -> RequestSet? {
    var requests = self
    requests.path = path.withoutEmptyTexts(&languages)
    return requests.path == path ? nil : requests
  }

  package var scheme: String? { shape.shape.scheme }
  package var opening: PatternVariant.Opening { shape.shape.opening }

  /// The forms of the URLs in the set.
  ///
  /// A host under `authority = "segment"` is not included, because other routes read it as a host rather than a segment.
  var forms: [Form] {
    switch (scheme, opening) {
    case (nil, .rootedPath): [.bare, .host, .rooted]
    case (nil, .rootlessPath): [.rootless]
    case (nil, _): []
    case (_, .host): [.host]
    case (_, .rootedPath): [.rooted]
    case (_, .rootlessPath): [.rootless]
    case (_, .joinedPath): [.rooted, .rootless]
    }
  }

  /// Returns whether the variant reads a `+` in the query of a URL with the scheme as a space.
  func readsPlusAsSpace(under scheme: String?) -> Bool {
    !shape.hasLiteralPlus && Normalization.query(scheme: scheme).readsPlusAsSpace
  }

  /// The keys with a `+` or a space, normalized to spaces: variants that read `+` differently may confuse them.
  var keysWithPlus: [[UInt8]] {
    let (plus, space) = (UInt8(ascii: "+"), UInt8(ascii: " "))
    return kinds.keys.filter { $0.contains(plus) || $0.contains(space) }.map { key in
      key.map { $0 == plus ? space : $0 }
    }
  }

  /// Returns whether the set may contain a URL of this form and scheme.
  func admits(_ form: Form, _ scheme: String?) -> Bool {
    guard self.scheme == nil || self.scheme == scheme else { return false }
    return !(scheme.map(excludes) ?? false) && forms.contains(form)
  }

  /// Returns whether the variant has no scheme and excludes this one.
  func excludes(_ scheme: String) -> Bool { shape.shape.excludedSchemes.contains(scheme) }

  /// Returns whether the variant matches the host of a request, if it has one of its own.
  func takesHost(of draft: PartialRequest, _ languages: LanguageInterner) -> Bool {
    guard opening == .host, draft.form == .host else { return true }
    return host.takes(draft.labels, languages)
  }

  /// Returns whether the variant matches the path of a request.
  func takesPath(of draft: PartialRequest, _ languages: LanguageInterner) -> Bool {
    let isJoined = opening == .joinedPath && draft.form == .host
    return path.takes(isJoined ? draft.segmentsWithAuthority : draft.segments, languages)
  }
}
