public import ArgumentParser
public import BusInterfaces
public import Freedesktop

extension ApplicationID: ExpressibleByArgument {
  /// The ID, with or without `.desktop`.
  public init?(argument: String) {
    guard let id = UserEnvironment.application(argument) else { return nil }
    self = id
  }

  /// The applications that are installed.
  public static var defaultCompletionKind: CompletionKind { Completions.applications }
}

extension URLScheme: ExpressibleByArgument {
  /// The scheme, also as it stands in a URL: `notes`, `notes:`, `notes://`.
  public init?(argument: String) {
    self.init(String(argument.prefix { $0 != ":" }))
    guard ["", ":", "://"].contains(argument.dropFirst(rawValue.count)) else { return nil }
  }

  /// The schemes that something opens, or could.
  public static var defaultCompletionKind: CompletionKind { Completions.schemes }
}

extension OpenOptions.Wait: ExpressibleByArgument {}

/// A time on the command line: seconds, with a fraction where wanted.
struct Seconds: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    guard let seconds = Double(argument), seconds.isFinite, seconds >= 0 else { return nil }
    let microseconds = seconds * 1_000_000
    let range = OpenOptions.timeoutRange
    guard microseconds >= Double(range.lowerBound), microseconds <= Double(range.upperBound) else {
      return nil
    }
    duration = .microseconds(Int64(microseconds))
  }
}

/// JSON on the command line that becomes a property list.
struct JSONArgument: ExpressibleByArgument {
  private let text: String

  // Never `nil`: what is wrong with it is said by `validate`, with its place in the text.
  init(argument: String) { text = argument }

  /// The value, for the option `name`.
  func value(of name: String) throws(MessageError) -> PropertyList {
    try PropertyList(json: text, at: name)
  }

  /// Refuses what is no value for the option `name`, in words for whoever typed it.
  func validate(as name: String) throws(ValidationError) {
    do throws(MessageError) { _ = try value(of: name) } catch { throw ValidationError(diagnostic(error)) }
  }

  /// What is wrong with it, with the place in the text where that can be pointed at.
  private func diagnostic(_ error: MessageError) -> String {
    var lines = [error.description]
    if let first = text.first, first.isLetter,
      text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" })
    {
      lines[0] += "; text is written in quotes, as '\"\(text)\"'"
    } else if let position = error.position, position.line == 1, text.count <= 100, !text.contains("\n") {
      lines += ["  \(text)", "  " + String(repeating: " ", count: max(0, position.column - 1)) + "^"]
    }
    return lines.joined(separator: "\n")
  }
}
