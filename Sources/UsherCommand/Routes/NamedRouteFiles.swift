// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import BrokerCore
import DBus
import Freedesktop
import RouteFiles
import RouteTables

/// The route files that a command names, parsed.
struct NamedRouteFiles {
  let files: RouteFileSet
  /// The user's layer; `nil` if files are named.
  let layer: ReadRouteLayer?
  /// The named directories and files.
  let directories: [RouteDirectory]

  /// Reads the files and directories, or the user's own directory if none is named.
  init(_ paths: [String]) {
    guard paths.isEmpty else {
      directories = Self.directories(paths)
      (files, layer) = (RouteFileSet(readingAsOne: directories), nil)
      return
    }
    let routeDirectories = RouteLayer.Owner.user.routeDirectories(in: UserEnvironment.directories)
    let layer = ReadRouteLayer(routeDirectories, rank: .user, store: nil)
    // A user without the directory has no rules, which is not an error.
    let isMissing = routeDirectories.allSatisfy { LocalFiles().list($0) == .missing }
    files = isMissing ? RouteFileSet(loading: [RouteDirectory]()) : layer.files
    self.layer = layer
    directories = layer.routeDirectories
  }

  /// Returns the named files and directories of the administrator.
  ///
  /// Where they are in a directory of the administrator, `final` has an effect there only if root alone can write them. Others may be meant for any
  /// layer.
  private static func directories(_ paths: [String]) -> [RouteDirectory] {
    let protection = RootProtection()
    let known = RouteDirectory.layer(
      RouteLayer.Owner.administrator.routeDirectories(in: UserEnvironment.directories), rank: .administrator,
      isWritableByRootOnly: protection.onlyRootCanWriteNow(), correction: protection.correction)
    return paths.map { path in
      let place = UserEnvironment.absolute(path)
      if let directory = known.first(where: { $0.path == place }) {
        return directory.named(path)
      }
      let parent = place.unicodeScalars.lastIndex(of: "/").map { place[..<$0] }
      return known.first { $0.path == parent ?? "" }?.file(place, named: path)
        ?? RouteDirectory(path: path, rank: .administrator)
    }
  }

  /// Prints the diagnostics of the files to standard error.
  func printDiagnostics() {
    for diagnostic in files.diagnostics { Console.warn(diagnostic.line.text) }
  }

  /// Returns the exit status: 66 if a file could not be read, 1 for any other diagnostic, otherwise 0.
  static func exitStatus(_ diagnostics: [RouteFileDiagnostic]) -> Int32 {
    if diagnostics.contains(where: { $0.kind == .missing || $0.kind == .unreadable }) { return 66 }
    return diagnostics.isEmpty ? 0 : 1
  }

  /// The keys for JSON of the files that could not be read: `error` s, `message` s; empty if all could be read.
  static func failure(_ diagnostics: [RouteFileDiagnostic]) -> [String: Variant] {
    let unread = diagnostics.filter { exitStatus([$0]) == 66 }
    guard !unread.isEmpty else { return [:] }
    let message = unread.map(\.line.text).joined(separator: "; ")
    return ["error": .string("unreadable"), "message": .string(message)]
  }

  /// Prints the failure as one JSON object, with the given keys, and throws the exit code if a file could not be read.
  ///
  /// An answer without the routes of that file could be wrong.
  func requireReadable(beside entries: [String: Variant] = [:]) throws {
    let failure = Self.failure(files.diagnostics)
    guard !failure.isEmpty else { return }
    Console.emit(JSONText.line(failure.merging(entries) { $1 }))
    throw ExitCode(66)
  }
}

extension RouteFileDiagnostic {
  /// The location and the message as one line, even if a file name or key contains a line break.
  var line: StyledText { StyledText(at: location, message) }

  /// The keys for JSON: `file` s, `line` x, `column` x, `kind` s, `message` s; `command` s if a command corrects the error.
  var entries: [String: Variant] {
    var entries = location.entries
    entries["kind"] = .string("\(kind)")
    entries["message"] = .string(message)
    entries["command"] = command.map(Variant.string)
    return entries
  }
}

extension StyledText {
  /// Creates one line of `file:line:column: ` and a sentence.
  init(at location: SourceLocation, _ sentence: String) {
    let text: StyledText = "\("\(location):", as: .bad) \(sentence)"
    self = text.inOneLine
  }
}

extension SourceLocation {
  /// The keys for JSON: `file` s, `line` x, `column` x.
  var entries: [String: Variant] {
    ["file": .string(file), "line": .int64(Int64(line)), "column": .int64(Int64(column))]
  }
}
