// SPDX-License-Identifier: Apache-2.0
extension WitnessSearch {
  /// Returns requests without components of a scheme and a form.
  ///
  /// There is one for most schemes; a `file:` URL of another machine and a local one are compared differently.
  func drafts(_ scheme: String?, _ form: RequestSet.Form) -> [PartialRequest] {
    var draft = PartialRequest()
    draft.form = form
    draft.scheme = scheme ?? (form == .rootless ? unnamedScheme : nil)
    guard scheme == "file" else { return [draft] }
    var local = draft
    local.isLocalFile = true
    // The authority of a URL with a user is not empty, so that it is not local.
    if form == .host, included.contains(where: { $0.user != nil }) { return [draft] }
    let hosts = included.filter { $0.scheme != nil }.map(\.host)
    if form != .host || hosts.contains(where: \.items.isEmpty) { return [local] }
    return hosts.allSatisfy(\.takesNone) ? [draft, local] : [draft]
  }

  /// Returns the options for host and port; an empty host has no port.
  mutating func hostOptions(
    _ rivals: [Int], draft: PartialRequest, _ languages: inout LanguageInterner
  ) -> [Option]? {
    let required = included.filter { $0.scheme != nil }.map(\.host)
    let hosts = required.isEmpty ? [ComponentSequence.anyHost] : required
    // The authority of a local `file:` URL is empty; that of another one is empty only with a user.
    let mayLackHost =
      draft.scheme == "file"
      ? draft.isLocalFile || draft.user != nil : draft.scheme.flatMap(ParsedURL.defaultPort) == nil
    guard draft.isLocalFile || !hosts.contains(where: \.mayEndEmpty) else {
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
      let rule = SequenceSearch.Rule.host(isInternet: ParsedURL.isSpecial(scheme: draft.scheme ?? ""))
      // Options with labels come first, because such a witness is easier to read.
      if !draft.isLocalFile {
        var search = SequenceSearch(hosts.map(\.complete), rivals: sequences(named, \.host), rule)
        guard let findings = search.run(&languages, &budget) else { return nil }
        for finding in findings where !finding.texts.isEmpty {
          options.append(option(finding.texts, finding.survivors))
        }
      }
      if port == nil, mayLackHost, hosts.allSatisfy(\.takesNone) {
        options.append(option([], named.filter { excluded[$0].host.takesNone }))
      }
    }
    return options
  }

  /// Returns the ports to try: the required one, or the scheme's default and one that no rival names.
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

  private func takes(_ one: RequestSet, _ port: UInt16?) -> Bool {
    if one.scheme == nil { return true }
    return switch one.shape.shape.port {
    case .any: true
    case .number(let number): number == port
    }
  }

}

extension ComponentSequence {
  /// Indicates whether the last label may be empty, which the parser would read as a trailing dot.
  ///
  /// The parser removes one trailing dot unless it follows another.
  fileprivate var mayEndEmpty: Bool {
    guard items.count > 1, items.last?.place == .literal([]) else { return false }
    switch items[items.count - 2].place {
    case .literal(let text): return text.isEmpty
    case .language(let number): return number == LanguageInterner.anything
    case .folded: return false
    }
  }

  /// Indicates whether the sequence matches a host without labels.
  fileprivate var takesNone: Bool { closure(0).contains { isEnd($0) } }
}
