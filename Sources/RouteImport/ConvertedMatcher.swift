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
  /// An example of the URLs of other schemes that the rule matches and the patterns do not.
  private(set) var missingOther: String?
  /// An example of the URLs that the patterns match and the rule does not.
  private(set) var surplus: String?
  /// Indicates whether all web URLs match, so that there are no patterns.
  private(set) var isAll = false
  /// The reasons why some conditions have no patterns, each with the text of its condition.
  private(set) var reasons: [Reason] = []

  /// The reason why a condition has no pattern.
  struct Reason: Hashable {
    let condition: String
    let text: String
  }

  /// Indicates that the difference is unknown, because a language is too large.
  private(set) var isUndecided = false

  var isEmpty: Bool { shapes.isEmpty && schemes.isEmpty && !isAll }

  /// Converts conditions, of which one must be true.
  init(_ conditions: [SourceCondition]) {
    var source: RegularLanguage? = RegularLanguage.none
    var others: [String] = []
    for condition in conditions {
      switch condition.matcher {
      case .scheme(let name):
        schemes.append(name)
        continue
      case .all:
        isAll = true
        continue
      case .wildcard, .search, .host, .hostSearch: break
      }
      do throws(ImportError) {
        let sequences = try condition.matcher.alternatives()
        let wanted = condition.matcher.language(sequences)
        if case .search = condition.matcher { others += sequences.compactMap(Self.otherURL) }
        if let known = source, let wanted { source = try? known.union(wanted) } else { source = nil }
        if let wanted, let all = WebURLLanguage.all, all.isSubset(of: wanted) {
          isAll = true
          continue
        }
        guard wanted?.isEmpty != true else {
          reasons.append(Reason(condition: condition.text, text: condition.matcher.reasonForNone))
          continue
        }
        for shape in condition.matcher.shapes {
          guard let language = try? shape.language(), !language.isEmpty else { continue }
          if !shapes.contains(where: { $0.shape == shape }) { shapes.append((shape, language)) }
        }
        for sequence in sequences { add(sequence, wanted: wanted, condition.text) }
      } catch {
        reasons.append(Reason(condition: condition.text, text: error.description))
      }
    }
    missingOther = others.first { url in !schemes.contains { url.hasPrefix($0 + ":") } }
    guard !isAll else {
      language = WebURLLanguage.all ?? .none
      (shapes, reasons) = ([], [])
      return
    }
    shareCase()
    removeIncluded()
    compare(with: source)
  }

  /// Indicates whether an alternative matches no web URL, so that it needs no pattern.
  private static func isNone(_ sequence: TextSequence) -> Bool {
    guard let all = WebURLLanguage.all, let language = try? RegularLanguage(sequence.expression) else {
      return false
    }
    return language.relation(to: all) == .disjoint
  }

  /// Returns a URL of another scheme that an alternative matches; `nil` if it matches none, or also web URLs.
  private static func otherURL(of sequence: TextSequence) -> String? {
    guard isNone(sequence), let others = WebURLLanguage.others else { return nil }
    return (try? RegularLanguage(sequence.expression))?.commonText(with: others)
  }

  private mutating func add(_ sequence: TextSequence, wanted: RegularLanguage?, _ condition: String) {
    if Self.isNone(sequence) { return }
    do throws(ImportError) {
      for (index, attempt) in try URLShapeReader.shapes(of: sequence).enumerated() {
        var found: [(URLShape, RegularLanguage)] = []
        for shape in attempt {
          guard let language = try? shape.language(), !language.isEmpty else { continue }
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
      reasons.append(Reason(condition: condition, text: "no pattern matches only such URLs"))
    } catch {
      let reason = Reason(condition: condition, text: error.description)
      if !reasons.contains(reason) { reasons.append(reason) }
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
        // Most shapes are of different hosts, whose automata need not be compared.
        guard other != index, !item.shape.hasOtherHost(than: candidate.shape) else { return false }
        let relation = item.language.relation(to: candidate.language)
        return relation == .narrower || relation == .equal && other < index
      }
      if !isIncluded { kept.append(item) }
    }
    shapes = kept
  }

  /// Removes the shapes all of whose URLs are in a language.
  mutating func remove(within known: RegularLanguage) {
    shapes.removeAll { $0.language.isSubset(of: known) }
  }

  /// Removes the shapes of a scheme.
  mutating func remove(scheme: String) {
    let rest = shapes.filter { $0.shape.scheme != scheme }
    guard rest.count < shapes.count, !rest.isEmpty else { return }
    shapes = rest
    language = rest.reduce(.none) { all, item in (try? all.union(item.language)) ?? all }
  }

  /// The scheme of which the patterns match all URLs; `nil` if there is none.
  var completeScheme: String? {
    shapes.count == 1 && shapes[0].shape.matchesAllHostsAndPaths ? shapes[0].shape.scheme : nil
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
    return WebURLLanguage.examples.lazy.compactMap { difference.commonText(with: $0) }.first
      ?? difference.shortestText
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
