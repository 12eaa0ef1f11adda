// SPDX-License-Identifier: Apache-2.0
extension WitnessSearch {
  private typealias Kind = RouteVariant.Test.Kind

  /// Returns the options for the items of a query key.
  ///
  /// The options are no item, or a first value and further values that violate tests of each value.
  mutating func itemOptions(
    _ key: [UInt8], rivals: [Int], draft: PartialRequest, _ languages: inout LanguageInterner
  ) -> [Option]? {
    guard let own = kinds(of: key, in: included, scheme: draft.scheme, &languages),
      let theirs = kinds(of: key, in: rivals.map { excluded[$0] }, scheme: draft.scheme, &languages)
    else { return nil }
    let asked = own.compactMap(\.self)
    let others = zip(rivals, theirs).map { (number: $0, kind: $1) }
    let free = others.filter { $0.kind == nil }.map(\.number)
    var options: [Option] = []
    if asked.allSatisfy({ $0 == .absent }) {
      options.append(
        Option(draft: draft, survivors: (free + others.filter { $0.kind == .absent }.map(\.number)).sorted()))
    }
    // An item that no included set requires is useful only to violate a test that the key is absent.
    guard !asked.contains(.absent), !asked.isEmpty || others.contains(where: { $0.kind == .absent }) else {
      return options
    }
    let present = free + others.filter { $0.kind == .present }.map(\.number)
    let valued = others.filter { $0.kind?.place != nil }
    let eaches = valued.filter { $0.kind?.isEach == true }
    // If `+` is read in two ways, values are compared as written, and any written text is allowed.
    let any = mixesPlus ? [ComponentMatcher.language(languages.anyWritten)] : []
    let askedOfEach = asked.filter(\.isEach).compactMap(\.place)
    guard
      let first = languages.cells(
        of: any + asked.compactMap(\.place), avoiding: valued.compactMap { $0.kind?.place }, &budget),
      let more = eaches.isEmpty
        ? [] : languages.cells(of: any + askedOfEach, avoiding: eaches.compactMap { $0.kind?.place }, &budget)
    else { return nil }
    let breaking = more.filter { $0.members.count < eaches.count }
    let unbroken = eaches.indices.filter { index in breaking.allSatisfy { $0.members.contains(index) } }
    let kept = Set(unbroken.map { eaches[$0].number })
    for cell in first {
      var draft = draft
      for text in [cell.text] + breaking.map(\.text) {
        draft.items.append((key, text.isEmpty && asked.allSatisfy { $0 == .present } ? nil : text))
      }
      let taken = cell.members.map { valued[$0] }.filter {
        $0.kind?.isEach == false || kept.contains($0.number)
      }
      options.append(Option(draft: draft, survivors: (present + taken.map(\.number)).sorted()))
    }
    return options
  }

  /// Returns the tests of a key, in terms of texts as written if the sets read `+` in two ways.
  ///
  /// Returns `nil` if an automaton is too large.
  private func kinds(
    of key: [UInt8], in classes: [RequestSet], scheme: String?, _ languages: inout LanguageInterner
  ) -> [Kind?]? {
    var kinds: [Kind?] = []
    for one in classes {
      let kind = one.kinds[key]
      guard mixesPlus, let place = kind?.place else {
        kinds.append(kind)
        continue
      }
      let plus = UInt8(ascii: one.readsPlusAsSpace(under: scheme) ? " " : "+")
      guard let number = languages.written(place, plusIs: plus) else { return nil }
      kinds.append(kind?.isEach == true ? .each(number) : .first(.language(number)))
    }
    return kinds
  }
}

extension RouteVariant.Test.Kind {
  /// The matcher of the first value; `nil` if any value passes.
  fileprivate var place: ComponentMatcher? {
    switch self {
    case .absent, .present: nil
    case .first(let place): place
    case .each(let language): .language(language)
    }
  }

  fileprivate var isEach: Bool { if case .each = self { true } else { false } }
}
