// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// Finds the structure of URLs in one alternative of an expression that is compared with the text of a URL.
///
/// The result need not match the same URLs: ``ConvertedMatcher`` compares both languages. A text that is searched for anywhere,
/// such as `linear.app`, is read as the name of a host and of its subdomains.
struct URLShapeReader {
  private typealias Item = TextSequence.Item

  private var items: ArraySlice<TextSequence.Item>
  private let schemes: [String]
  /// Indicates whether any text may precede the host.
  private let isSearched: Bool
  private var ignoresCase = false

  /// Returns the possible shapes, those with the most structure first; each list is one attempt.
  static func shapes(of sequence: TextSequence) throws(ImportError) -> [[URLShape]] {
    var reader = try URLShapeReader(sequence)
    return try reader.read()
  }

  private init(_ sequence: TextSequence) throws(ImportError) {
    let text = String(
      String.UnicodeScalarView(sequence.items.prefix { $0.character != nil }.compactMap(\.character)))
    if let scheme = ["https", "http"].first(where: { text.hasPrefix($0 + "://") }) {
      (schemes, isSearched) = ([scheme], false)
      items = sequence.items.dropFirst(scheme.count + 3)
    } else if sequence.items.first?.isAnyText == true {
      (schemes, isSearched) = (["https", "http"], true)
      items = sequence.items.dropFirst()
      // What precedes the host is any text anyway.
      for prefix in ["https://", "http://", "://", "//"] where Self.begins(items, with: prefix) {
        items = items.dropFirst(prefix.count)
        hasSlashes = true
        break
      }
    } else {
      throw .unsupported("it does not begin with `http://`, `https://` or any text")
    }
  }

  /// Indicates whether `//` precedes the host, so that no subdomain can.
  private var hasSlashes = false

  private static func begins(_ items: ArraySlice<TextSequence.Item>, with text: String) -> Bool {
    items.prefix(text.count).compactMap(\.character).elementsEqual(text.unicodeScalars)
  }

  // MARK: Host

  private struct Host: Equatable {
    var hasSubdomains = false
    var labels: [URLShape.Label] = []

    static let any = Host(hasSubdomains: true)
  }

  private mutating func read() throws(ImportError) -> [[URLShape]] {
    if items.isEmpty, isSearched {
      return [shapes(of: [.any], port: .any, path: [.rest])]
    }
    let hosts = try readHosts()
    // Any text in the place of the host may also contain a port.
    var port: URLShape.Port? = hosts == [.any] ? .any : nil
    if items.first?.character == ":" { port = readPort() }
    var attempts: [[URLShape]] = []
    if let tails = try? readTails(port) {
      attempts.append(
        tails.flatMap { tail in shapes(of: hosts, port: tail.port, path: tail.path, query: tail.query) })
    }
    attempts.append(shapes(of: hosts, port: port ?? .any, path: [.rest]))
    attempts.append(shapes(of: hosts, port: port ?? .standard, path: [.rest]))
    return attempts
  }

  private func shapes(
    of hosts: [Host], port: URLShape.Port, path: [URLShape.Part], query: [URLShape.QueryItem] = []
  ) -> [URLShape] {
    schemes.flatMap { scheme in
      hosts.map { host in
        URLShape(
          scheme: scheme, hasSubdomains: host.hasSubdomains, labels: host.labels, port: port, path: path,
          query: query, ignoresCase: ignoresCase)
      }
    }
  }

