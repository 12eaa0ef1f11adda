// SPDX-License-Identifier: Apache-2.0
/// A component of a pattern that can contain captures.
package enum PatternComponent {
  case user
  case host
  case path
  case query
  case fragment

  /// The name of one part of the component for use in a sentence.
  var place: String {
    switch self {
    case .user: "the user"
    case .host: "a host label"
    case .path: "a segment"
    case .query: "a query value"
    case .fragment: "the fragment"
    }
  }

  /// The character that separates the parts of the component; `nil` if it has a single part.
  var separator: Unicode.Scalar? {
    switch self {
    case .host: "."
    case .path: "/"
    case .user, .query, .fragment: nil
    }
  }

  /// Indicates whether a capture that is the whole part accepts the empty text.
  package var mayBeEmpty: Bool { self == .query || self == .fragment }
}
