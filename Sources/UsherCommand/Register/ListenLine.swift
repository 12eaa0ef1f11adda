// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// The command of a desktop entry that runs `usher listen`, with its application.
struct ListenLine {
  /// The words of the command, with a field code for URLs.
  private(set) var words: [String]
  /// The application that listens.
  let application: ApplicationID

  /// Parses the words of a command; `nil` for any other command.
  init?(_ words: [String]) {
    guard words.count > 2, words[0].split(separator: "/").last == "usher", words[1] == "listen" else {
      return nil
    }
    let own = words.prefix { $0 != "--" }
    guard
      let application = own.dropFirst(2).first(where: { !$0.hasPrefix("-") }).flatMap(
        UserEnvironment.application),
      application.busName != nil
    else { return nil }
    self.application = application
    // The words after `--` belong to the program.
    let hasPlace = own.contains { ["%u", "%U"].contains($0) }
    self.words = own + (hasPlace ? [] : ["%U"]) + words.dropFirst(own.count)
  }

  /// The program after `--`; `nil` if there is none.
  var program: String? {
    get { place.map { words[$0] } }
    set { if let place, let newValue { words[place] = newValue } }
  }

  private var place: Int? {
    guard let terminator = words.firstIndex(of: "--"), terminator + 1 < words.count else { return nil }
    return terminator + 1
  }
}
