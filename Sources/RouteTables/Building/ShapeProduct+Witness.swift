extension ShapeProduct {
  /// A URL, or a bare path, that both match, and what the request must say for it; `nil` if there is none.
  func witness(_ languages: inout LanguageTable) -> String? {
    guard let opening = opening(&languages),
      let segments = PlaceSequence(pathOf: first.shape, patterns.0, &languages)
        .common(
          with: PlaceSequence(pathOf: second.shape, patterns.1, &languages),
          isRootless: first.shape.opening == .rootlessPath, &languages),
      let query = query(&languages), let fragment = common(first.fragment, second.fragment, &languages)
    else { return nil }
    var text = opening
    let path = segments.map { RoutePattern.undoubled($0, reserved: "/?#%") }.joined(separator: "/")
    let isRooted = first.shape.opening != .rootlessPath
    if isRooted, first.shape.opening != .host, path.hasPrefix("/"), first.shape.scheme != nil { text += "/." }
    text += (isRooted ? "/" : "") + path + query
    if first.fragment != nil || second.fragment != nil {
      text += "#" + RoutePattern.undoubled(fragment, reserved: "%")
    }
    var context: [String] = []
    for name in Set((first.conditions + second.conditions).map(\.name)).sorted() {
      let own = first.conditions.first { $0.name == name }?.language
      let other = second.conditions.first { $0.name == name }?.language
      guard
        let value = languages.commonText(
          .language(own ?? LanguageTable.anything), .language(other ?? LanguageTable.anything))
      else { return nil }
      context.append("\(name) `\(String(decoding: value, as: UTF8.self))`")
    }
    return context.isEmpty ? text : "\(text) with \(context.joined(separator: ", "))"
  }

  /// The scheme, the host and what belongs to it.
  private func opening(_ languages: inout LanguageTable) -> String? {
    let (one, other) = (first.shape, second.shape)
    guard one.opening == other.opening, one.scheme == other.scheme else {
      // One of them holds under any scheme and host.
      let (bare, full) = one.scheme == nil ? (second, first) : (first, second)
      guard full.shape.scheme == nil, full.shape.opening == .rootedPath, bare.shape.user == nil,
        bare.shape.opening == .host || bare.shape.opening == .rootedPath
      else { return nil }
      let pattern = one.scheme == nil ? patterns.1 : patterns.0
      return ShapeProduct(bare, pattern, bare, pattern).opening(&languages)
    }
    guard let scheme = one.scheme else { return "" }
    guard one.opening == .host else { return scheme + ":" }
    let hosts = (
      PlaceSequence(hostOf: one, patterns.0, &languages), PlaceSequence(hostOf: other, patterns.1, &languages)
    )
    // No port stands behind no host, and a host is easier to read.
    guard
      let labels = hosts.0.complete.common(with: hosts.1.complete, &languages)
        ?? hosts.0.common(with: hosts.1, &languages)
    else { return nil }
    var text = scheme + "://"
    guard (one.user == nil) == (other.user == nil) else { return nil }
    if let own = one.user, let others = other.user {
      guard
        let user = languages.commonText(
          languages.place(own, of: patterns.0, in: .user), languages.place(others, of: patterns.1, in: .user))
      else { return nil }
      text += RoutePattern.undoubled(user, reserved: "/?#%@") + "@"
    }
    text += labels.map { RoutePattern.undoubled($0, reserved: "%/?#") }.joined(separator: ".")
    switch (one.port, other.port) {
    case (.number(let number), .any), (.any, .number(let number)):
      return text + (number.map { ":\($0)" } ?? "")
    case (.any, .any): return text
    case (.number(let number), .number(let others)):
      return number == others ? text + (number.map { ":\($0)" } ?? "") : nil
    }
  }

  private func query(_ languages: inout LanguageTable) -> String? {
    var items: [String] = []
    for key in Set((first.tests + second.tests).map(\.key)).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let kinds = (first.tests + second.tests).filter { $0.key == key }.map(\.kind)
      if kinds.contains(.absent) {
        guard kinds.allSatisfy({ $0 == .absent }) else { return nil }
        continue
      }
      let places: [Place] = kinds.compactMap { kind in
        switch kind {
        case .absent, .present: nil
        case .first(let place): place
        case .each(let language): .language(language)
        }
      }
      let name = RoutePattern.undoubled(key, reserved: "&=#%+")
      guard let place = places.first else {
        items.append(name)
        continue
      }
      guard let value = languages.commonText(place, places.last ?? place) else { return nil }
      items.append(name + "=" + RoutePattern.undoubled(value, reserved: "&#%+"))
    }
    return items.isEmpty ? "" : "?" + items.joined(separator: "&")
  }

  private func common(_ one: Place?, _ other: Place?, _ languages: inout LanguageTable) -> [UInt8]? {
    guard let place = one ?? other else { return [] }
    return languages.commonText(place, other ?? place)
  }
}

extension RoutePattern {
  /// Text as it stands in a URL.
  static func undoubled(_ bytes: [UInt8], reserved: String) -> String {
    encode(bytes, reserved: reserved + "{}")
  }
}
