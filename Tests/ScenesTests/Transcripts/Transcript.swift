// SPDX-License-Identifier: Apache-2.0
import Scenes
import TestSupport

/// The calls of the delegates and the answers to the callers, in order, as text.
actor Transcript {
  private(set) var lines: [String] = []
  private var waiting: [(text: String, count: Int, came: AsyncStream<Void>.Continuation)] = []
  private var names: [String: String] = [:]

  /// Adds a call with its arguments.
  func add(_ call: String, _ details: String...) {
    let details = details.filter { !$0.isEmpty }.joined(separator: " ")
    lines.append(details.isEmpty ? call : call.padding(to: 52) + details)
    waiting.removeAll { waiter in
      guard count(of: waiter.text) >= waiter.count else { return false }
      waiter.came.finish()
      return true
    }
  }

  /// Waits until lines with this prefix have been added a number of times.
  func until(_ text: String, times count: Int = 1) async throws {
    let (stream, came) = AsyncStream<Void>.makeStream()
    if self.count(of: text) >= count { came.finish() } else { waiting.append((text, count, came)) }
    try await withDeadline(
      Command.defaultDeadline, "“\(text)” in the transcript:\n\(lines.joined(separator: "\n"))\n"
    ) {
      for await _ in stream {}
    }
  }

  private func count(of text: String) -> Int { lines.count { $0.hasPrefix(text) } }

  /// Returns the name of a session, numbered in the order of appearance.
  func name(_ session: SceneSession) -> String {
    let name = names[session.persistentIdentifier] ?? "scene \(names.count + 1)"
    names[session.persistentIdentifier] = name
    return name
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
