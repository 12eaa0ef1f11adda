// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Glibc

/// A question of a delivery, which is put to the user at the terminal.
struct TerminalQuestion {
  /// The URLs in question.
  let urls: [String]
  private let choices: [String]
  private let titles: [String]
  private let text: String?

  /// Creates the question of `delivery`; `nil` if it has none.
  init?(of delivery: Delivery) {
    guard let choices = delivery.choices, let urls = delivery.urls else { return nil }
    self.choices = choices
    titles = delivery.titles.flatMap { $0.count == choices.count ? $0 : nil } ?? choices
    self.urls = urls
    text = delivery.question
  }

  /// A Boolean value that is `true` if a user at a terminal can be asked.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// The message after a question without an answer.
  static let cancelled = "cancelled; nothing was opened"

  /// The meaning of a typed line.
  enum Reply: Equatable {
    case answer(String)
    /// The user wants to open nothing now.
    case cancelled
    /// The line means nothing, so that the sentence is printed and the user is asked again.
    case unclear(String)
  }

  /// Asks the user, and returns the answer; `nil` if there is none, and the URLs remain unopened.
  func ask() -> String? {
    // The text names one link.
    if text == nil || urls.count > 1 { for url in urls { Console.warn(url) } }
    if let text { Console.ask(text + "\n") }
    for (index, title) in titles.enumerated() { Console.ask("  \(index + 1). \(title)\n") }
    while true {
      Console.ask(
        choices.isEmpty ? "Open it? [y/N] " : "Number [1-\(choices.count); press Enter to cancel]: ")
      guard let line = readLine() else {
        Console.ask("\n")
        return nil
      }
      switch reply(line) {
      case .answer(let answer): return answer
      case .cancelled: return nil
      case .unclear(let sentence): Console.ask(sentence + "\n")
      }
    }
  }

  /// Returns the meaning of a typed line.
  func reply(_ line: String) -> Reply {
    if let answer = answer(line) {
      return choices.isEmpty || answer != Question.refusal ? .answer(answer) : .cancelled
    }
    // Without choices, every other line is the default answer.
    guard !choices.isEmpty, line.contains(where: { !$0.isWhitespace }) else { return .cancelled }
    return .unclear("Please type a number from 1 to \(choices.count).")
  }

  /// Returns the answer that a typed line means; `nil` if it is none.
  func answer(_ line: String) -> String? {
    let word = line.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    if word == "n" || word == "no" { return Question.refusal }
    if choices.isEmpty { return word == "y" || word == "yes" ? Question.consent : nil }
    if let number = Int(word), (1...choices.count).contains(number) { return choices[number - 1] }
    return choices.first { $0.lowercased() == word }
  }
}
