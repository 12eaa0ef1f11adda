internal import RouteTables

extension RouteFileReader {
  /// A text of a list, with the place where it is written.
  struct LocatedText {
    let text: String
    let location: SourceLocation
    /// Where its first character stands; `nil` if the file does not have it letter by letter.
    let start: SourceLocation?
  }

  /// Beyond this a list is refused.
  private static let longestList = 1_000

  /// The non-empty string under `key`; complains if there is something else.
  mutating func string(_ key: String, of members: [TomlMember]) -> String? {
    guard let member = members.first(where: { $0.key == key }) else { return nil }
    guard case .string(let text) = member.value.content else {
      complain(.shape, member.value.location, "`\(key)` is \(member.value.kindName): write a string")
      return nil
    }
    guard !text.isEmpty else {
      complain(.shape, member.value.location, "`\(key)` is empty: write what it says")
      return nil
    }
    return text
  }

  /// One of a few words under `key`, as what it stands for.
  mutating func choice<Value>(
    _ key: String, of members: [TomlMember], _ words: KeyValuePairs<String, Value>
  ) -> Value? {
    guard let value = members.first(where: { $0.key == key })?.value else { return nil }
    if case .string(let text) = value.content, let word = words.first(where: { $0.key == text }) {
      return word.value
    }
    let known = words.map { "\"\($0.key)\"" }.joined(separator: " or ")
    complain(.shape, value.location, "`\(key)` is \(known)")
    return nil
  }

  /// The strings of a list, or the one that stands alone; `what` says what each is.
  mutating func texts(_ value: TomlValue, _ what: String) -> [LocatedText] {
    var values = [value]
    if case .array(let elements) = value.content { values = elements }
    if values.isEmpty { complain(.shape, value.location, "the list is empty: write \(what)") }
    guard values.count <= Self.longestList else {
      complain(
        .shape, value.location, "the list has \(values.count) entries: the limit is \(Self.longestList)")
      return []
    }
    var texts: [LocatedText] = []
    for value in values {
      guard case .string(let text) = value.content else {
        complain(.shape, value.location, "here stands \(what), a string, and this is \(value.kindName)")
        continue
      }
      texts.append(
        LocatedText(
          text: text, location: value.location,
          start: value.document.start(of: text, quotedAt: value.location)))
    }
    return texts
  }

  /// The tables under a key, by name; `spelling` shows how one is written.
  mutating func tables(_ member: TomlMember, _ spelling: String) -> [(TomlMember, [TomlMember])] {
    guard case .table(let entries) = member.value.content else {
      complain(
        .shape, member.value.location, "`\(member.key)` is \(member.value.kindName): write `\(spelling)`")
      return []
    }
    var tables: [(TomlMember, [TomlMember])] = []
    for entry in entries {
      guard case .table(let members) = entry.value.content else {
        complain(
          .shape, entry.keyLocation, "`\(member.key).\(entry.key)` is \(entry.value.kindName): write a table")
        continue
      }
      tables.append((entry, members))
    }
    return tables
  }

  /// An application's ID as a file writes it, also with the `.desktop` of its file; complains if it cannot be one.
  ///
  /// Some IDs end in `.desktop` themselves; which of the two it is says the catalogue of the applications, later.
  mutating func application(_ text: String, _ key: String, at location: SourceLocation) -> String? {
    let isSound = text.unicodeScalars.allSatisfy { $0 > " " && $0 != "/" && $0 != "\u{7F}" }
    guard isSound, !text.isEmpty, text != Self.suffix else {
      complain(.shape, location, "`\(key)` takes an application's ID, as `org.example.Notes`")
      return nil
    }
    return text
  }

  /// The IDs that a text may spell: as it is, and as the name of a desktop file.
  static func readings(of text: String) -> [String] {
    text.hasSuffix(suffix) ? [text, String(text.dropLast(suffix.count))] : [text]
  }

  private static let suffix = ".desktop"
}
