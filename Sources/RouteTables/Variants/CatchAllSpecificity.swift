// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// The segments that a path requires after its first catch-all, by which paths with the same beginning are compared.
///
/// A path that another one includes has at least as many segments of each kind (decision 160), so that the order by these
/// numbers never contradicts inclusion.
package struct CatchAllSpecificity: Hashable, Comparable, Sendable {
  /// The number of literal segments.
  package private(set) var literals = 0
  /// The number of segments that do not match every text: literals, types, and captures with a literal beside them.
  package private(set) var restricted = 0
  /// The number of all segments; the second catch-all counts as one.
  package private(set) var segments = 0

  /// Creates the specificity of a path without a catch-all.
  init() {}

  /// Creates the specificity of a path of `pattern`.
  init(_ path: PatternVariant.Path, of pattern: RoutePattern, _ languages: inout LanguageInterner) {
    guard path.rest != nil else { return }
    for part in path.anchor { add(languages.place(part, of: pattern, in: .path), languages) }
    if let second = path.secondRest {
      add(.language(languages.type(of: pattern.captures[second], mayBeEmpty: false)), languages)
    }
    for part in path.suffix { add(languages.place(part, of: pattern, in: .path), languages) }
  }

  private mutating func add(_ place: ComponentMatcher, _ languages: LanguageInterner) {
    segments += 1
    switch place {
    case .literal, .folded:
      literals += 1
      restricted += 1
    case .language(LanguageInterner.anything), .language(LanguageInterner.anyText): break
    case .language(let number):
      if languages[number].isOneTextWithoutCase { literals += 1 }
      if !languages[number].includesAnyText { restricted += 1 }
    }
  }

  package static func < (lhs: CatchAllSpecificity, rhs: CatchAllSpecificity) -> Bool {
    (lhs.literals, lhs.restricted, lhs.segments) < (rhs.literals, rhs.restricted, rhs.segments)
  }
}

extension RegularLanguage {
  /// Indicates whether all texts differ only in the case of ASCII letters, like those of a literal that is compared without case.
  fileprivate var isOneTextWithoutCase: Bool {
    guard let text = shortestText, let folded = try? RegularLanguage(.literal(text, folds: true)) else {
      return false
    }
    switch relation(to: folded) {
    case .equal, .narrower: return true
    case .wider, .crossing, .disjoint: return false
    }
  }

  /// Indicates whether the language contains every text that is not empty.
  fileprivate var includesAnyText: Bool {
    switch relation(to: .anyText) {
    case .equal, .wider: true
    case .narrower, .crossing, .disjoint: false
    }
  }
}
