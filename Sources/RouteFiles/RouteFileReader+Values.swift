// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

extension RouteFileReader {
  /// A text of a list, with its location.
  struct LocatedText {
    let text: String
    let location: SourceLocation
    /// The location of its first character; `nil` if the file does not contain the text verbatim, because of escapes.
    let start: SourceLocation?
  }

  /// The maximum number of elements of a list.
  private static let longestList = 1_000

  /// Returns the non-empty string under `key`; reports an error if there is another value.
  mutating func string(_ key: String, of members: [TomlMember]) -> String? {
    guard let member = members.first(where: { $0.key == key }) else { return nil }
    guard case .string(let text) = member.value.content else {
      report(.shape, at: member.value.location, "`\(key)` is \(member.value.kindName): write a string")
      return nil
    }
    guard !text.isEmpty else {
      report(.shape, at: member.value.location, "`\(key)` is empty: write a text")
      return nil
    }
    return text
  }

  /// Returns the value of the keyword under `key`; reports an error if it is not one of `words`.
  mutating func choice<Value>(
    _ key: String, of members: [TomlMember], _ words: KeyValuePairs<String, Value>
  ) -> Value? {
    guard let value = members.first(where: { $0.key == key })?.value else { return nil }
    if case .string(let text) = value.content, let word = words.first(where: { $0.key == text }) {
      return word.value
    }
    let known = words.map { "\"\($0.key)\"" }.joined(separator: " or ")
    report(.shape, at: value.location, "`\(key)` is \(known)")
    return nil
  }

  /// Returns the strings of a list, or a single string; `what` describes an element in error messages.
  mutating func texts(_ value: TomlValue, _ what: String) -> [LocatedText] {
    var values = [value]
    if case .array(let elements) = value.content { values = elements }
    if values.isEmpty { report(.shape, at: value.location, "the list is empty: write \(what)") }
    guard values.count <= Self.longestList else {
      report(
        .shape, at: value.location,
        "the list has \(values.count) entries, but the limit is \(Self.longestList)")
      return []
    }
    var texts: [LocatedText] = []
    for value in values {
      guard case .string(let text) = value.content else {
        report(.shape, at: value.location, "expected \(what) (a string), but this is \(value.kindName)")
        continue
      }
      texts.append(
        LocatedText(
          text: text, location: value.location,
          start: value.document.start(of: text, quotedAt: value.location)))
    }
    return texts
  }

  /// Returns the tables under a key, by name; `spelling` is an example for error messages.
  mutating func tables(_ member: TomlMember, _ spelling: String) -> [(TomlMember, [TomlMember])] {
    guard case .table(let entries) = member.value.content else {
      report(
        .shape, at: member.value.location, "`\(member.key)` is \(member.value.kindName): write `\(spelling)`")
      return []
    }
    var tables: [(TomlMember, [TomlMember])] = []
    for entry in entries {
      guard case .table(let members) = entry.value.content else {
        report(
          .shape, at: entry.keyLocation,
          "`\(member.key).\(entry.key)` is \(entry.value.kindName): write a table")
        continue
      }
      tables.append((entry, members))
    }
    return tables
  }

  /// Returns an application's ID, with or without the suffix `.desktop`; reports an error if it is invalid.
  ///
  /// Some IDs end in `.desktop` themselves; the application catalog decides later which of both is meant.
  mutating func application(_ text: String, _ key: String, at location: SourceLocation) -> String? {
    let isSound = text.unicodeScalars.allSatisfy { $0 > " " && $0 != "/" && $0 != "\u{7F}" }
    guard isSound, !text.isEmpty, text != Self.suffix else {
      report(.shape, at: location, "`\(key)` must be an application's ID, such as `org.example.Notes`")
      return nil
    }
    return text
  }

  /// Returns the IDs that a text may represent: the text itself, and the ID of a desktop file with this name.
  static func readings(of text: String) -> [String] {
    text.hasSuffix(suffix) ? [text, String(text.dropLast(suffix.count))] : [text]
  }

  private static let suffix = ".desktop"
}
