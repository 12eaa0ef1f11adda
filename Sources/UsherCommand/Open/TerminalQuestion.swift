// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Glibc

/// A question of a delivery, which is put to the user at the terminal.
struct TerminalQuestion {
  /// The URLs in question.
  let urls: [String]
  private let choices: [String]
  private let text: String?

  /// Creates the question of `delivery`; `nil` if it has none.
  init?(of delivery: Delivery) {
    guard let choices = delivery.choices, let urls = delivery.urls else { return nil }
    self.choices = choices
    self.urls = urls
    text = delivery.question
  }

  /// A Boolean value that is `true` if a user at a terminal can be asked.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks the user, and returns the answer; `nil` if there is none, and the URLs remain unopened.
  func ask() -> String? {
    for url in urls { Console.warn(url) }
    if let text { Console.ask(text + "\n") }
    for (index, choice) in choices.enumerated() { Console.ask("  \(index + 1). \(choice)\n") }
    Console.ask(
      choices.isEmpty
        ? "Open it? [y/N] " : "Open with which application? [1-\(choices.count); press Enter to cancel] ")
    return readLine().flatMap(answer)
  }

  /// Returns the answer that a typed line means; `nil` if it is none.
  func answer(_ line: String) -> String? {
    let word = line.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    if word == "n" || word == "no" { return Question.refusal }
    if choices.isEmpty { return word == "y" || word == "yes" ? Question.consent : nil }
    if let number = Int(word), choices.indices.contains(number - 1) { return choices[number - 1] }
    return choices.first { $0.lowercased() == word }
  }
}
