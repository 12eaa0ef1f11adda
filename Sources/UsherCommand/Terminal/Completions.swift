// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrokerCore
import Freedesktop
import Launching
import RouteFiles
import RouteTables
import WebLinks

/// The completions of arguments, which only read files, so that they are fast and need no bus.
enum Completions {
  /// Completes with applications, by desktop-file ID.
  static let applications = CompletionKind.custom { _, _, prefix in
    applicationIDs(beginningWith: prefix)
  }

  /// Completes with installed browsers, by desktop-file ID.
  static let browsers = CompletionKind.custom { _, _, prefix in
    BrowserDirectory(environment: LaunchEnvironment.current()).browsers.map(\.id.rawValue)
      .filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// Completes with applications and desktop files.
  static let applicants = CompletionKind.custom { _, _, prefix in
    applicationIDs(beginningWith: prefix) + files(beginningWith: prefix, ending: ".desktop")
  }

  /// Completes with schemes that an application opens or supports.
  static let schemes = CompletionKind.custom { _, _, prefix in
    let catalog = UserEnvironment.catalog
    let offered = catalog.ids.compactMap { try? catalog.entry($0) }.flatMap(\.schemes)
    let opened = RegistrationService().registration.handlers().map(\.scheme.rawValue)
    return Set(offered + opened).filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// Completes with schemes that other machines have registered.
  static let remoteSchemes = CompletionKind.custom { _, _, prefix in
    RegistrationService().registration.remoteEntries.map(\.scheme.rawValue).filter { $0.hasPrefix(prefix) }
      .sorted()
  }

  /// Completes with the names of the routes in the user's own files.
  static let routes = CompletionKind.custom { _, _, prefix in
    Set(NamedRouteFiles([]).files.table.routes.map(\.id)).filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// Completes with the installed route files for web links.
  static let webCatalog = CompletionKind.custom { _, _, prefix in
    WebCatalog().entries.map(\.name).filter { $0.hasPrefix(prefix) }
  }

  /// Completes with the actions of the application that the same line names, or of all applications.
  static let actions = CompletionKind.custom { words, _, prefix in
    let catalog = UserEnvironment.catalog
    let named = zip(words, words.dropFirst()).first { $0.0 == "--app" }.flatMap {
      UserEnvironment.application($0.1)
    }
    let entries = (named.map { [$0] } ?? catalog.ids).compactMap { try? catalog.entry($0) }
    return Set(entries.flatMap { $0.actions().map(\.id) }).filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// Completes with the directories and files of routes.
  static let routeFiles = CompletionKind.file(extensions: ["toml"])

  /// Returns the completion script, corrected for bash, and for fish before version 4.
  ///
  /// In bash, `compgen -W` expands each word of its list, so that a text of a desktop entry could be code that the shell runs. In fish,
  /// a completion cannot query the cursor position; the length of the word suffices for these completions.
  static func suggestion(_ script: String) -> String {
    script.replacing(expandedWords, with: quotedWords)
      .replacing("(__usher_tokens -tC)", with: "(string length -- \"$(commandline -t)\")")
  }

  /// The line of the script for bash that prints the words of a list.
  private static let expandedWords = #"""
        "${COMP_WORDS[0]}" "${@}" "${words[@]}"

    """#

  private static let quotedWords = #"""
        local line
        while IFS='' read -r line || [[ -n "${line}" ]]; do
            [[ -z "${line}" ]] || printf "'%s'\n" "${line//\'/\'\\\'\'}"
        done < <("${COMP_WORDS[0]}" "${@}" "${words[@]}")

    """#

  private static func applicationIDs(beginningWith prefix: String) -> [String] {
    let catalog = UserEnvironment.catalog
    return catalog.ids.filter { id in
      // Usher's own entries are only for desktops.
      guard id.rawValue.hasPrefix(prefix), !id.rawValue.hasPrefix("org.usher."),
        let entry = try? catalog.entry(id), !entry.isHidden
      else { return false }
      return entry.exec != nil || entry.isDBusActivatable
    }.map(\.rawValue).sorted()
  }

  /// Returns the files in the directory of `prefix`, and its subdirectories with a trailing `/`.
  private static func files(beginningWith prefix: String, ending: String) -> [String] {
    let slash = prefix.unicodeScalars.lastIndex(of: "/")
    let directory = slash.map { String(prefix.unicodeScalars[...$0]) } ?? ""
    guard case .items(let items) = LocalFiles().list(directory.isEmpty ? "." : directory) else { return [] }
    return items.compactMap { item in
      let path = directory + item.name
      guard path.hasPrefix(prefix), !item.name.hasPrefix(".") else { return nil }
      return item.directory != nil ? path + "/" : path.hasSuffix(ending) ? path : nil
    }.sorted()
  }
}
