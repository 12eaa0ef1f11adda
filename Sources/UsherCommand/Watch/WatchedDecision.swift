// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import RouteTables

/// The decision about a link, as the broker would make it now.
struct WatchedDecision: Hashable {
  /// The steps, of which the last is the verdict.
  let steps: [String]
  /// The application that would open the link.
  let application: String?
  /// The command that changes the decision.
  let remedy: String?

  /// Creates a decision of the keys of `usher explain --json`; `nil` if they are not one.
  init?(_ entries: [String: Variant]) {
    guard let message = entries["message"]?.string else { return nil }
    let steps = entries["steps"]?.strings ?? []
    self.steps = steps.last == message ? steps : steps + [message]
    application = entries["application"]?.string
    remedy = entries["remedy"]?.string
  }
}

/// The question how a link of a request is decided: the link without query and fragment, and its caller.
struct DecisionQuestion: Hashable, Sendable {
  let url: String
  let caller: ExplainedCaller

  /// Creates the question of the first link of an entry; `nil` if a part of the link is not shown.
  init?(of entry: RequestEntry) {
    guard let url = entry.urls.first.flatMap(ShownURL.plain), (try? CorrectedURL(url)) != nil,
      let caller = try? ExplainedCaller(
        application: entry.source, assurance: entry.assurance.flatMap(Assurance.init(rawValue:)),
        remote: entry.remote)
    else { return nil }
    self.url = url
    self.caller = caller
  }

  /// The keys of `usher explain --json`; asks the broker, and decides in this process if it cannot be reached.
  var answer: [String: Variant] {
    guard let corrected = try? CorrectedURL(url) else { return [:] }
    return ExplanationReport(corrected, OpenOptions(), as: caller).entries
  }

  /// The command that prints the decision.
  var command: String {
    var words = ["usher", "explain"]
    if let application = caller.application {
      words += ["--as", "\(application):\(caller.assurance.rawValue)"]
    }
    if let remote = caller.remote { words += ["--remote", remote] }
    return (words + [url]).map(Shell.word).joined(separator: " ")
  }
}
