extension RequestSearch {
  /// The ways to choose the items of a key: none, or a first value and more that break what must hold for each.
  func itemOptions(
    _ key: [UInt8], _ rivals: [Int], _ draft: RequestDraft, _ languages: inout LanguageTable
  ) -> [Option]? {
    let asked = included.compactMap { $0.kind(of: key) }
    let others = rivals.map { (number: $0, kind: excluded[$0].kind(of: key)) }
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
    let askedOfEach = asked.filter(\.isEach).compactMap(\.place)
    guard
      let first = languages.cells(
        of: asked.compactMap(\.place), avoiding: valued.compactMap { $0.kind?.place }),
      let more = eaches.isEmpty
        ? [] : languages.cells(of: askedOfEach, avoiding: eaches.compactMap { $0.kind?.place })
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
}

extension RequestClass {
  /// What it asks of a key.
  fileprivate func kind(of key: [UInt8]) -> RouteShape.Test.Kind? {
    shape.tests.first { $0.key == key }?.kind
  }
}

extension RouteShape.Test.Kind {
  /// Whether it matters what the values are.
  var readsValue: Bool { place != nil }

  /// What the first value must be.
  fileprivate var place: Place? {
    switch self {
    case .absent, .present: nil
    case .first(let place): place
    case .each(let language): .language(language)
    }
  }

  fileprivate var isEach: Bool { if case .each = self { true } else { false } }
}
