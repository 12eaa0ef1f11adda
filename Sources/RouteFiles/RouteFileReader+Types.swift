internal import RouteTables

/// A type as a file says it.
struct TypeDraft {
  let type: RouteType
  let location: SourceLocation
}

extension RouteFileReader {
  /// Reads `[types]`: each a regular expression between slashes, or a list of texts.
  mutating func readTypes() -> [TypeDraft] {
    guard let member = members.first(where: { $0.key == "types" }) else { return [] }
    guard case .table(let entries) = member.value.content else {
      complain(.shape, member.value.location, "`types` is \(member.value.kindName): write `[types]`")
      return []
    }
    var drafts: [TypeDraft] = []
    for entry in entries {
      guard Self.isName(entry.key) else {
        complain(.shape, entry.keyLocation, "a type's name is a letter, then letters, digits, `_` and `-`")
        continue
      }
      guard !RouteType.builtIn.contains(where: { $0.name == entry.key }) else {
        complain(.shape, entry.keyLocation, "there is a type `\(entry.key)` already: choose another name")
        continue
      }
      guard let language = readLanguage(entry) else {
        brokenTypes.insert(entry.key)
        continue
      }
      drafts.append(TypeDraft(type: RouteType(entry.key, language: language), location: entry.keyLocation))
    }
    return drafts
  }

  private mutating func readLanguage(_ entry: TomlMember) -> RouteLanguage? {
    let (value, spelling) = (entry.value, "write `'/[a-z]+/'`, a regular expression, or `[\"one\", \"two\"]`")
    do throws(RouteTableError) {
      switch value.content {
      case .array:
        let texts = texts(value, "a text of the type `\(entry.key)`")
        guard !texts.isEmpty else { return nil }
        if let empty = texts.first(where: { $0.text.isEmpty }) {
          complain(
            .shape, empty.location, "a type has no empty text: make the capture optional, `{x:\(entry.key)?}`"
          )
          return nil
        }
        return try RouteLanguage(anyOf: texts.map(\.text))
      case .string(let text):
        guard text.utf8.count > 2, text.utf8.first == UInt8(ascii: "/"), text.utf8.last == UInt8(ascii: "/")
        else {
          complain(.shape, value.location, "`\(text)` is no type: \(spelling)")
          return nil
        }
        let language = try RouteLanguage(String(text.dropFirst().dropLast()))
        if language.isEmpty {
          complain(.shape, value.location, "no text is of this type: change its expression")
        }
        return language.isEmpty ? nil : language
      default:
        complain(.shape, value.location, "the type `\(entry.key)` is \(value.kindName): \(spelling)")
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
      complain(.pattern, place, error.message)
      return nil
    }
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

/// The types of each owner, from all files of a rank.
struct TypeCatalog {
  private struct Owner: Hashable {
    let rank: RouteRank
    let owner: String?
  }

  private var drafts: [Owner: [String: TypeDraft]] = [:]

  /// Adds the types of a file; one name stands for one type in all files of an owner.
  mutating func add(_ types: [TypeDraft], of reader: inout RouteFileReader) {
    let owner = Owner(rank: reader.source.rank, owner: reader.owner)
    for draft in types {
      if let first = drafts[owner]?[draft.type.name] {
        guard first.type.language != draft.type.language else { continue }
        reader.complain(
          .conflict, draft.location,
          "there is another type `\(draft.type.name)` of this owner, at \(first.location): rename one")
      } else {
        drafts[owner, default: [:]][draft.type.name] = draft
      }
    }
  }

  /// The types that the patterns of a file may name.
  func types(of reader: RouteFileReader) -> [RouteType] {
    drafts[Owner(rank: reader.source.rank, owner: reader.owner), default: [:]].values.map(\.type)
      .sorted { $0.name < $1.name }
  }
}
