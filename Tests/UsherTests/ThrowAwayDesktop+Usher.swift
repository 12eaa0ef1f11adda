// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension ThrowAwayDesktop {
  /// Runs the command in this desktop.
  func usher(
    _ arguments: String..., extra: [String: String] = [:], directory: String? = nil
  ) async throws -> CommandResult {
    try await Command.run(
      BuiltProducts.usher, arguments, environment: environment.merging(extra) { $1 },
      directory: directory ?? home)
  }

  /// Runs the command with `--json` as its last argument, and parses the one object that it prints.
  func usherJSON(_ arguments: String..., extra: [String: String] = [:]) async throws -> (
    object: JSONObject, result: CommandResult
  ) { try await usherJSON(nil, arguments, extra: extra) }

  func usherJSON(
    _ command: String?, _ words: [String], extra: [String: String] = [:]
  ) async throws -> (object: JSONObject, result: CommandResult) {
    let arguments = (command.map { [$0] } ?? []) + words
    let result = try await Command.run(
      BuiltProducts.usher, arguments + ["--json"], environment: environment.merging(extra) { $1 },
      directory: home)
    #expect(result.lines.count == 1, "\(result)")
    return (try JSONObject(result.output), result)
  }

  /// Installs a plain program that is the default for `scheme`.
  func installPlayer(
    _ behaviour: Recorder.Behaviour = .exits(), id: String = "player", scheme: String = "play",
    lines: [String] = []
  ) throws -> Recorder {
    let recorder = try Recorder(id, in: self, behaviour)
    try installDesktopEntry(id, exec: "\(recorder.execWord) %u", schemes: [scheme], lines: lines)
    try setDefaults([scheme: [id]])
    return recorder
  }
}

/// A parsed JSON object with typed accessors.
struct JSONObject: CustomStringConvertible {
  private let values: [String: Any]

  init(_ text: String) throws {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    values = try #require(value as? [String: Any])
  }

  private init(values: [String: Any]) { self.values = values }

  /// Returns the string of a key.
  subscript(key: String) -> String? { values[key] as? String }
  /// Returns the Boolean value of a key.
  func boolean(_ key: String) -> Bool? { values[key] as? Bool }
  /// Returns the number of a key.
  func integer(_ key: String) -> Int? { values[key] as? Int }
  /// Returns the objects of an array.
  func objects(_ key: String) -> [JSONObject] {
    (values[key] as? [[String: Any]] ?? []).map { JSONObject(values: $0) }
  }
  /// Returns the object of a key.
  func object(_ key: String) -> JSONObject? { (values[key] as? [String: Any]).map { JSONObject(values: $0) } }
  /// Returns the strings of an array.
  func texts(_ key: String) -> [String] { values[key] as? [String] ?? [] }
  /// The keys, sorted.
  var keys: [String] { values.keys.sorted() }
  var description: String { "\(values)" }
}
