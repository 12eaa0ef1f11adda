// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests of every command on trees of unusual and invalid files: it answers, and its changes can be undone.
@Suite struct `On any tree of files` {
  /// Returns the contents of regular files by their paths.
  private func files(of tree: RandomTree) -> [String: Data] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: tree.root)) ?? []
    return names.reduce(into: [:]) { files, name in
      // KDE's cache of entries belongs to KDE.
      guard !name.contains(".cache/") else { return }
      files[name] = FileManager.default.contents(atPath: tree.root + "/" + name)
    }
  }

  /// Returns the lines without empty headers, keys without values and blank lines, which may differ.
  private func lines(_ data: Data?) -> [Data] {
    let headers = ["[Default Applications]", "[MIME Cache]"].map { Data($0.utf8) }
    return (data ?? Data()).split(separator: UInt8(ascii: "\n"))
      .map { $0.last == UInt8(ascii: "\r") ? Data($0.dropLast()) : Data($0) }
      .filter { !$0.isEmpty && $0.last != UInt8(ascii: "=") && !headers.contains($0) }
  }

  private func run(_ arguments: [String], in tree: RandomTree) async throws -> (Int32, JSONObject) {
    var environment = tree.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
    let result = try await Command.run(
      BuiltProducts.usher, arguments + ["--json"], environment: environment, directory: "/")
    let status = try #require(result.status, "seed \(tree.seed): \(result)\n\(tree.texts)")
    return (status, try JSONObject(result.output))
  }

  @Test(arguments: 0..<36 as Range<UInt64>)
  func `no command crashes, and a registration can be removed`(seed: UInt64) async throws {
    let root = RandomTree.directory
    defer { try? FileManager.default.removeItem(atPath: root) }
    let tree = try RandomTree(seed: seed + 50_000, root: root)
    let before = files(of: tree)
    #expect(try await [0, 1].contains(run(["doctor"], in: tree).0))
    #expect(try await run(["handlers"], in: tree).0 == 0)
    let (explained, explanation) = try await run(["explain", "--skip-comparison", "T:x"], in: tree)
    #expect([0, 2, 4].contains(explained), "\(explained) \(explanation)")
    #expect(files(of: tree) == before)
    let (status, reported) = try await run(
      ["register", "--name", "X", "--exec", "viewer %u", "--direct", "--scheme", "t", "--scheme", "u"],
      in: tree)
    guard status == 0 else {
      #expect(status == 1 && reported["message"]?.isEmpty == false, "\(reported)")
      #expect(files(of: tree) == before, "seed \(tree.seed): \(reported)")
      return
    }
    let (opened, _) = try await run(["explain", "--skip-comparison", "t:x"], in: tree)
    #expect(opened == 0)
    #expect(try await run(["unregister", "usher-x"], in: tree).0 == 0)
    let after = files(of: tree)
    for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
      let texts = [before[name], after[name]].map {
        String(decoding: $0 ?? Data(), as: UTF8.self).debugDescription
      }
      #expect(lines(before[name]) == lines(after[name]), "seed \(tree.seed): \(name)\n\(texts)")
    }
  }
}
