import BusInterfaces
import DBus
import RouteTables

/// A call of `usher explain`, whoever read its words: what is asked about, and how it is told.
struct ExplainInvocation: Equatable {
  /// What is to be explained.
  var url: OpenArgument
  /// What has a part in the decision.
  var options = OpenOptions()
  /// The caller to decide for; `nil` for this command.
  var caller: ExplainedCaller?
  /// Whether to decide as if the user had clicked it.
  var isClicked = false
  /// Whether the application is asked, too.
  var asksApplication = false
  /// Whether the desktop's other openers are left out.
  var isAlone = false
  /// Whether a program is told, by one JSON object.
  var json = false

  /// A call about `url` that asks whoever there is.
  init(_ url: OpenArgument) { self.url = url }

  /// Explains it; the exit status.
  func carryOut() -> Int32 {
    let checked: URLString
    do throws(URLString.Invalid) {
      checked = try url.url(allowsAnyPath: true)
    } catch {
      tell(error)
      return BrokerErrorName.invalidURL.exitCode
    }
    // They work while the broker does.
    let questions = isAlone ? nil : OpenerQueries(about: checked)
    let reported = ExplanationReport(
      checked, options, as: caller, isClicked: isClicked, inApplication: asksApplication)
    let elsewhere = questions?.answers(decided: reported.application)
    if json {
      var entries = reported.entries
      entries["elsewhere"] = elsewhere?.entries
      Console.emit(JSONText.line(entries))
    } else {
      reported.tell(with: elsewhere?.lines ?? [])
      if let failure = reported.failure {
        // A command with a secret in it is not for the screen.
        let isWhole = reported.shownURL == checked.text
        let steps = SuggestedCommand.after(failure.errorName, about: isWhole ? url.text : nil)
        Console.suggest(steps.filter { !$0.command.hasPrefix("usher explain ") })
      }
    }
    return reported.exitCode
  }

  /// Tells that it is no URL.
  private func tell(_ reason: URLString.Invalid) {
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
  /// Reads the words after the program's name where they are `explain` and one argument, with the options of the call itself; `nil`
  /// where they are anything else, which is the parser's to read, as in `OpenInvocation.init(plain:)`.
  init?(plain words: some Collection<String>) {
    guard words.first == "explain" else { return nil }
    var (arguments, isAlone, json): ([OpenArgument], Bool, Bool) = ([], false, false)
    for word in words.dropFirst() {
      switch word {
      case "--alone": isAlone = true
      case "--json": json = true
      case _ where word.utf8.first == UInt8(ascii: "-"): return nil
      default: arguments.append(OpenArgument(argument: word))
      }
    }
    guard let url = arguments.first, arguments.count == 1 else { return nil }
    self.init(url)
    (self.isAlone, self.json) = (isAlone, json)
  }
}
