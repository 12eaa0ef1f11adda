/// The components of a pattern that hold captures.
enum PatternComponent {
  case user
  case host
  case path
  case query
  case fragment

  /// What a place is called in a sentence.
  var place: String {
    switch self {
    case .user: "the user"
    case .host: "a host label"
    case .path: "a segment"
    case .query: "a query value"
    case .fragment: "the fragment"
    }
  }

  /// What cuts the component into places.
  var separator: Unicode.Scalar? {
    switch self {
    case .host: "."
    case .path: "/"
    case .user, .query, .fragment: nil
    }
  }

  /// Whether a whole capture may be the empty text.
  var mayBeEmpty: Bool { self == .query || self == .fragment }
}
