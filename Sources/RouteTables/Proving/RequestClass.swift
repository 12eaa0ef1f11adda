/// The requests that a shape takes, component by component: one belongs to it when each of its components does.
struct RequestClass {
  /// What follows the scheme of a request's URL, or that it is a bare path.
  enum Form {
    case bare
    case host
    case rooted
    case rootless
  }

  let shape: RouteShape
  let user: Place?
  let host: PlaceSequence
  let path: PlaceSequence

  init(_ shape: RouteShape, _ pattern: RoutePattern, _ languages: inout LanguageTable) {
    self.shape = shape
    user = shape.shape.user.map { languages.place($0, of: pattern, in: .user) }
    host = PlaceSequence(hostOf: shape.shape, pattern, &languages)
    path = PlaceSequence(pathOf: shape.shape, pattern, &languages)
  }

  var scheme: String? { shape.shape.scheme }
  var opening: PatternShape.Opening { shape.shape.opening }

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

  /// Whether it could take a URL of this form and scheme.
  func admits(_ form: Form, _ scheme: String?) -> Bool {
    guard self.scheme == nil || self.scheme == scheme else { return false }
    return forms.contains(form)
  }
}
