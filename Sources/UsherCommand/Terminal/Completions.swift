import ArgumentParser
import Freedesktop
import Launching
import RouteFiles
import RouteTables

/// What shells offer for an argument; read from files alone, so that it is there at once, bus or no bus.
enum Completions {
  /// Applications, by desktop-file ID.
  static let applications = CompletionKind.custom { _, _, prefix in
    applicationIDs(beginningWith: prefix)
  }

  /// Applications and desktop files.
  static let applicants = CompletionKind.custom { _, _, prefix in
    applicationIDs(beginningWith: prefix) + files(beginningWith: prefix, ending: ".desktop")
  }

  /// Schemes that something opens, or says that it could.
  static let schemes = CompletionKind.custom { _, _, prefix in
    let catalog = UserEnvironment.catalog
    let offered = catalog.ids.compactMap { try? catalog.entry($0) }.flatMap(\.schemes)
    let opened = RegistrationService().registration.handlers().map(\.scheme.rawValue)
    return Set(offered + opened).filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// The routes of the user's own files, by their names.
  static let routes = CompletionKind.custom { _, _, prefix in
    Set(NamedRouteFiles([]).files.table.routes.map(\.id)).filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// The actions of the application that is named in the same line, or of all.
  static let actions = CompletionKind.custom { words, _, prefix in
    let catalog = UserEnvironment.catalog
    let named = zip(words, words.dropFirst()).first { $0.0 == "--app" }.flatMap {
      UserEnvironment.application($0.1)
    }
    let entries = (named.map { [$0] } ?? catalog.ids).compactMap { try? catalog.entry($0) }
    return Set(entries.flatMap { $0.actions().map(\.id) }).filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// The folders and files of route files.
  static let routeFiles = CompletionKind.file(extensions: ["toml"])

  /// The script as it does its work: up to fish 4 a completion may not ask for the place of the cursor, and ours need
  /// no more than the length of the word.
  static func suggestion(_ script: String) -> String {
    script.replacing("(__usher_tokens -tC)", with: "(string length -- \"$(commandline -t)\")")
  }

  private static func applicationIDs(beginningWith prefix: String) -> [String] {
    let catalog = UserEnvironment.catalog
    return catalog.ids.filter { id in
      // Our own entries are for desktops.
      guard id.rawValue.hasPrefix(prefix), !id.rawValue.hasPrefix("org.usher."),
        let entry = try? catalog.entry(id), !entry.isHidden
      else { return false }
      return entry.exec != nil || entry.isDBusActivatable
    }.map(\.rawValue).sorted()
  }

  /// The files of the folder that `prefix` leads to, and its folders with a `/` at their end.
  private static func files(beginningWith prefix: String, ending: String) -> [String] {
    let slash = prefix.lastIndex(of: "/")
    let directory = slash.map { String(prefix[...$0]) } ?? ""
    guard case .items(let items) = LocalFiles().list(directory.isEmpty ? "." : directory) else { return [] }
    return items.compactMap { item in
      let path = directory + item.name
      guard path.hasPrefix(prefix), !item.name.hasPrefix(".") else { return nil }
      return item.directory != nil ? path + "/" : path.hasSuffix(ending) ? path : nil
    }.sorted()
  }
}
