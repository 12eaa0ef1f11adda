// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
internal import RouteTables

/// A parsed type of a file.
struct PartialType {
  let type: RouteType
  let location: SourceLocation
}

extension RouteFileReader {
  /// Reads `[types]`: each is a regular expression between slashes, a list of texts, or the type of a capture.
  mutating func readTypes() -> [PartialType] {
    guard let member = members.first(where: { $0.key == "types" }) else { return [] }
    guard case .table(let entries) = member.value.content else {
      report(.shape, at: member.value.location, "`types` is \(member.value.kindName): write `[types]`")
      return []
    }
    var drafts: [PartialType] = []
    for entry in entries {
      guard Self.isName(entry.key) else {
        report(
          .shape, at: entry.keyLocation, "a type's name is a letter followed by letters, digits, `_` and `-`")
        continue
      }
      guard !(RouteType.builtIn + RouteType.hosts).contains(where: { $0.name == entry.key }),
        entry.key != "cidr"
      else {
        report(.shape, at: entry.keyLocation, "the type `\(entry.key)` already exists: choose another name")
        continue
      }
      guard let type = readType(entry) else {
        brokenTypes.insert(entry.key)
        continue
      }
      drafts.append(PartialType(type: type, location: entry.keyLocation))
    }
    return drafts
  }

  private mutating func readType(_ entry: TomlMember) -> RouteType? {
    let value = entry.value
    let spelling = "write `'/[a-z]+/'`, a regular expression, `[\"one\", \"two\"]`, or `\"uint(1,3)\"`"
    do throws(RegularLanguageError) {
      switch value.content {
      case .array:
        let texts = texts(value, "a text of the type `\(entry.key)`")
        guard !texts.isEmpty else { return nil }
        if let empty = texts.first(where: { $0.text.isEmpty }) {
          report(
            .shape, at: empty.location,
            "a type cannot contain the empty text: make the capture optional, `{x:\(entry.key)?}`"
          )
          return nil
        }
        return RouteType(entry.key, language: try RegularLanguage(anyOf: texts.map(\.text)))
      case .string(let text):
        guard text.utf8.count > 2, text.utf8.first == UInt8(ascii: "/"), text.utf8.last == UInt8(ascii: "/")
        else {
          if let type = Self.type(written: text) { return type.named(entry.key) }
          report(.shape, at: value.location, "`\(text)` is not a type: \(spelling)")
          return nil
        }
        let language = try RegularLanguage(String(text.dropFirst().dropLast()))
        if language.isEmpty {
          report(.shape, at: value.location, "the type matches no text: change its expression")
        }
        return language.isEmpty ? nil : RouteType(entry.key, language: language)
      default:
        report(.shape, at: value.location, "the type `\(entry.key)` is \(value.kindName): \(spelling)")
        return nil
      }
    } catch {
      var place = value.location
      if case .string(let text) = value.content, let offset = error.offset,
        let start = value.document.start(of: text, quotedAt: place)
      {
        let scalars = text.utf8.dropFirst().prefix(offset).count { $0 & 0xC0 != 0x80 }
        place = SourceLocation(file: start.file, line: start.line, column: start.column + 1 + scalars)
      }
      report(.pattern, at: place, "\(error)")
      return nil
    }
  }

  /// Returns the type of a capture that is written with `text`; `nil` if it is not a type.
  private static func type(written text: String) -> RouteType? {
    // A type that is invalid in a segment may be valid in a host.
    guard !text.contains(where: { "{}".contains($0) }),
      let pattern = (try? RoutePattern("/{x:\(text)}")) ?? (try? RoutePattern("http://{x:\(text)}/")),
      let capture = pattern.captures.first, capture.extent == .single, !capture.isOptional
    else { return nil }
    return capture.type
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else {
      return false
    }
    return text.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-")
    }
  }
}
