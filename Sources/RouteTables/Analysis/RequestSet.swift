/// The requests that a shape takes, component by component: one belongs to it when each of its components does.
struct RequestSet {
  /// What follows the scheme of a request's URL, or that it is a bare path.
  enum Form {
    case bare
    case host
    case rooted
    case rootless
  }

  let shape: RouteVariant
  let user: ComponentMatcher?
  let host: ComponentSequence
  let path: ComponentSequence
  /// What it asks of the query, by key.
  let kinds: [[UInt8]: RouteVariant.Test.Kind]

  init(_ shape: RouteVariant, _ pattern: RoutePattern, _ languages: inout LanguageInterner) {
    self.shape = shape
    user = shape.shape.user.map { languages.place($0, of: pattern, in: .user) }
    host = ComponentSequence(hostOf: shape.shape, pattern, &languages)
    path = ComponentSequence(pathOf: shape.shape, pattern, &languages)
    // A pattern names each key once.
    kinds = Dictionary(shape.tests.map { ($0.key, $0.kind) }) { first, _ in first }
  }

  var scheme: String? { shape.shape.scheme }
  var opening: PatternVariant.Opening { shape.shape.opening }

  /// The forms of the URLs it takes; those of a host under `authority = "segment"` are left out, since there what is a host to
  /// one route is a segment to another.
  var forms: [Form] {
    switch (scheme, opening) {
    case (nil, .rootedPath): [.bare, .host, .rooted]
    case (nil, _): []
    case (_, .host): [.host]
    case (_, .rootedPath): [.rooted]
    case (_, .rootlessPath): [.rootless]
    case (_, .joinedPath): [.rooted, .rootless]
    }
  }

  /// Whether a `+` in the query of a URL with the scheme is a space to it.
  func readsPlusAsSpace(under scheme: String?) -> Bool {
    !shape.hasLiteralPlus && Normalization.query(scheme: scheme).readsPlusAsSpace
  }

  /// The keys that it asks about and that who reads `+` otherwise could take for another, with a space for each `+`.
  var keysWithPlus: [[UInt8]] {
    let (plus, space) = (UInt8(ascii: "+"), UInt8(ascii: " "))
    return kinds.keys.filter { $0.contains(plus) || $0.contains(space) }.map { key in
      key.map { $0 == plus ? space : $0 }
    }
  }

  /// Whether it could take a URL of this form and scheme.
  func admits(_ form: Form, _ scheme: String?) -> Bool {
    guard self.scheme == nil || self.scheme == scheme else { return false }
    return forms.contains(form)
  }
  /// Whether the path of a request, as the class sees it, is one that it takes.
  func takesPath(of draft: PartialRequest, _ languages: LanguageInterner) -> Bool {
    let isJoined = opening == .joinedPath && draft.form == .host
    return path.takes(isJoined ? draft.segmentsWithAuthority : draft.segments, languages)
  }
}
