// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A writer that turns a pattern and its arguments into a URL.
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
    guard !pattern.schemes.isEmpty || pattern.isRooted else { throw .unrepresentable("*") }
    var text = pattern.schemes.first.map { $0 + ":" } ?? ""
    let path = try path()
    if let authority = pattern.authority {
      text += "//" + (try self.authority(authority))
    } else if !text.isEmpty, pattern.isRooted, path.count > 1, path.first == "" {
      // RFC 3986, section 6.2.3: the prefix prevents that `//` is parsed as the start of an authority.
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
        // The type of a whole host has already accepted the text; an address in brackets must not be encoded.
        labels += (arguments.textsInFull(of: pattern.captures[number]) ?? []).map {
          $0.hasPrefix("[") ? $0 : $0.encodedForAuthority
        }
        continue
      } else {
        // A choice may contain several labels, which are joined by dots here.
        labels.append(try self.text(of: part, separator: ".") { $0.encodedForAuthority } ?? "")
      }
      try check(part)
    }
    text += labels.joined(separator: ".")
    guard case .numbers(let ports) = authority.port, let port = ports.first ?? nil else { return text }
    return text + ":\(port)"
  }

  /// Throws `unrepresentable` for an argument that no label can contain: capital letters, which hosts lose, and delimiters.
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
    // Absent optional segments can be omitted only at the end.
    let lastNeeded = pattern.segments.lastIndex { part in
      part.wholeCapture.map { number in
        !pattern.captures[number].isOptional || arguments.texts(of: pattern.captures[number]) != nil
      } ?? true
    }
    for part in pattern.segments[..<((lastNeeded ?? -1) + 1)] { segments += try texts(of: part) }
    // A path has at least one segment, which may be empty.
    return segments.isEmpty ? [""] : segments
  }

  /// Returns the segments of a part of the pattern.
  private func texts(of part: PatternPart) throws(RouteGenerationError) -> [String] {
    guard let number = part.wholeCapture else {
      let text = try self.text(of: part, separator: "/") { $0.encodedForPath } ?? ""
      if pattern.isRooted, part.literal == nil, [".", ".."].contains(text) {
        throw .unrepresentable(part.captures.first.map { pattern.captures[$0].name } ?? text)
      }
      return [text]
    }
    let capture = pattern.captures[number]
    // A segment before another that has a value is written even if it equals its default. A segment without a default is
    // skipped; the verification detects a URL that is then parsed differently.
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

  /// Returns the encoded pieces of a part, with the first alternative of each choice; `nil` if a capture is absent.
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
        // Beside other pieces, a capture must match at least one byte.
        guard !own.isEmpty || part.wholeCapture != nil else { throw .unrepresentable(capture.name) }
        text += encode(own)
      }
    }
    return text
  }
}
