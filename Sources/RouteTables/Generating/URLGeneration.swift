/// Writes a pattern as a URL, its captures filled.
struct URLGeneration {
  private let pattern: RoutePattern
  let arguments: RouteArguments
  private let endsWithSlash: Bool

  init(_ pattern: RoutePattern, _ arguments: RouteArguments, endsWithSlash: Bool = false) {
    self.pattern = pattern
    self.arguments = arguments
    self.endsWithSlash = endsWithSlash
  }

  func url() throws(RouteGenerationError) -> String {
    var text = pattern.schemes.first.map { $0 + ":" } ?? ""
    let path = try path()
    if let authority = pattern.authority {
      text += "//" + (try self.authority(authority))
    } else if !text.isEmpty, pattern.isRooted, path.count > 1, path.first == "" {
      // RFC 3986, section 6.2.3: keeps `//` from reading as an authority.
      text += pattern.options.authority == .segment ? "//" : "/."
    }
    if pattern.isRooted { text += "/" }
    return text + path.joined(separator: "/") + (endsWithSlash ? "/" : "") + (try query()) + (try fragment())
  }

  // MARK: - Authority

  private func authority(_ authority: RoutePattern.Authority) throws(RouteGenerationError) -> String {
    guard authority.lead == .none else { throw .unrepresentable("*") }
    var text = ""
    if let user = authority.user {
      let own = try self.text(of: user) { $0.encoded(keeping: "!$&'()*+,;=:") }
      text = (own ?? "") + "@"
    }
    var labels: [String] = []
    for part in authority.labels {
      if let number = part.wholeCapture, pattern.captures[number].extent == .rest {
        guard let texts = arguments.texts(of: pattern.captures[number]) else { continue }
        labels += texts.map(\.encodedForAuthority)
      } else if let number = part.wholeCapture, pattern.captures[number].type.hosts != nil {
        // Its type takes the text: an address as it is, or a name.
        labels += (arguments.textsInFull(of: pattern.captures[number]) ?? []).map {
          $0.hasPrefix("[") ? $0 : $0.encodedForAuthority
        }
        continue
      } else {
        // A choice may hold dots: its labels are one text here.
        labels.append(try self.text(of: part, separator: ".") { $0.encodedForAuthority } ?? "")
      }
      try check(part)
    }
    text += labels.joined(separator: ".")
    guard case .numbers(let ports) = authority.port, let port = ports.first ?? nil else { return text }
    return text + ":\(port)"
  }

  /// Refuses what no label can hold: capitals, which hosts lose, and what delimits.
  private func check(_ part: PatternPart) throws(RouteGenerationError) {
    for number in part.captures {
      let capture = pattern.captures[number]
      for text in arguments.textsInFull(of: capture) ?? [] {
        guard RegularLanguage.hostLabel.contains(Array(text.utf8)), !text.isEmpty else {
          throw .unrepresentable(capture.name)
        }
      }
    }
  }

  // MARK: - Path

  private func path() throws(RouteGenerationError) -> [String] {
    var segments: [String] = []
    // What is optional at the end is left out from the end on.
    let lastNeeded = pattern.segments.lastIndex { part in
      part.wholeCapture.map { number in
        !pattern.captures[number].isOptional || arguments.texts(of: pattern.captures[number]) != nil
      } ?? true
    }
    for part in pattern.segments[..<((lastNeeded ?? -1) + 1)] { segments += try texts(of: part) }
    // A path has a segment, be it empty.
    return segments.isEmpty ? [""] : segments
  }

  /// The segments that a part makes.
  private func texts(of part: PatternPart) throws(RouteGenerationError) -> [String] {
    guard let number = part.wholeCapture else {
      let text = try self.text(of: part, separator: "/") { $0.encodedForPath } ?? ""
      if pattern.isRooted, part.literal == nil, [".", ".."].contains(text) {
        throw .unrepresentable(part.captures.first.map { pattern.captures[$0].name } ?? text)
      }
      return [text]
    }
    let capture = pattern.captures[number]
    // One that stands before another that is given is written, be it as its default; one without is skipped, and
    // what comes of that is seen when the URL is read.
    guard let texts = arguments.textsInFull(of: capture) else { return [] }
    for text in texts where pattern.isRooted && [".", ".."].contains(text) {
      throw .unrepresentable(capture.name)
    }
    if capture.extent == .single, texts == [""] { throw .unrepresentable(capture.name) }
    return texts.map(\.encodedForPath)
  }

  // MARK: - Query and fragment

  private func query() throws(RouteGenerationError) -> String {
    var items: [String] = []
    for item in pattern.query {
      let key = RoutePattern.undoubled(item.key, reserved: "&=#%+")
      switch item.test {
      case .absent: continue
      case .present: items.append(key)
      case .value(let part):
        if let number = part.wholeCapture {
          let texts = arguments.texts(of: pattern.captures[number]) ?? []
          items += texts.map { "\(key)=\($0.encoded(keeping: "/:@,"))" }
        } else if let text = try self.text(of: part, { $0.encoded(keeping: "/:@,") }) {
          items.append("\(key)=\(text)")
        }
      }
    }
    return items.isEmpty ? "" : "?" + items.joined(separator: "&")
  }

  private func fragment() throws(RouteGenerationError) -> String {
    guard let part = pattern.fragment else { return "" }
    if let number = part.wholeCapture, arguments.texts(of: pattern.captures[number]) == nil,
      pattern.captures[number].isOptional
    {
      return ""
    }
    return "#" + (try text(of: part) { $0.encoded(keeping: "!$&'()*+,;=:@/?") } ?? "")
  }

  /// The pieces of a part side by side, the first of each choice, all of it encoded; `nil` where a capture is absent.
  private func text(
    of part: PatternPart, separator: String = "", _ encode: (String) -> String
  ) throws(RouteGenerationError) -> String? {
    var text = ""
    for piece in part.pieces {
      switch piece {
      case .literal(let bytes): text += encode(String(decoding: bytes, as: UTF8.self))
      case .choice(let alternatives):
        let texts = alternatives.first ?? []
        text += texts.map { encode(String(decoding: $0, as: UTF8.self)) }.joined(separator: separator)
      case .anything, .host: break
      case .capture(let number):
        let capture = pattern.captures[number]
        guard let own = arguments.textsInFull(of: capture)?.first else { return nil }
        // In a part that holds more, a capture takes something.
        guard !own.isEmpty || part.wholeCapture != nil else { throw .unrepresentable(capture.name) }
        text += encode(own)
      }
    }
    return text
  }
}
