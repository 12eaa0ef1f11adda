// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The options of the command line.
struct Options {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The file of GitHub's routes.
  private(set) var routes = URL(fileURLWithPath: "Benchmarks/routes/github.txt")
  private(set) var rounds = 301
  /// The compared programs.
  private(set) var peers: [(name: String, program: URL)] = []
  /// The file for the figures as JSON.
  private(set) var json: URL?
  /// The rows to run; all if empty.
  private(set) var rows: [String] = []

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch (argument, rest.first) {
      case ("--routes", let file?): routes = URL(fileURLWithPath: file)
      case ("--json", let file?): json = URL(fileURLWithPath: file)
      case ("--rounds", let text?): rounds = Int(text) ?? rounds
      case ("--peer", let text?):
        let parts = text.split(separator: "=", maxSplits: 1).map { String($0) }
        guard parts.count == 2 else { throw Failure(description: "--peer takes NAME=PROGRAM") }
        peers.append((parts[0], URL(fileURLWithPath: parts[1])))
      default:
        guard !argument.hasPrefix("-") else {
          throw Failure(description: "\(argument) is no option, or lacks its value")
        }
        rows.append(argument)
        continue
      }
      rest.removeFirst()
    }
  }
}
