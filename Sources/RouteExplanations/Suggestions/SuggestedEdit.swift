// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// An edit of a URL after which a route may match it.
struct SuggestedEdit {
  /// The bytes that are replaced.
  let range: Range<Int>
  let text: String
  /// Indicates whether the replacement is a literal of the pattern, without text of the URL.
  var isWritten = true

  func suggestion(_ url: String) -> String {
    let bytes = Array(url.utf8)
    return String(decoding: bytes[..<range.lowerBound], as: UTF8.self) + text
      + String(decoding: bytes[range.upperBound...], as: UTF8.self)
  }
}

extension PatternComparison {
  /// The edits after which the variant may match; the caller verifies each with `match`.
  ///
  /// Each edit corrects one letter of a literal, adds or removes a trailing slash, changes the slashes after the scheme, or
  /// exchanges `http` and `https`.
  var edits: [SuggestedEdit] {
    guard mismatches.count == 1, let mismatch = mismatches.first else { return [] }
    switch mismatch.place {
    case .path where isOffByTrailingSlash:
      let end = reading.endOfPath
      return [
        mismatch.range.map { SuggestedEdit(range: $0, text: "") }
          ?? SuggestedEdit(range: end..<end, text: "/")
      ]
    case .scheme:
      guard let range = mismatch.range, let own = reading.scheme, let scheme = form.scheme,
        Self.isMisspelling(own, scheme)
      else { return [] }
      return [SuggestedEdit(range: range, text: scheme)]
    case .opening:
      let slashes = reading.slashes
      return [slashes.count - 1, slashes.count + 1].filter { (0...3).contains($0) }.map {
        SuggestedEdit(range: slashes, text: String(repeating: "/", count: $0))
      }
    case .query(let key):
      return mismatch.range.map { edits(of: mismatch, at: $0) } ?? edits(ofMissingKey: key)
    default: return mismatch.range.map { edits(of: mismatch, at: $0) } ?? []
    }
  }

  /// Returns whether one edit corrects a scheme to another.
  private static func isMisspelling(_ own: String, _ scheme: String) -> Bool {
    let isTwin = [own, scheme] == ["http", "https"] || [own, scheme] == ["https", "http"]
    return isTwin || EditDistance.isOne(Array(own.utf8), Array(scheme.utf8))
  }

  /// Returns whether a URL with one scheme may be intended for another; near misses have only such schemes.
  static func mayMean(_ own: String, _ scheme: String) -> Bool {
    isMisspelling(own, scheme) || EditDistance.looksAlike(Array(own.utf8), Array(scheme.utf8))
  }

  /// Returns edits that replace a range with a similar text of the part.
  private func edits(of mismatch: Mismatch, at range: Range<Int>) -> [SuggestedEdit] {
    guard case .part(let component) = mismatch.expected, let part = mismatch.part else { return [] }
    let form = component == .host ? Normalization.host : component == .query ? queryForm : .path
    let own = form.decode(URLSlice(range), of: reading.url.utf8.span)
    func edit(_ text: [UInt8], isWritten: Bool) -> SuggestedEdit {
      SuggestedEdit(
        range: range, text: RoutePattern.undoubled(text, reserved: component.reserved), isWritten: isWritten)
    }
    return pattern.texts(of: part).filter { EditDistance.isOne(own, $0) }.map {
      edit($0, isWritten: true)
    } + pattern.ends(of: part, correcting: own).map { edit($0, isWritten: false) }
  }

  /// Returns edits that replace a key, not named in the pattern, with the missing key.
  private func edits(ofMissingKey key: String) -> [SuggestedEdit] {
    let named = Set(pattern.query.map(\.key))
    let items = pattern.options.plus == .literal ? reading.literalItems : reading.items
    return items.filter {
      !named.contains($0.key.text) && EditDistance.isOne($0.key.text, Array(key.utf8))
    }
    .map {
      SuggestedEdit(range: $0.key.range, text: RoutePattern.undoubled(Array(key.utf8), reserved: "&=#%+"))
    }
  }

  private var queryForm: Normalization {
    pattern.options.plus == .literal ? .path : reading.parts.queryForm
  }
}

extension RoutePattern {
  /// Returns the texts of a part if there are few: a literal, a choice, or a type that lists its texts.
  func texts(of part: PatternPart) -> [[UInt8]] {
    if let literal = part.literal { return literal.isEmpty ? [] : [literal] }
    if let number = part.wholeCapture {
      return (captures[number].type.language.texts(upTo: 32) ?? []).map { Array($0.utf8) }
    }
    guard part.pieces.count == 1, case .choice(let alternatives)? = part.pieces.first else { return [] }
    return alternatives.compactMap(\.first)
  }

  /// Returns `text` with its start or end replaced by the similar literal of the part.
  fileprivate func ends(of part: PatternPart, correcting text: [UInt8]) -> [[UInt8]] {
    guard part.pieces.count > 1 else { return [] }
    var suggestion: [[UInt8]] = []
    if case .literal(let first)? = part.pieces.first {
      for count in (first.count - 1)...(first.count + 1) where count < text.count {
        if EditDistance.isOne(Array(text.prefix(count)), first) {
          suggestion.append(first + text.dropFirst(count))
        }
      }
    }
    if case .literal(let last)? = part.pieces.last {
      for count in (last.count - 1)...(last.count + 1) where count < text.count {
        if EditDistance.isOne(Array(text.suffix(count)), last) {
          suggestion.append(text.dropLast(count) + last)
        }
      }
    }
    return suggestion.filter { $0.allSatisfy { $0 != 0 } && String(validating: $0, as: UTF8.self) != nil }
  }
}
