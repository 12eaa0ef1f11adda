/// A text of an action with holes that a match fills: an element of an argv, or a URL.
///
/// `{name}` is the text of a capture, `{name=default}` a default for one that is absent, `{@url}` the URL as it came,
/// `{@source}` the application that asked, `{{` and `}}` are braces. An argv element takes texts as they are; a URL
/// percent-encodes each for the component it stands in, and so does an argv element that begins with `scheme://`.
///
/// ```swift
/// let pattern = try RoutePattern("https://tube.example/watch?v={id}&t={t:duration?}")
/// let start = try ActionTemplate(argument: "--start={t=0s}")
/// start.faults(in: [pattern])                       // []
/// start.filled(by: match, url: url, source: nil)    // "--start=42s"
/// ```
public struct ActionTemplate: Hashable, Sendable {
  /// What a hole is filled with.
  enum Filling: Hashable, Sendable {
    case capture(String)
    case url
    case source
  }

  /// A `{…}` of the text.
  struct Hole: Hashable, Sendable {
    let filling: Filling
    let defaultValue: String?
    /// Where it stands, in UTF-8 bytes.
    let offset: Int
  }

  enum Element: Hashable, Sendable {
    case byte(UInt8)
    case hole(Hole)
  }

  /// The text as it was written.
  public let text: String
  let elements: [Element]
  /// Whether the holes are percent-encoded.
  let isURL: Bool
  /// The names of query items that are taken out; a `*` at the end stands for anything.
  public let dropping: [String]

  /// Reads an element of an argv; throws for braces that are not sound.
  public init(argument text: String) throws(RouteTableError) {
    try self.init(text, dropping: []) { $0.beginsWithSchemeAndSlashes }
  }

  /// Reads a URL, from which the query items named in `dropping` are taken out once it is filled.
  ///
  /// Throws for braces that are not sound, and if the text does not begin with a scheme of its own; `{@url}` alone may
  /// stand for the whole.
  public init(url text: String, dropping: [String] = []) throws(RouteTableError) {
    try self.init(text, dropping: dropping) { _ in true }
    guard text == "{@url}" || elements.scheme != nil else {
      throw RouteTableError(.missingScheme, at: 0, pattern: text)
    }
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
  }

  /// Whether a link fills a part of it in.
  public var isFilledIn: Bool { !holes.isEmpty }

  var holes: [Hole] { elements.compactMap { if case .hole(let hole) = $0 { hole } else { nil } } }
}

extension ActionTemplate: CustomStringConvertible {
  /// The text as it was written.
  public var description: String { text }
}

extension [ActionTemplate.Element] {
  /// The length of the scheme with which the text begins, without its colon.
  var scheme: Int? {
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
