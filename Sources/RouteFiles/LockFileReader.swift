// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

/// Parses a `locks.toml`, and continues after every diagnostic.
struct LockFileReader {
  /// The keys of the file; `false` disables a feature.
  private(set) var values: [Lock: Bool] = [:]
  private(set) var diagnostics: [RouteFileDiagnostic] = []

  private static let keys = ["format"] + Lock.allCases.map(\.rawValue)

  init(_ text: String, file: String) {
    let document: TomlDocument
    do {
      document = try TomlDocument(text, file: file)
    } catch {
      let location = SourceLocation(file: file, line: error.line, column: error.column)
      add(.syntax, at: location, "invalid TOML: \(error.message)")
      return
    }
    guard case .table(let members) = document.root.content else { return }
    readFormat(members, of: file)
    for member in members where member.key != "format" {
      guard let lock = Lock(rawValue: member.key) else {
        let nearest = member.key.nearest(in: Self.keys) ?? ""
        add(.shape, at: member.keyLocation, "unknown key `\(member.key)`; the nearest is `\(nearest)`")
        continue
      }
      guard case .boolean(let value) = member.value.content else {
        add(
          .shape, at: member.value.location,
          "`\(member.key)` is \(member.value.kindName): write `false` to disable it")
        continue
      }
      values[lock] = value
    }
  }

  private mutating func readFormat(_ members: [TomlMember], of file: String) {
    guard let format = members.first(where: { $0.key == "format" }) else {
      let start = SourceLocation(file: file, line: 1)
      return add(.shape, at: start, "`format` is missing: write `format = 1`")
    }
    guard case .integer(1) = format.value.content else {
      return add(.shape, at: format.value.location, "unknown format: write `format = 1`")
    }
  }

  private mutating func add(
    _ kind: RouteFileDiagnostic.Kind, at location: SourceLocation, _ message: String
  ) {
    diagnostics.append(RouteFileDiagnostic(kind, at: location, message))
  }
}
