import ArgumentParser
import BusInterfaces
import BrokerCore
import DBus
import Freedesktop
import RouteFiles
import RouteTables

/// The route files that a command is about, read.
struct NamedRouteFiles {
  let files: RouteFileSet
  /// The user's layer, where no file is named.
  let layer: ReadRouteLayer?

  /// Reads the files and folders, or the user's own folder where none is named.
  init(_ paths: [String]) {
    guard paths.isEmpty else {
      // A file that is only looked at may be meant for any layer, `final` and all.
      (files, layer) = (RouteFileSet(loading: paths, rank: .administrator), nil)
      return
    }
    let routeDirectories = RouteLayer.Owner.user.routeDirectories(in: UserEnvironment.directories)
    let layer = ReadRouteLayer(routeDirectories, rank: .user, nil)
    // Who has no folder has no rules, and nothing is wrong with that.
    let isMissing = routeDirectories.allSatisfy { LocalFiles().list($0) == .missing }
    files = isMissing ? RouteFileSet(loading: [RouteDirectory]()) : layer.files
    self.layer = layer
  }

  /// Says on standard error what is wrong with the files.
  func tellDiagnostics() {
    for diagnostic in files.diagnostics { Console.warn(diagnostic.line.text) }
  }

  /// 66 if something could not be read, 1 if something else is wrong, otherwise 0.
  static func exitCode(_ diagnostics: [RouteFileDiagnostic]) -> Int32 {
    if diagnostics.contains(where: { $0.kind == .missing || $0.kind == .unreadable }) { return 66 }
    return diagnostics.isEmpty ? 0 : 1
  }
}

extension RouteFileDiagnostic {
  /// `file:line:column: ` and the sentence, in one line whatever a file's name or a key holds.
  var line: StyledText { StyledText(at: location, message) }

  /// `file` s, `line` x, `column` x, `kind` s, `message` s.
  var entries: [String: Variant] {
    var entries = location.entries
    entries["kind"] = .string("\(kind)")
    entries["message"] = .string(message)
    return entries
  }
}

extension StyledText {
  /// `file:line:column: ` and a sentence, in one line.
  init(at location: SourceLocation, _ sentence: String) {
    let text: StyledText = "\("\(location):", as: .bad) \(sentence)"
    self = text.inOneLine
  }
}

extension SourceLocation {
  /// `file` s, `line` x, `column` x.
  var entries: [String: Variant] {
    ["file": .string(file), "line": .int64(Int64(line)), "column": .int64(Int64(column))]
  }
}
