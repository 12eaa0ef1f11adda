import BusInterfaces
import DBus
import Glibc
import RouteTables

extension OpenInvocation {
  /// Tells what became of it, and what may be typed next; the exit status.
  func tell(_ result: OpenResult) -> Int32 {
    if json {
      Console.emit(result.json)
    } else {
      result.tell()
      // The standard error of what the desktop started is a log.
      if !fromDesktop, let failure = result.failure { suggest(after: failure.name) }
    }
    // Nobody reads what an opener of the desktop says.
    if fromDesktop, let failure = result.failure,
      result.isLost || failure.name == BrokerErrorName.needsBus.errorName
    {
      let links = urls.compactMap { try? $0.url(allowsAnyPath: false).redacted }
      FailureNotice(links: links, reason: failure.message).show()
    }
    return fromDesktop ? result.exitCodeForDesktop : result.exitCode
  }

  /// Tells what the application answered; the exit status.
  func tell(_ report: CallbackReport) -> Int32 {
    if json { Console.emit(report.json) } else { report.tell() }
    return report.exitCode
  }

  /// Tells what would be done; the exit status.
  func explain(_ urls: [URLString]) -> Int32 {
    let reported = urls.map { ExplanationReport($0, options) }
    if json {
      Console.emit(
        JSONText.line(["decisions": .array(of: "a{sv}", reported.map { .dictionary($0.entries) })]))
    } else {
      for (index, explanation) in reported.enumerated() {
        if index > 0 { Console.say("") }
        explanation.tell()
      }
    }
    return reported.first { $0.exitCode != 0 }?.exitCode ?? 0
  }

  /// Tells a person how far an application is, where somebody reads that.
  var telling: RequestSession.Output? {
    guard options.wait == .handled, tellsProgress || isatty(STDERR_FILENO) == 1 else { return nil }
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

  /// What a person may type who is told of this error.
  private func nextSteps(after error: ErrorName) -> [SuggestedCommand] {
    if let application = target.flatMap({ ApplicationSuggestion(for: $0) }) {
      return [.open(urls.map(\.text), with: application.id)]
    }
    // Several words that are no URL were one, without its quotes.
    let isOne = urls.count == 1 || error == BrokerErrorName.invalidURL.errorName
    let steps = SuggestedCommand.after(error, about: isOne ? urls.map(\.text).joined(separator: " ") : nil)
    // The error may be the fallback's, in whose place it was opened.
    return steps + (steps.isEmpty ? [] : fallback.map { [.explain($0.text)] } ?? [])
  }
}
