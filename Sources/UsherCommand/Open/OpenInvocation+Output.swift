// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import RouteTables

extension OpenInvocation {
  /// Prints the outcome and suggested commands, and returns the exit status.
  func report(_ result: OpenResult) -> Int32 {
    if json {
      Console.emit(result.json)
    } else {
      result.print()
      // Suggestions are omitted for the desktop, because its standard error is a log.
      if !fromDesktop, let failure = result.failure { suggest(after: failure.name) }
    }
    // The user does not see the output of a desktop's opener, so that a notification reports the failure.
    if fromDesktop, let failure = result.failure,
      result.isLost || result.isRejectedSilently
        || failure.name == BrokerErrorName.needsBus.errorName
    {
      let links = urls.compactMap {
        (try? $0.url(allowsAnyPath: false).redacted) ?? $0.scheme.map { "\($0):…" }
      }
      FailureNotice(
        links: links, reason: failure.message, mayBeOpened: !result.isRejectedSilently,
        advice: result.isRejectedSilently ? nil : FailureNotice.findingTheCause
      ).show()
    }
    return fromDesktop ? result.exitCodeForDesktop : result.exitStatus
  }

  /// Prints the application's answer, and returns the exit status.
  func report(_ answer: CallbackReport) -> Int32 {
    if json { Console.emit(answer.json) } else { answer.print() }
    return answer.exitStatus
  }

  /// Prints the explanations without opening, and returns the exit status.
  func explain(_ urls: [CorrectedURL]) -> Int32 {
    let reported = urls.map { ExplanationReport($0, options) }
    if json {
      Console.emit(JSONText.line(["decisions": .dictionaries(reported.map(\.entries))]))
    } else {
      for (index, explanation) in reported.enumerated() {
        if index > 0 { Console.print("") }
        explanation.print()
      }
    }
    return reported.first { $0.exitStatus != 0 }?.exitStatus ?? 0
  }

  /// The output of progress reports; `nil` unless the command waits for `handled` and the user sees them.
  var progressOutput: RequestSession.Output? {
    guard options.wait == .handled, reportsProgress || isatty(STDERR_FILENO) == 1 else { return nil }
    var last = ""
    return { application, progress in
      guard let text = progress.text, text != last else { return }
      last = text
      Console.warn(text, by: application)
    }
  }

  private func suggest(after error: ErrorName) {
    let steps = nextSteps(after: error)
    if steps.isEmpty, error == BrokerErrorName.noHandler.errorName, urls.count == 1 {
      for hint in urls.compactMap(\.hintOfMissingScheme) { Console.warn(hint) }
    }
    Console.suggest(steps)
  }

  /// Returns the commands that are suggested after this error.
  private func nextSteps(after error: ErrorName) -> [SuggestedCommand] {
    if let application = target.flatMap({ ApplicationSuggestion(for: $0) }) {
      return [.open(urls.map(\.text), with: application.id)]
    }
    // Several arguments that are not URLs may be one URL with spaces and without quotes.
    let isOne = urls.count == 1 || error == BrokerErrorName.invalidURL.errorName
    let steps = SuggestedCommand.after(error, about: isOne ? urls.map(\.text).joined(separator: " ") : nil)
    // The error may concern the fallback, which was opened instead.
    return steps + (steps.isEmpty ? [] : fallback.map { [.explain($0.text)] } ?? [])
  }
}
