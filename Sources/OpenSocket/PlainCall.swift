// SPDX-License-Identifier: Apache-2.0
/// A call of `usher` that needs no complete parser: a subcommand, options of its table, and arguments.
///
/// ArgumentParser inspects all options of all subcommands first, which takes longer than opening a URL. The front reads a call with this type, and so
/// does the complete command; its parser for all other calls takes the names of the options from ``Option``.
public struct PlainCall: Equatable, Sendable {
  /// A subcommand that has plain calls.
  public enum Command: String, CaseIterable, Sendable {
    case open
    case explain
    case handlers

    /// The options of a plain call.
    public var options: [Option] {
      switch self {
      case .open: [.fromDesktop, .json, .wait]
      case .explain: [.json, .skipComparison]
      case .handlers: [.json]
      }
    }

    /// The possible numbers of arguments.
    var counts: ClosedRange<Int> {
      switch self {
      case .open: 1...Int.max
      case .explain: 1...1
      case .handlers: 0...0
      }
    }
  }

  /// An option, by its name without the leading `--`.
  public enum Option: String, CaseIterable, Sendable {
    case fromDesktop = "from-desktop"
    case json
    case skipComparison = "skip-comparison"
    case wait

    /// The values in a plain call, as in `--wait=accepted`; empty for a flag.
    public var values: [String] { self == .wait ? ["accepted", "delivered", "handled"] : [] }
  }

  /// The subcommand.
  public let command: Command
  /// The arguments that are not options, in order.
  public private(set) var arguments: [String] = []
  /// The value of ``Option/wait``; `nil` if it is not given.
  public private(set) var wait: String?
  private var flags: [Option] = []

  /// Parses the words after the program's name; `nil` if they need the complete parser.
  public init?(_ words: [String]) { self.init(words[...]) }

  /// Parses the words after the program's name; `nil` if they need the complete parser.
  public init?(_ words: ArraySlice<String>) {
    // The parameter is not generic, because the runtime would look up the conformances of the collection.
    guard let first = words.first, let command = Command(rawValue: first) else { return nil }
    self.command = command
    for word in words.dropFirst() {
      guard word.utf8.first == UInt8(ascii: "-") else {
        arguments.append(word)
        continue
      }
      guard let (option, value) = Self.option(word), command.options.contains(option) else { return nil }
      if let value { wait = value } else { flags.append(option) }
    }
    guard command.counts.contains(arguments.count) else { return nil }
  }

  /// Returns `true` if the call has this flag.
  public func has(_ flag: Option) -> Bool { flags.contains(flag) }

  /// Returns the option that `word` spells in full, and its value.
  private static func option(_ word: String) -> (Option, value: String?)? {
    guard word.utf8.starts(with: "--".utf8) else { return nil }
    let text = word.utf8.dropFirst(2)
    let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
    guard let option = Option(rawValue: String(Substring(text[..<end]))) else { return nil }
    guard end < text.endIndex else { return option.values.isEmpty ? (option, nil) : nil }
    let value = String(Substring(text[text.index(after: end)...]))
    return option.values.contains(value) ? (option, value) : nil
  }
}
