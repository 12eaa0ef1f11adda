// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import RouteFiles
import RouteTables

/// A route file in a report: its types as it writes them, and the routes that are left out because of an error.
struct ReportedFile {
  /// The number of lines with errors in the syntax that are ignored.
  private static let mostIgnoredLines = 16

  private let file: String
  private let members: [TomlMember]
  /// The lines with a header that cannot be read.
  private let unreadable: Set<Int>
  /// The document in which the members are valid.
  private let document: TomlDocument

  /// Reads a file; `nil` if it cannot be read, or too few of its lines.
  init?(_ file: String) {
    guard case .bytes(let bytes) = LocalFiles().read(file),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    self.init(text, file: file)
  }

  /// Parses the text of a file, without the lines with errors in their syntax.
  init?(_ text: String, file: String) {
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var unreadable: Set<Int> = []
    for _ in 0...Self.mostIgnoredLines {
      do throws(TomlDocument.Failure) {
        let document = try TomlDocument(lines.joined(separator: "\n"), file: file)
        guard case .table(let members) = document.root.content else { return nil }
        (self.file, self.members, self.unreadable, self.document) = (file, members, unreadable, document)
        return
      } catch {
        let index = error.line - 1
        guard lines.indices.contains(index), !unreadable.contains(error.line), !lines[index].isEmpty
        else { return nil }
        // What follows a header does not belong to the table above it.
        let isHeader = lines[index].drop { $0 == " " || $0 == "\t" }.hasPrefix("[")
        lines[index] = isHeader ? "[route.\"\(error.line)\"]" : ""
        if isHeader { unreadable.insert(error.line) }
      }
    }
    return nil
  }

  /// Returns the keys for JSON: `file` s, `types` aa{sv}, `left-out` aa{sv}; `owner` s if the file names it.
  ///
  /// - Parameter known: the IDs of the routes of this file that are in the table; `nil` if an error leaves none out.
  func entries(without known: Set<String>?) -> [String: Variant] {
    let missing = known.map { known in tables("route").filter { !known.contains($0.key) } } ?? []
    var entries: [String: Variant] = [
      "file": .string(file), "types": .dictionaries(types),
      "left-out": .dictionaries(missing.map(leftOut)),
    ]
    if case .string(let owner) = members.first(where: { $0.key == "owner" })?.value.content {
      entries["owner"] = .string(owner)
    }
    return entries
  }

  /// The types: each `name` s, `line` x, and `values` as or `written` s.
  private var types: [[String: Variant]] {
    guard case .table(let types) = members.first(where: { $0.key == "types" })?.value.content else {
      return []
    }
    return types.compactMap { type in
      var entries: [String: Variant] = ["name": .string(type.key), "line": Self.line(type)]
      switch type.value.content {
      case .string(let text): entries["written"] = .string(text)
      case .array: entries["values"] = .strings(Self.texts(type.value))
      default: return nil
      }
      return entries
    }
  }

  /// Returns the keys of a route that is not in the table: `line` x, `patterns` as; `route` s if its header can be read.
  private func leftOut(_ route: TomlMember) -> [String: Variant] {
    guard case .table(let keys) = route.value.content else { return [:] }
    func texts(_ key: String, _ members: [TomlMember]) -> [String] {
      members.first { $0.key == key }.map { Self.texts($0.value) } ?? []
    }
    let group = texts("group", keys).first.flatMap { name in tables("group").first { $0.key == name } }
    var bases: [String] = []
    if case .table(let members) = group?.value.content { bases = texts("base", members) }
    let matches = texts("match", keys).flatMap { text in
      text.hasPrefix("/") && !bases.isEmpty ? bases.map { $0 + text } : [text]
    }
    let schemes = texts("scheme", keys).map { "\($0):{rest...?}" }
    var entries: [String: Variant] = [
      "line": Self.line(route), "patterns": .strings((matches + schemes).filter { !$0.isEmpty }),
    ]
    entries["route"] = unreadable.contains(Int(route.key) ?? 0) ? nil : .string(route.key)
    return entries
  }

  /// Returns the tables in a table, such as `[route.NAME]`.
  private func tables(_ key: String) -> [TomlMember] {
    guard case .table(let tables) = members.first(where: { $0.key == key })?.value.content else { return [] }
    return tables.filter { if case .table = $0.value.content { !$0.key.isEmpty } else { false } }
  }

  private static func texts(_ value: TomlValue) -> [String] {
    switch value.content {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(texts)
    default: []
    }
  }

  private static func line(_ member: TomlMember) -> Variant { .int64(Int64(member.keyLocation.line)) }
}
