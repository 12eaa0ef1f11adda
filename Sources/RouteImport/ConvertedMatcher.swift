// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// The patterns that say what a rule's conditions say, and the proven difference between the two.
struct ConvertedMatcher {
  /// The structures of the web URLs that the patterns match, each with its language.
  private(set) var shapes: [(shape: URLShape, language: RegularLanguage)] = []
  /// The schemes all of whose URLs the rule matches.
  private(set) var schemes: [String] = []
  /// The web URLs that the patterns match.
  private(set) var language = RegularLanguage.none
  /// An example of the URLs that the rule matches and the patterns do not.
  private(set) var missing: String?
  /// An example of the URLs that the patterns match and the rule does not.
  private(set) var surplus: String?
  /// The reasons why some conditions have no patterns.
  private(set) var reasons: [String] = []
  /// Indicates that the difference is unknown, because a language is too large.
  private(set) var isUndecided = false

  var isEmpty: Bool { shapes.isEmpty && schemes.isEmpty }

  /// Converts conditions, of which one must be true.
  init(_ matchers: [SourceMatcher]) {
    var source: RegularLanguage? = RegularLanguage.none
    for matcher in matchers {
      if case .scheme(let name) = matcher {
        schemes.append(name)
        continue
      }
      do throws(ImportError) {
        let sequences = try matcher.alternatives()
        let wanted = Self.language(of: sequences)
        if let known = source, let wanted { source = try? known.union(wanted) } else { source = nil }
        guard wanted?.isEmpty != true else {
          reasons.append("it matches no web URL, because it is compared with the complete text of the URL")
          continue
        }
        for sequence in sequences { add(sequence, wanted: wanted) }
      } catch {
        reasons.append(error.description)
      }
    }
    shareCase()
    removeIncluded()
    compare(with: source)
  }

  /// Returns the web URLs that alternatives match; `nil` if the language is too large.
  private static func language(of sequences: [TextSequence]) -> RegularLanguage? {
    guard let all = WebURLLanguage.all else { return nil }
    var language = RegularLanguage.none
    for sequence in sequences {
      guard let next = try? RegularLanguage(sequence.expression).intersection(all),
        let union = try? language.union(next)
      else { return nil }
      language = union
    }
    return language
  }

  private mutating func add(_ sequence: TextSequence, wanted: RegularLanguage?) {
    // An alternative that matches no web URL needs no pattern.
    if Self.language(of: [sequence])?.isEmpty == true { return }
    do throws(ImportError) {
      for (index, attempt) in try URLShapeReader.shapes(of: sequence).enumerated() {
        var found: [(URLShape, RegularLanguage)] = []
        for shape in attempt {
          guard let language = try? shape.language() else { continue }
          // Only the structure that was read may match more, such as a URL with a query.
          let isRead = index == 0
          guard let wanted, isRead ? wanted.commonText(with: language) != nil : language.isSubset(of: wanted)
          else {
            continue
          }
          found.append((shape, language))
        }
        guard !found.isEmpty else { continue }
        for item in found where !shapes.contains(where: { $0.shape == item.0 }) { shapes.append(item) }
        return
      }
      reasons.append("no pattern matches only such URLs")
    } catch {
      if !reasons.contains(error.description) { reasons.append(error.description) }
    }
  }

  /// Lets all shapes ignore case if one does, because the option applies to a whole route.
  private mutating func shareCase() {
    guard ignoresCase else { return }
    shapes = shapes.compactMap { item in
      var shape = item.shape
      shape.ignoresCase = true
      return (try? shape.language()).map { (shape, $0) }
    }
  }

  /// Removes the shapes that another one includes.
  private mutating func removeIncluded() {
    var kept: [(shape: URLShape, language: RegularLanguage)] = []
    for (index, item) in shapes.enumerated() {
      let isIncluded = shapes.enumerated().contains { other, candidate in
        guard other != index else { return false }
        let relation = item.language.relation(to: candidate.language)
        return relation == .narrower || relation == .equal && other < index
      }
      if !isIncluded { kept.append(item) }
    }
    shapes = kept
  }

  private mutating func compare(with source: RegularLanguage?) {
    for item in shapes {
      guard let union = try? language.union(item.language) else {
        isUndecided = true
        return
      }
      language = union
    }
    guard let source else {
      isUndecided = !shapes.isEmpty
      return
    }
    missing = Self.example(of: source, without: language)
    surplus = Self.example(of: language, without: source)
  }

  /// Returns a URL of one language that is not in the other, one that is easy to read if possible.
  private static func example(of one: RegularLanguage, without other: RegularLanguage) -> String? {
    guard let difference = try? one.subtracting(other), !difference.isEmpty else { return nil }
    return WebURLLanguage.plain.flatMap { difference.commonText(with: $0) } ?? difference.shortestText
  }

  /// The patterns, each with all schemes for which the structure is the same.
  var patterns: [String] {
    var groups: [(shape: URLShape, schemes: [String])] = []
    for (shape, _) in shapes {
      var key = shape
      key.scheme = ""
      if let index = groups.firstIndex(where: { $0.shape == key }) {
        groups[index].schemes.append(shape.scheme)
      } else {
        groups.append((key, [shape.scheme]))
      }
    }
    return groups.map { $0.shape.pattern(schemes: $0.schemes.sorted(by: >)) }
  }

  /// Indicates whether literals of the paths ignore case.
  var ignoresCase: Bool { shapes.contains { $0.shape.ignoresCase } }
}