  private mutating func readHosts() throws(ImportError) -> [Host] {
    var labels: [[Item]] = [[]]
    var leads = isSearched && !hasSlashes
    var isCut = false
    // Any text before the host is the subdomains, as in `*.example.com` behind a scheme.
    if !leads, let first = items.first, Self.mayContainDot(first) {
      leads = true
      items.removeFirst()
    }
    while let item = items.first {
      if let character = item.character {
        if character == "/" || character == ":" || character == "?" || character == "#" { break }
        items.removeFirst()
        if character == "." {
          labels.append([])
        } else {
          labels[labels.count - 1].append(.set(ScalarSet(only: character)))
        }
        continue
      }
      if item.isAnyText, labels.last?.isEmpty == false, labels.count > 1 || leads && labels.count > 1 {
        // The text of the host ends here; what may follow within the host is another name.
        break
      }
      if case .repeated(.set(let set), _, _) = item,
        set.intersection(WebURLLanguage.labelScalars).ranges.isEmpty,
        !set.contains(".")
      {
        // No text of a host, such as `/*`.
        break
      }
      items.removeFirst()
      labels[labels.count - 1].append(item)
      if item.isAnyText, labels.last?.count == 1, items.isEmpty {
        isCut = true
        break
      }
    }
    if isCut { items = [.repeated(.set(.all), min: 0, max: nil)] }
    return try hosts(labels, leads: leads)
  }

  /// Returns whether an item is a run that can contain dots, so that it can be several labels.
  private static func mayContainDot(_ item: Item) -> Bool {
    guard case .repeated(let part, _, nil) = item, case .set(let set) = part else { return false }
    return set.contains(".") && set.contains("a")
  }

  private func hosts(_ labels: [[Item]], leads: Bool) throws(ImportError) -> [Host] {
    var labels = labels
    var bases: [Host]
    if labels[0].isEmpty {
      guard leads, labels.count > 1 || !isSearched else { throw .unsupported("it names no host") }
      guard labels.count > 1 else { return [.any] }
      labels.removeFirst()
      bases = [Host(hasSubdomains: true)]
    } else {
      bases = leads ? [Host(hasSubdomains: false), Host(hasSubdomains: true)] : [Host()]
    }
    for (index, items) in labels.enumerated() {
      guard !items.isEmpty else { throw .unsupported("a label of the host is empty") }
      if items.count == 1, Self.mayContainDot(items[0]) {
        // One label, and at the end of a host also two, as in `co.uk`.
        let one = bases.map { host in Host(hasSubdomains: host.hasSubdomains, labels: host.labels + [.any]) }
        let two = one.map { host in Host(hasSubdomains: host.hasSubdomains, labels: host.labels + [.any]) }
        bases = index == labels.count - 1 ? one + two : one
        continue
      }
      let label = Self.label(items)
      bases = bases.map { Host(hasSubdomains: $0.hasSubdomains, labels: $0.labels + [label]) }
    }
    let literals = bases[0].labels.map { if case .literal(let text) = $0 { text } else { "" } }
    let isName = literals.count > 1 && (literals.last?.count ?? 0) != 1 && literals.contains { $0.count > 1 }
    guard !isSearched || isName || literals == ["localhost"] else {
      throw .unsupported("it names no host, and a route cannot search for a text anywhere in a URL")
    }
    return bases
  }

  private static func label(_ items: [Item]) -> URLShape.Label {
    let text = items.compactMap(\.character)
    if text.count == items.count { return .literal(String(String.UnicodeScalarView(text)).lowercased()) }
    if items.count == 1, case .repeated(.set(let set), 1, nil) = items[0],
      set.intersection(WebURLLanguage.labelScalars) == WebURLLanguage.labelScalars
    {
      return .any
    }
    return .expression(.sequence(items.map(\.expression)))
  }

  private mutating func readPort() -> URLShape.Port {
    items.removeFirst()
    var number = ""
    while let character = items.first?.character, ("0"..."9").contains(character) {
      number.unicodeScalars.append(character)
      items.removeFirst()
    }
    guard number.isEmpty else { return .number(number) }
    if let first = items.first, first.character == nil { items.removeFirst() }
    return .any
  }

  // MARK: Path and query

  private struct Tail {
    var port: URLShape.Port
    var path: [URLShape.Part]
    var query: [URLShape.QueryItem] = []
  }

