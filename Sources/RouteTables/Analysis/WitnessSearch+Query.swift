extension WitnessSearch {
  private typealias Kind = RouteVariant.Test.Kind

  /// The ways to choose the items of a key: none, or a first value and more that break what must hold for each.
  mutating func itemOptions(
    _ key: [UInt8], _ rivals: [Int], _ draft: PartialRequest, _ languages: inout LanguageInterner
  ) -> [Option]? {
    guard let own = kinds(of: key, included, draft.scheme, &languages),
      let theirs = kinds(of: key, rivals.map { excluded[$0] }, draft.scheme, &languages)
    else { return nil }
    let asked = own.compactMap(\.self)
    let others = zip(rivals, theirs).map { (number: $0, kind: $1) }
    let free = others.filter { $0.kind == nil }.map(\.number)
    var options: [Option] = []
    if asked.allSatisfy({ $0 == .absent }) {
      options.append(
        Option(draft: draft, survivors: (free + others.filter { $0.kind == .absent }.map(\.number)).sorted()))
    }
    // Without need an item is there only to break what must be absent.
    guard !asked.contains(.absent), !asked.isEmpty || others.contains(where: { $0.kind == .absent }) else {
      return options
    }
    let present = free + others.filter { $0.kind == .present }.map(\.number)
    let valued = others.filter { $0.kind?.place != nil }
    let eaches = valued.filter { $0.kind?.isEach == true }
    // Where `+` is read in two ways, any text is one as it is written.
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

  /// What the classes ask of a key, each in terms of texts as they are written if they read `+` in two ways; `nil` if that is too
  /// large to tell.
  private func kinds(
    of key: [UInt8], _ classes: [RequestSet], _ scheme: String?, _ languages: inout LanguageInterner
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
  /// What the first value must be.
  fileprivate var place: ComponentMatcher? {
    switch self {
    case .absent, .present: nil
    case .first(let place): place
    case .each(let language): .language(language)
    }
  }

  fileprivate var isEach: Bool { if case .each = self { true } else { false } }
}
