// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import RouteFiles
import RouteTables

/// The report of the route files that were read: the directories of each layer, their files, and the effective routes.
struct RouteLayerReport {
  let layers: [ReadRouteLayer]

  /// The layers in the order of precedence, with a line for each directory and file.
  var lines: [StyledText] {
    var lines: [StyledText] = []
    for rank in PolicyLayer.allCases {
      guard rank != .cleaning else {
        let reported = layers.flatMap(cleaningLines)
        if !reported.isEmpty { lines += ["\(Self.title(of: rank), as: .heading)"] + reported }
        continue
      }
      let layerRank = rank == .finalAdministrator ? .administrator : rank
      guard let layer = layers.first(where: { $0.rank == layerRank }) else { continue }
      lines.append("\(Self.title(of: rank), as: .heading)")
      let reported = rank == .finalAdministrator ? finalLines(of: layer) : directoryLines(of: layer)
      lines += reported.isEmpty ? ["  none"] : reported
    }
    return lines.map(\.inOneLine)
  }

  /// A sentence for each directory: its files with the number of their routes, or that it does not exist.
  var sentences: [String] {
    layers.flatMap { layer in
      layer.routeDirectories.map { directory in
        let files = layer.files(in: directory).map { file in
          "\(Self.name(of: file, in: directory)) (\(layer.routes(of: file).count.counted("route")))"
        }
        let content = files.isEmpty ? Self.emptiness(of: directory) : files.joined(separator: ", ")
        return "read \(directory.path): \(content)"
      }
    }
  }

  /// A Boolean value that is `true` if no file was read.
  var isEmpty: Bool { layers.allSatisfy { $0.files.files.isEmpty } }

  /// The keys for JSON of each layer.
  ///
  /// `layer` s, and `directories` aa{sv}: for each `path` s, `exists` b, `files` aa{sv}, and `locked-by` s if it is locked.
  var entries: [[String: Variant]] {
    layers.map { layer in
      [
        "layer": .string(Self.word(for: layer.rank)),
        "directories": .dictionaries(layer.routeDirectories.map { entries(of: $0, in: layer) }),
      ]
    }
  }

  private func entries(of directory: RouteDirectory, in layer: ReadRouteLayer) -> [String: Variant] {
    let files = layer.files(in: directory).map { self.entries(of: $0, in: layer) }
    var entries: [String: Variant] = [
      "path": .string(directory.path), "exists": .boolean(LocalFiles().list(directory.path) != .missing),
      "files": .dictionaries(files),
    ]
    entries["locked-by"] = layer.lock(of: directory).map { .string($0) }
    return entries
  }

  private func entries(of file: ReadRouteFile, in layer: ReadRouteLayer) -> [String: Variant] {
    let routes = layer.routes(of: file)
    var entries: [String: Variant] = [
      "file": .string(file.path), "routes": .int64(Int64(routes.count)),
      "final": .strings(Self.finalNames(routes)), "since": .string(Timestamp.text(of: file.since)),
    ]
    switch file.version {
    case .current: entries["version"] = .string("current")
    case .earlier(let changed):
      entries["version"] = .string("earlier")
      entries["changed"] = .string(Timestamp.text(of: changed))
    case .withErrors: entries["version"] = .string("with-errors")
    case .none: entries["version"] = .string("none")
    }
    return entries
  }

  private func finalLines(of layer: ReadRouteLayer) -> [StyledText] {
    // Those of the administrator's own directory decide first; among all of them, those that deny.
    let directories = layer.routeDirectories
    let ordered =
      directories.filter { $0.finality == .foremost } + directories.filter { $0.finality != .foremost }
    return ordered.flatMap { layer.files(in: $0) }.compactMap { file in
      let names = Self.finalNames(layer.routes(of: file))
      return names.isEmpty ? nil : "  \(file.path): \(names.joined(separator: ", "))"
    }
  }

  private func cleaningLines(of layer: ReadRouteLayer) -> [StyledText] {
    layer.routeDirectories.filter { layer.lock(of: $0) == nil }.flatMap { layer.files(in: $0) }.compactMap {
      file in
      let names = layer.routes(of: file).filter { $0.rank == .cleaning }.map(\.id)
      return names.isEmpty ? nil : "  \(file.path): \(names.joined(separator: ", "))"
    }
  }

  private func directoryLines(of layer: ReadRouteLayer) -> [StyledText] {
    layer.routeDirectories.flatMap { directory -> [StyledText] in
      if let file = layer.lock(of: directory) {
        return [
          "  \(directory.path): \("not in force, because users' routes are disabled by \(file)", as: .bad)"
        ]
      }
      let files = layer.files(in: directory)
      guard !files.isEmpty else { return ["  \(directory.path): \(Self.emptiness(of: directory))"] }
      let note =
        directory.finality == .refused
        ? ": `final` is ignored here, because users other than root can write this directory" : ""
      return ["  \(directory.path)\(note)"] + files.map { line(of: $0, in: directory, layer) }
    }
  }

  private func line(of file: ReadRouteFile, in directory: RouteDirectory, _ layer: ReadRouteLayer)
    -> StyledText
  {
    let routes = layer.routes(of: file)
    let final = Self.finalNames(routes).count
    let count = routes.count.counted("route") + (final > 0 ? ", \(final) final" : "")
    let since = Timestamp.text(of: file.since)
    let name = Self.name(of: file, in: directory)
    switch file.version {
    case .current: return "    \(name): \(count), current since \(since)"
    case .earlier(let changed):
      let version =
        "the version of \(Timestamp.text(of: changed)) since \(since), because the file has errors"
      return "    \(name): \(count), \(version, as: .bad)"
    case .withErrors:
      return "    \(name): \(count), \("without its erroneous routes since \(since)", as: .bad)"
    case .none: return "    \(name): \("not in force since \(since), because it has errors", as: .bad)"
    }
  }

  private static func finalNames(_ routes: [Route<RouteAction>]) -> [String] {
    routes.filter { $0.rank == .finalAdministrator }.map(\.id)
  }

  private static func name(of file: ReadRouteFile, in directory: RouteDirectory) -> String {
    file.path.hasPrefix(directory.path + "/")
      ? String(file.path.dropFirst(directory.path.count + 1)) : file.path
  }

  private static func emptiness(of directory: RouteDirectory) -> String {
    LocalFiles().list(directory.path) == .missing ? "does not exist" : "contains no *.toml file"
  }

  private static func title(of rank: PolicyLayer) -> String {
    switch rank {
    case .finalAdministrator: "The administrator's final routes"
    case .cleaning: "The routes that clean links first"
    case .user: "The user's routes"
    case .administrator: "The administrator's routes"
    case .vendor: "The routes of applications"
    }
  }

  static func word(for rank: PolicyLayer) -> String {
    switch rank {
    case .finalAdministrator, .administrator: "administrator"
    case .user: "user"
    case .vendor, .cleaning: "programs"
    }
  }
}
