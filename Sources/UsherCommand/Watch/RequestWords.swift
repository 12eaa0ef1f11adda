// SPDX-License-Identifier: Apache-2.0
import struct BrokerCore.RemoteMachine

/// The words for a request in a view, which are those of the page of `usher report`.
enum RequestWords {
  /// Returns the name of an error without its namespace.
  static func errorName(_ error: String) -> String {
    String(error[(error.lastIndex(of: ".").map(error.index(after:)) ?? error.startIndex)...])
  }

  /// Returns the word for the outcome, or for the state of a request in progress.
  static func outcome(_ entry: RequestEntry) -> String {
    entry.error.map(errorName) ?? entry.outcome ?? entry.states.last?.state ?? "?"
  }

  /// Returns the sign before the outcome.
  static func sign(_ request: WatchedRequest) -> String {
    switch request.entry.outcome {
    case "handled", "delivered", "accepted": "✓"
    case "failed": "✕"
    case "unknown": "?"
    default: request.isInterrupted ? "?" : "·"
    }
  }

  /// Returns the color of the outcome.
  static func emphasis(_ request: WatchedRequest) -> StyledText.Emphasis? {
    switch request.entry.outcome {
    case "handled", "delivered", "accepted": .good
    case "failed": .bad
    case "unknown": .open
    default: request.isInterrupted ? .open : nil
    }
  }

  /// Returns the source of a request.
  static func source(_ entry: RequestEntry) -> String {
    entry.source ?? machine(entry) ?? entry.via.map { "via \($0)" } ?? "unknown"
  }

  /// Returns the machine or the container from which a request came, such as `the container work`.
  static func machine(_ entry: RequestEntry) -> String? {
    entry.remote.map { RemoteMachine.title(ofMachineNamed: $0) }
  }

  /// Returns how the source of a request is known, as a sentence.
  static func knownBy(_ entry: RequestEntry) -> String {
    if entry.remote != nil {
      return "The link came through the relay of this machine, which is treated as sandboxed."
    }
    switch entry.assurance {
    case "sandbox": return "Its sandbox confirms its name; the application cannot choose another one."
    case "unit": return "The systemd unit in which it runs confirms its name."
    case "executable": return "Its program belongs to this application's desktop entry."
    case "claimed": return "The caller itself stated this name; nothing confirms it."
    default:
      return entry.via == nil
        ? "Nothing identifies the calling program."
        : "An intermediary sent the link and hides which application it came from."
    }
  }

  /// Returns how a request was delivered.
  static func delivered(_ entry: RequestEntry) -> String? {
    switch entry.delivery {
    case "running": "to the running application"
    case "launch": "by starting the application"
    default: nil
    }
  }

  /// The explanations of errors, by their names.
  static let errorAdvice = [
    "Denied": "A rule or the user denied it. The reason names the rule.",
    "NoHandler":
      "No application that can open the link is installed. The reason names the application, if a rule does.",
    "LaunchFailed":
      "The application could not be started. To see its error, open the link again in a terminal.",
    "Timeout":
      "The application was not ready, or did not answer, in time. If it is slow to start, open the link again.",
    "TargetFailed":
      "The application received the link, and reported an error to the caller. To see the error, open the link again in a terminal.",
    "NotHandled":
      "The application received the link and declined it. To see what it reports, open the link again in a terminal.",
    "Loop": "The link was passed in a circle between applications.",
  ]

  /// Returns what the error of a request means, and what helps.
  static func advice(on entry: RequestEntry) -> String? {
    guard let error = entry.error.map(errorName) else { return nil }
    if error == "Denied", entry.reason?.contains(": links are never opened: ") == true {
      return "Usher opens no link of this scheme, whatever the rules say."
    }
    return errorAdvice[error]
  }

  /// Returns the states of the delivery; an entry without states has only its start and its end.
  static func states(_ entry: RequestEntry) -> [RequestEntry.Transition] {
    if let last = entry.states.last {
      // A request that was not sent has waited for its application: for its bus name, or for its turn.
      guard entry.outcome == "failed", last.state == "queued" else { return entry.states }
      return entry.states.dropLast() + [.init(state: "wait for application", at: last.at)]
    }
    // Without states, it is not known how much of the time the decision took.
    let hasChosen =
      entry.outcome == "failed" && entry.application != nil
      && entry.error.map { errorName($0) != "Denied" } == true
    let only =
      switch entry.delivery {
      case "launch": "start, deliver"
      case nil: hasChosen ? "until the failure" : "decide"
      default: "deliver"
      }
    return [RequestEntry.Transition(state: only, at: 0)]
  }

  /// Returns a duration in microseconds as text.
  static func duration(_ microseconds: Int64) -> String {
    let milliseconds = Double(microseconds) / 1_000
    if milliseconds < 10 { return "\(tenths(milliseconds)) ms" }
    if milliseconds < 1_000 { return "\(Int(milliseconds.rounded())) ms" }
    if milliseconds < 60_000 {
      let seconds = milliseconds / 1_000
      return milliseconds < 10_000 ? "\(tenths(seconds)) s" : "\(Int(seconds.rounded())) s"
    }
    return "\(Int((milliseconds / 60_000).rounded())) min"
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns whether a request contains all words, which are in lower case.
  static func matches(_ entry: RequestEntry, words: [String]) -> Bool {
    guard !words.isEmpty else { return true }
    let texts: [String?] =
      entry.urls + [
        entry.application, entry.source, entry.remote, entry.via, entry.outcome ?? entry.states.last?.state,
        entry.error, entry.reason, entry.requestID,
      ]
    let haystack = texts.compactMap(\.self).joined(separator: " ").lowercased()
    return words.allSatisfy { haystack.contains($0) }
  }
}
