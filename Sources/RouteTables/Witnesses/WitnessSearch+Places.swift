// SPDX-License-Identifier: Apache-2.0
extension WitnessSearch {
  /// Returns the options for one text; rivals without a matcher for it survive in any case.
  private mutating func textOptions(
    _ places: [ComponentMatcher], rivals: [Int], place: (RequestSet) -> ComponentMatcher?,
    _ languages: inout LanguageInterner,
    option: ([UInt8], [Int]) -> Option
  ) -> [Option]? {
    let others = rivals.map { place(excluded[$0]) }
    let asking = others.indices.filter { others[$0] != nil }
    let cells = languages.cells(of: places, avoiding: others.compactMap(\.self), &budget)
    return cells?.map { cell in
      let taken = Set(cell.members.map { asking[$0] })
      return option(
        cell.text, rivals.indices.filter { others[$0] == nil || taken.contains($0) }.map { rivals[$0] })
    }
  }

  mutating func pathOptions(_ rivals: [Int], draft: PartialRequest, _ languages: inout LanguageInterner)
    -> [Option]?
  {
    let rule: SequenceSearch.Rule =
      if draft.form == .rootless {
        .rootless(hasDots: !included.contains { $0.opening == .joinedPath })
      } else {
        draft.isLocalFile ? .localFile : .rooted
      }
    var search = SequenceSearch(included.map(\.path), rivals: sequences(rivals, \.path), rule)
    return search.run(&languages, &budget)?.map { finding in
      var draft = draft
      draft.segments = finding.texts
      return Option(draft: draft, survivors: finding.survivors)
    }
  }

  /// Returns the options for the user, which is present if all sets with a scheme require one.
  ///
  /// Sets of patterns that match under any scheme and host ignore the user.
  mutating func userOptions(_ rivals: [Int], draft: PartialRequest, _ languages: inout LanguageInterner)
    -> [Option]?
  {
    let users = included.compactMap(\.user)
    guard !users.isEmpty else {
      return [Option(draft: draft, survivors: rivals.filter { excluded[$0].user == nil })]
    }
    guard users.count == included.count(where: { $0.scheme != nil }) else { return [] }
    let others = rivals.filter { excluded[$0].user != nil || excluded[$0].scheme == nil }
    return textOptions(users, rivals: others, place: \.user, &languages) { text, survivors in
      var draft = draft
      draft.user = text
      return Option(draft: draft, survivors: survivors)
    }
  }

  mutating func fragmentOptions(_ rivals: [Int], draft: PartialRequest, _ languages: inout LanguageInterner)
    -> [Option]?
  {
    let places = included.compactMap(\.shape.fragment)
    guard !places.isEmpty else {
      return [Option(draft: draft, survivors: rivals.filter { excluded[$0].shape.fragment == nil })]
    }
    return textOptions(places, rivals: rivals, place: \.shape.fragment, &languages) { text, survivors in
      var draft = draft
      draft.fragment = text
      return Option(draft: draft, survivors: survivors)
    }
  }

  /// Returns the options for a condition; a missing value counts as the empty text.
  mutating func contextOptions(
    _ name: String, rivals: [Int], draft: PartialRequest, _ languages: inout LanguageInterner
  ) -> [Option]? {
    func place(_ shape: RouteVariant) -> ComponentMatcher? {
      shape.conditions.first { $0.name == name }.map { .language($0.language) }
    }
    let places = included.compactMap { place($0.shape) }
    return textOptions(places, rivals: rivals, place: { place($0.shape) }, &languages) { text, survivors in
      var draft = draft
      if !text.isEmpty { draft.context[name] = String(decoding: text, as: UTF8.self) }
      return Option(draft: draft, survivors: survivors)
    }
  }
}
