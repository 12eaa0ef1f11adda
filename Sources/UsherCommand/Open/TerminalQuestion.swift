import BrokerCore
import BusInterfaces
import Glibc

/// The question of a delivery, put to the person at the terminal.
struct TerminalQuestion {
  /// What it is about.
  let urls: [String]
  private let choices: [String]

  /// The question of `delivery`; `nil` where it has none.
  init?(of delivery: Delivery) {
    guard let choices = delivery.choices, let urls = delivery.urls else { return nil }
    self.choices = choices
    self.urls = urls
  }

  /// Whether a person is there to ask.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// The person's answer; `nil` where there is none, which leaves the URLs unopened.
  func ask() -> String? {
    for url in urls { Console.warn(url) }
    for (index, choice) in choices.enumerated() { Console.ask("  \(index + 1). \(choice)\n") }
    Console.ask(choices.isEmpty ? "Open it? [y/N] " : "Open it with which? [1-\(choices.count), or nothing] ")
    return readLine().flatMap(answer)
  }

  /// What a line that was typed means.
  func answer(_ line: String) -> String? {
    let word = line.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    if word == "n" || word == "no" { return Question.refusal }
    if choices.isEmpty { return word == "y" || word == "yes" ? Question.consent : nil }
    if let number = Int(word), choices.indices.contains(number - 1) { return choices[number - 1] }
    return choices.first { $0.lowercased() == word }
  }
}
