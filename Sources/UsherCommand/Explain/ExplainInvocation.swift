// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import OpenSocket
import RouteTables

/// An invocation of `usher explain`, parsed by ArgumentParser or as a `PlainCall`.
struct ExplainInvocation: Equatable {
  /// The URL or path to explain.
  var url: OpenArgument
  /// The options that affect the decision.
  var options = OpenOptions()
  /// The caller for which to decide; `nil` for this command.
  var caller: ExplainedCaller?
  /// Decides as if the user had clicked the URL.
  var isClicked = false
  /// Asks the application as well.
  var asksApplication = false
  /// Omits the comparison with the desktop's other openers.
  var isAlone = false
  /// Prints one JSON object for programs.
  var json = false

  /// Creates an invocation about `url` that asks all sources.
  init(_ url: OpenArgument) { self.url = url }

  /// Explains the decision, and returns the exit status.
  func carryOut() -> Int32 {
    let corrected: CorrectedURL
    do throws(URLString.Invalid) {
      corrected = try url.corrected(allowsAnyPath: true)
    } catch {
      report(error)
      return BrokerErrorName.invalidURL.exitStatus
    }
    // Started first, because these programs run while the broker decides.
    let questions = isAlone ? nil : OpenerQueries(about: corrected.url)
    let reported = ExplanationReport(
      corrected, options, as: caller, isClicked: isClicked, inApplication: asksApplication)
    let elsewhere = questions?.answers(decided: reported.application)
    if json {
      var entries = reported.entries
      entries["other-openers"] = elsewhere?.entries
      Console.emit(JSONText.line(entries))
    } else {
      reported.print(with: elsewhere?.lines ?? [])
      if let failure = reported.failure {
        // A command that contains a secret must not be printed.
        let isWhole = reported.shownURL == corrected.url.text
        let steps = SuggestedCommand.after(failure.errorName, about: isWhole ? url.text : nil)
        Console.suggest(steps.filter { !$0.command.hasPrefix("usher explain ") })
      }
    }
    return reported.exitStatus
  }

  /// Reports that the argument is not a URL.
  private func report(_ reason: URLString.Invalid) {
    let (message, name) = (url.diagnostic(reason), BrokerErrorName.invalidURL)
    if json {
      Console.emit(JSONText.line(["error": .string(name.rawValue), "message": .string(message)]))
    } else {
      Console.warn(message)
      Console.suggest(SuggestedCommand.after(name.errorName, about: url.text))
    }
  }
}

extension ExplainInvocation {
  /// Creates the invocation of a plain call; `nil` if that is another subcommand's.
  init?(_ call: PlainCall) {
    guard call.command == .explain, let url = call.arguments.first else { return nil }
    self.init(OpenArgument(argument: url))
    isAlone = call.has(.skipComparison)
    json = call.has(.json)
  }
}
