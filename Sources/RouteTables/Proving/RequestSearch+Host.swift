extension RequestSearch {
  /// The ways to choose host and port: no port stands behind no host.
  mutating func hostOptions(
    _ rivals: [Int], _ draft: RequestDraft, _ languages: inout LanguageTable
  ) -> [Option]? {
    let hosts = included.filter { $0.scheme != nil }.map(\.host)
    guard !hosts.contains(where: \.mayEndEmpty) else {
      give(.strangeHost)
      return nil
    }
    var options: [Option] = []
    for port in ports(rivals) {
      let left = rivals.filter { takes(excluded[$0], port) }
      let (free, named) = (
        left.filter { excluded[$0].scheme == nil }, left.filter { excluded[$0].scheme != nil }
      )
      func option(_ labels: [[UInt8]], _ survivors: [Int]) -> Option {
        var draft = draft
        (draft.labels, draft.port) = (labels, port)
        return Option(draft: draft, survivors: (free + survivors).sorted())
      }
      let rule = SequenceSearch.Rule.host(isInternet: URLParts.isSpecial(scheme: draft.scheme ?? ""))
      // A host is easier to read than none.
      var search = SequenceSearch(hosts.map(\.complete), rivals: sequences(named, \.host), rule)
      guard let findings = search.run(&languages, &budget) else { return nil }
      for finding in findings where !finding.texts.isEmpty {
        // Four numbers would be one address.
        guard !HostAddress.isIPv4(finding.texts.joined(separator: [UInt8(ascii: ".")])) else {
          give(.strangeHost)
          return nil
        }
        options.append(option(finding.texts, finding.survivors))
      }
      for address in addresses(hosts, named) where hosts.allSatisfy({ $0.takes(address: address, languages) })
      {
        options.append(
          option([address], named.filter { excluded[$0].host.takes(address: address, languages) }))
      }
      if port == nil, hosts.allSatisfy(\.takesNone) {
        options.append(option([], named.filter { excluded[$0].host.takesNone }))
      }
    }
    return options
  }

  /// The ports to try: the one that is asked for, else the scheme's own, and one that none of the others names.
  private func ports(_ rivals: [Int]) -> [UInt16?] {
    var asked: Set<UInt16?> = []
    for one in included where one.scheme != nil {
      if case .number(let number) = one.shape.shape.port { asked.insert(number) }
    }
    if let port = asked.first { return asked.count == 1 ? [port] : [] }
    var named: Set<UInt16?> = []
    for rival in rivals {
      if case .number(let number) = excluded[rival].shape.shape.port { named.insert(number) }
    }
    guard named.contains(nil), let fresh = (8_080...UInt16.max).first(where: { !named.contains($0) }) else {
      return [nil]
    }
    return [nil, fresh]
  }

  private func takes(_ one: RequestClass, _ port: UInt16?) -> Bool {
    if one.scheme == nil { return true }
    return switch one.shape.shape.port {
    case .any: true
    case .number(let number): number == port
    }
  }

  /// The addresses to try: those that are written, and one of each kind.
  private func addresses(_ hosts: [PlaceSequence], _ rivals: [Int]) -> [[UInt8]] {
    let written = (hosts + rivals.map { excluded[$0].host }).compactMap(\.onlyLiteral).filter { text in
      text.first == UInt8(ascii: "[") || HostAddress.isIPv4(text)
    }
    let usual = ["192.0.2.1", "[2001:db8::1]"].map { Array($0.utf8) }
    return usual.filter { !written.contains($0) } + Set(written).sorted { $0.lexicographicallyPrecedes($1) }
  }
}

extension PlaceSequence {
  /// Whether the last label may be empty: a dot at the end of a host is left out, but not behind another.
  fileprivate var mayEndEmpty: Bool {
    guard items.count > 1, items.last?.place == .literal([]) else { return false }
    switch items[items.count - 2].place {
    case .literal(let text): return text.isEmpty
    case .language(let number): return number == LanguageTable.anything
    case .folded: return false
    }
  }

  /// The text of a single place.
  fileprivate var onlyLiteral: [UInt8]? {
    guard items.count == 1, case .literal(let text) = items[0].place else { return nil }
    return text
  }

  /// Whether no label at all will do.
  fileprivate var takesNone: Bool { closure(0).contains { isEnd($0) } }

  /// Whether it takes an IP address, which is one unit: as it is written, or as any text.
  fileprivate func takes(address: [UInt8], _ languages: LanguageTable) -> Bool {
    closure(0).contains { state in
      guard let way = way(from: state), way.targets.contains(where: { isEnd($0) }) else { return false }
      switch way.place {
      case .literal(let text): return text == address
      case .language(let number): return number == LanguageTable.anyText || number == LanguageTable.anything
      case .folded: return false
      }
    }
  }
}
