// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import UsherCommand

@Suite struct `Arguments that are not UTF-8` {
  /// All of them were the first one.
  @Test func `have their own bytes even if their repaired texts are equal`() {
    let names = [[0xE4], [0xF6], Array("\u{FFFD}".utf8), [0xFC]].map {
      Array("Bild-".utf8) + $0 + Array(".jpg".utf8)
    }
    let other = Array("Bild.jpg".utf8)
    let repaired = OpenArgument(argument: "Bild-\u{FFFD}.jpg")
    let arguments = [repaired, OpenArgument(bytes: other), repaired, repaired, repaired]
    let found = OpenArgument.originals(
      of: arguments, in: [Array("usher".utf8), Array("open".utf8), names[0], other] + names[1...])
    #expect(found == [names[0], other, names[1], names[2], names[3]].map { OpenArgument(bytes: $0) })
    #expect(OpenArgument.originals(of: [repaired], in: []) == [repaired])
  }

  /// The fallback was the first of them, and the first argument was the fallback if that preceded it.
  @Test(arguments: [
    ["--fallback", "F", "1", "2"], ["1", "--fallback", "F", "2"], ["1", "2", "--fallback=F"],
    ["--fallback=1", "--fallback", "F", "--", "1", "2"],
  ])
  func `are not confused with the fallback`(line: [String]) {
    let bytes: [Character: UInt8] = ["1": 0xE4, "2": 0xF6, "F": 0xFC]
    let commandLine = line.map { argument in
      argument.last.flatMap { bytes[$0] }.map { argument.dropLast().utf8 + [$0] } ?? Array(argument.utf8)
    }
    let repaired = OpenArgument(argument: "\u{FFFD}")
    let found = OpenArgument.originals(
      of: [repaired, repaired], fallback: repaired,
      in: ["usher", "open"].map { Array($0.utf8) } + commandLine
    )
    #expect(found.arguments == [OpenArgument(bytes: [0xE4]), OpenArgument(bytes: [0xF6])])
    #expect(found.fallback == OpenArgument(bytes: [0xFC]))
  }
}