  private mutating func readTails(_ port: URLShape.Port?) throws(ImportError) -> [Tail] {
    guard let first = items.first else { throw .unsupported("it ends before the path") }
    if first.isAnyText {
      items.removeFirst()
      guard !items.isEmpty else { return [Tail(port: port ?? .any, path: [.rest])] }
      guard items.first?.character == "/" else { throw .unsupported("a text behind any text") }
      let behind = items
      let direct = try readPath(port ?? .any)
      items = behind
      return try direct
        + readPath(port ?? .any).map { Tail(port: $0.port, path: [.some] + $0.path, query: $0.query) }
    }
    guard first.character == "/" else { throw .unsupported("the host has no end") }
    return try readPath(port ?? .standard)
  }

  private mutating func readPath(_ port: URLShape.Port) throws(ImportError) -> [Tail] {
    items.removeFirst()
    var segments: [[Item]] = [[]]
    var query: [URLShape.QueryItem] = []
    reading: while let item = items.first {
      items.removeFirst()
      switch item.character {
      case "/"?: segments.append([])
      case "?"?:
        query = try readQuery()
        break reading
      case "#"?: throw .unsupported("a route cannot name a part of the fragment")
      default: segments[segments.count - 1].append(item)
      }
    }
    let last = segments.removeLast()
    let parts = segments.map { Self.part($0, &ignoresCase) }
    return Self.endings(last, &ignoresCase).map { ending in
      let path = parts + ending
      return Tail(port: port, path: path == [.some] ? [.rest] : path, query: query)
    }
  }

  private static func endings(_ items: [Item], _ ignoresCase: inout Bool) -> [[URLShape.Part]] {
    guard let last = items.last, last.isAnyText else { return [[part(items, &ignoresCase)]] }
    if items.count == 1 { return [[.some]] }
    let text = Self.text(items.dropLast(), &ignoresCase)
    if let text { return [[.literal(text), .rest], [.beginning(text), .rest]] }
    return [[.expression(.sequence(items.map(\.expression))), .rest]]
  }

  private static func part(_ items: [Item], _ ignoresCase: inout Bool) -> URLShape.Part {
    if let text = text(items[...], &ignoresCase) { return .literal(text) }
    if items.count == 1 {
      if items[0].isAnyText { return .some }
      if case .repeated(.set(let set), 1, nil) = items[0],
        set.intersection(WebURLLanguage.segmentScalars) == WebURLLanguage.segmentScalars
      {
        return .any
      }
    }
    return .expression(.sequence(items.map(\.expression)))
  }

  /// Returns the text of items that are characters; `nil` if one is not.
  private static func text(_ items: ArraySlice<Item>, _ ignoresCase: inout Bool) -> String? {
    var text = String.UnicodeScalarView()
    for item in items {
      guard case .set(let set) = item, let character = set.character else { return nil }
      if set.ranges.count > 1 { ignoresCase = true }
      text.append(character)
    }
    return String(text)
  }

  private mutating func readQuery() throws(ImportError) -> [URLShape.QueryItem] {
    var parts: [[Item]] = [[]]
    for item in items {
      if item.character == "#" { throw .unsupported("a route cannot name a part of the fragment") }
      if item.character == "&" { parts.append([]) } else { parts[parts.count - 1].append(item) }
    }
    items = []
    return parts.compactMap { part in
      let key = part.prefix { $0.character != nil && $0.character != "=" }
      let name = String(String.UnicodeScalarView(key.compactMap(\.character)))
      guard !name.isEmpty else { return nil }
      guard key.count < part.count else { return URLShape.QueryItem(key: name, value: nil) }
      guard part[key.endIndex].character == "=" else { return nil }
      let value = part[(key.endIndex + 1)...]
      if value.count == 1, value.first?.isAnyText == true {
        return URLShape.QueryItem(key: name, value: .any)
      }
      let text = value.compactMap(\.character)
      return URLShape.QueryItem(
        key: name,
        value: text.count == value.count
          ? .literal(String(String.UnicodeScalarView(text))) : .expression(.sequence(value.map(\.expression)))
      )
    }
  }
}
