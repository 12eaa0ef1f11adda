// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// A condition on the content identifier of an event, which is data and can therefore be stored and explained.
///
/// Corresponds to UIKit's `NSPredicate` on `self`, with the same limits: no closures, no regular expressions.
public indirect enum ActivationPredicate: Hashable, Sendable {
  /// Matches any content.
  case any
  /// Matches no content.
  case none
  /// Matches exactly this identifier.
  case equals(String)
  /// Matches identifiers with this prefix.
  case beginsWith(String)
  /// Matches identifiers with this suffix.
  case endsWith(String)
  /// Matches identifiers that contain this text.
  case contains(String)
  /// Matches a pattern, in which `*` stands for any text and `?` for any one character.
  case like(String)
  /// Matches if all of the predicates match.
  case and([ActivationPredicate])
  /// Matches if at least one of the predicates matches.
  case or([ActivationPredicate])
  /// Matches if the predicate does not match.
  case not(ActivationPredicate)

  /// Returns `true` if the predicate matches a content identifier.
  public func evaluate(with identifier: String) -> Bool {
    switch self {
    case .any: true
    case .none: false
    case .equals(let text): identifier == text
    case .beginsWith(let text): identifier.hasPrefix(text)
    case .endsWith(let text): identifier.hasSuffix(text)
    case .contains(let text): identifier.contains(text)
    case .like(let pattern): Glob(pattern).matches(identifier)
    case .and(let parts): parts.allSatisfy { $0.evaluate(with: identifier) }
    case .or(let parts): parts.contains { $0.evaluate(with: identifier) }
    case .not(let part): !part.evaluate(with: identifier)
    }
  }
}

extension ActivationPredicate: CustomStringConvertible {
  /// The predicate in words, for explanations.
  public var description: String {
    switch self {
    case .any: "any content"
    case .none: "no content"
    case .equals(let text): "“\(text)”"
    case .beginsWith(let text): "“\(text)…”"
    case .endsWith(let text): "“…\(text)”"
    case .contains(let text): "“…\(text)…”"
    case .like(let pattern): "like “\(pattern)”"
    case .and(let parts): "(" + parts.map(\.description).joined(separator: " and ") + ")"
    case .or(let parts): "(" + parts.map(\.description).joined(separator: " or ") + ")"
    case .not(let part): "any but \(part)"
    }
  }
}

extension ActivationPredicate {
  /// The stored form of the predicate.
  var propertyList: PropertyList {
    switch self {
    case .any: true
    case .none: false
    case .equals(let text): ["equals": .string(text)]
    case .beginsWith(let text): ["begins-with": .string(text)]
    case .endsWith(let text): ["ends-with": .string(text)]
    case .contains(let text): ["contains": .string(text)]
    case .like(let pattern): ["like": .string(pattern)]
    case .and(let parts): ["and": .array(parts.map(\.propertyList))]
    case .or(let parts): ["or": .array(parts.map(\.propertyList))]
    case .not(let part): ["not": part.propertyList]
    }
  }

  /// Creates a predicate from its ``propertyList``; `nil` if that is invalid.
  init?(_ stored: PropertyList) {
    if let truth = stored.boolean {
      self = truth ? .any : .none
      return
    }
    guard let (word, value) = stored.dictionary?.first else { return nil }
    let text = value.string ?? ""
    let parts = (value.array ?? []).compactMap(Self.init)
    switch word {
    case "equals": self = .equals(text)
    case "begins-with": self = .beginsWith(text)
    case "ends-with": self = .endsWith(text)
    case "contains": self = .contains(text)
    case "like": self = .like(text)
    case "and": self = .and(parts)
    case "or": self = .or(parts)
    case "not":
      guard let part = Self(value) else { return nil }
      self = .not(part)
    default: return nil
    }
  }
}

/// A pattern with `*` and `?`; the matching time is linear in the text for each `*`.
private struct Glob {
  private let pattern: [Character]

  init(_ pattern: String) { self.pattern = Array(pattern) }

  func matches(_ text: String) -> Bool {
    let text = Array(text)
    var (at, next) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while at < text.count {
      if next < pattern.count, pattern[next] == "*" {
        star = (next, at)
        next += 1
      } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[at] {
        (at, next) = (at + 1, next + 1)
      } else if let last = star {
        // Backtracking: the last star matches one more character.
        star = (last.pattern, last.text + 1)
        (at, next) = (last.text + 1, last.pattern + 1)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == "*" }
  }
}
