// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteFiles
import RouteImport
import TestSupport
import Testing

/// The fixtures of imports, and URLs near the borders of their rules.
enum ImportSamples {
  static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures").path

  static func file(_ name: String) throws -> RouteImport.File {
    let data = try Data(contentsOf: URL(filePath: "\(directory)/\(name)"))
    return RouteImport.File(name: name, bytes: Array(data))
  }

  /// Imports a text.
  static func imported(
    _ text: String, _ format: RouteImport.Format, browsers: [String: String] = [:],
    applications: [String: [String]] = [:], ownBrowser: Set<String> = []
  ) throws -> RouteImport {
    try RouteImport(
      [.init(name: "in", bytes: Array(text.utf8))], format: format, browsers: browsers,
      applications: applications, ownBrowser: ownBrowser)
  }

  /// Returns the routes of an import, which must have no errors and pass their tests.
  static func files(_ imported: RouteImport) -> RouteFileSet {
    let files = RouteFileSet([RouteFileSource(name: "routes.toml", text: imported.text)])
    #expect(files.diagnostics.isEmpty, "\(files.diagnostics)\n\(imported.text)")
    let failures = files.runTests()
    #expect(failures.isEmpty, "\(failures)\n\(imported.text)")
    return files
  }

  /// Combinations of schemes, hosts, ports, paths, queries and fragments.
  static func urls(hosts: [String], paths: [String]) -> [String] {
    let suffixes = ["", "?q=1", "#top", "?v=1", "?a=1&v=2"]
    return ["https", "http"].flatMap { scheme in
      hosts.flatMap { host in
        ["\(host)", "www.\(host)", "a.b.\(host)", "x\(host)", "\(host).evil.net", "\(host):8443"].flatMap {
          authority in
          (["/", "/one", "/one/two/", "/\(host)/"] + paths).flatMap { path in
            suffixes.map { "\(scheme)://\(authority)\(path)\($0)" }
          }
        }
      }
    }
  }

  /// Returns the number of the rule of a Finicky configuration that decides about each URL, evaluated in Node; -1 for none.
  static func finicky(_ text: String, _ urls: [String], from application: String? = nil) async throws -> [Int]
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "finicky-\(UUID().uuidString).mjs")
    try text.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await node(
      ["\(directory)/finicky-decisions.mjs", file.path] + [application].compactMap(\.self), input: urls)
  }

  /// Runs a program of the fixtures in Node with JSON as its input, and decodes its output.
  static func node(_ arguments: [String], input: some Encodable) async throws -> [Int] {
    let text = String(decoding: try JSONEncoder().encode(input), as: UTF8.self)
    let result = try await Command.run("node", arguments, input: text)
    try #require(result.succeeded, "\(result)")
    return try JSONDecoder().decode([Int].self, from: Data(result.output.utf8))
  }
}
