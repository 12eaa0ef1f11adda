// SPDX-License-Identifier: Apache-2.0
/// A template for an argv element or a URL, with placeholders that are filled from a match.
///
/// `{name}` inserts the text of a capture, and `{name=default}` also sets a default for an absent capture. `{@url}` inserts
/// the URL as the broker received it, and `{@source}` the ID of the source application. `{{` and `}}` stand for braces. In
/// an argv element, texts are inserted unchanged. In a URL, and in an argv element that begins with `scheme://`, each text is
/// percent-encoded for its component. There, `{@scheme}`, `{@host}`, `{@path}`, `{@query}` and `{@fragment}` insert that part of the
/// received URL unchanged, each only at its own position.
///
/// ```swift
/// let pattern = try RoutePattern("https://tube.example/watch?v={id}&t={t:duration?}")
/// let start = try ActionTemplate(argument: "--start={t=0s}")
/// start.faults(in: [pattern])                       // []
/// start.filled(by: match, url: url, source: nil)    // "--start=42s"
/// ```
public struct ActionTemplate: Hashable, Sendable {
  /// The source of the text for a placeholder.
  package enum Filling: Hashable, Sendable {
    case capture(String)
    case url
    case source
    case part(URLTemplate.Part)
  }

  /// A placeholder `{…}`.
  package struct Hole: Hashable, Sendable {
    package let filling: Filling
    package let defaultValue: String?
    /// The offset of the placeholder in the template, in UTF-8 bytes.
    let offset: Int
  }

  package enum Element: Hashable, Sendable {
    case byte(UInt8)
    case hole(Hole)
  }

  /// The unparsed template.
  public let text: String
  package let elements: [Element]
  /// Indicates whether inserted texts are percent-encoded.
  package let isURL: Bool
  /// The names of the query items to remove from the filled URL; a `*` at the end of a name matches any suffix.
  public let dropping: [String]
  /// The name of the query item whose value is the URL, instead of the filled text; `nil` if the text is the URL.
  public private(set) var unwrapping: String?
  /// Indicates whether the URL is replaced before other routes decide.
  public private(set) var comesFirst = false

  /// Parses a template for an argv element.
  ///
  /// - Throws: ``RouteTableError`` if braces do not match or a placeholder is invalid.
  public init(argument text: String) throws(RouteTableError) {
    try self.init(text, dropping: []) { $0.beginsWithSchemeAndSlashes }
  }

  /// Parses a template for a URL, and stores the names of the query items to remove after filling it.
  ///
  /// - Throws: ``RouteTableError`` if braces do not match, if a placeholder is invalid, or if the text does not begin with a
  ///   literal scheme or `{@scheme}`. The exception is the text `{@url}`, which stands for the complete URL.
  public init(
    url text: String, dropping: [String] = [], comesFirst: Bool = false
  ) throws(RouteTableError) {
    try self.init(text, dropping: dropping) { _ in true }
    self.comesFirst = comesFirst
    guard text == "{@url}" || elements.scheme != nil else {
      throw RouteTableError(.missingScheme, at: 0, pattern: text)
    }
  }

  /// Creates a template whose URL is the value of the query item `name` of the matched URL.
  ///
  /// ``URLString/unwrapped(from:)`` says which values are URLs.
  public init(unwrapping name: String, comesFirst: Bool = false) {
    text = "{@url}"
    elements = [.hole(Hole(filling: .url, defaultValue: nil, offset: 0))]
    isURL = true
    dropping = []
    unwrapping = name
    self.comesFirst = comesFirst
  }

  private init(
    _ text: String, dropping: [String], isURL: ([Element]) -> Bool
  ) throws(RouteTableError) {
    do throws(RouteTableError) {
      elements = try TemplateReader.read(text)
    } catch {
      throw RouteTableError(error.reason, at: error.offset, pattern: text)
    }
    self.text = text
    self.dropping = dropping
    self.isURL = isURL(elements)
    guard let (part, offset) = URLTemplate.misplacedPart(in: elements, isURL: self.isURL) else { return }
    throw RouteTableError(.invalidCapture(part.rule), at: offset, pattern: text)
  }

  /// The literal scheme of a URL, in lower case; `nil` if the URL of the match decides it, or if the template is not a URL.
  public var scheme: String? {
    guard isURL, let length = elements.scheme, case .byte? = elements.first else { return nil }
    let bytes = elements[..<length].compactMap {
      if case .byte(let byte) = $0 { byte.foldedASCII } else { nil }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Indicates whether the template contains a placeholder.
  public var hasPlaceholders: Bool { !holes.isEmpty }

  var holes: [Hole] { elements.compactMap { if case .hole(let hole) = $0 { hole } else { nil } } }
}

extension ActionTemplate: CustomStringConvertible {
  /// The unparsed template.
  public var description: String { text }
}

extension [ActionTemplate.Element] {
  /// The number of elements of the scheme at the start, which are literal bytes or `{@scheme}`, without its colon; `nil` if there is
  /// none.
  var scheme: Int? {
    if case .hole(let hole)? = first, hole.filling == .part(.scheme) {
      return dropFirst().first == .byte(UInt8(ascii: ":")) ? 1 : nil
    }
    var length = 0
    for case .byte(let byte) in prefix(while: { if case .byte = $0 { true } else { false } }) {
      if byte == UInt8(ascii: ":") { return length > 0 ? length : nil }
      guard length == 0 ? byte.isASCIILetter : byte.isSchemeByte else { return nil }
      length += 1
    }
    return nil
  }

  var beginsWithSchemeAndSlashes: Bool {
    guard let scheme else { return false }
    return self[scheme...].starts(with: "://".utf8.map { .byte($0) })
  }
}
