// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
public import BusInterfaces
public import Freedesktop
import OpenSocket

extension ApplicationID: ExpressibleByArgument {
  /// Parses an ID, with or without `.desktop`.
  public init?(argument: String) {
    guard let id = UserEnvironment.application(argument) else { return nil }
    self = id
  }

  /// Completes with the installed applications.
  public static var defaultCompletionKind: CompletionKind { Completions.applications }
}

extension Argument where Value == String {
  /// Creates an argument that is the desktop-file ID of an application, which a daemon checks.
  init(application purpose: String) {
    self.init(help: ArgumentHelp(purpose, valueName: "id"), completion: Completions.applications)
  }
}

extension Argument where Value == String? {
  /// Creates an optional argument that is the desktop-file ID of an application.
  init(application purpose: String) {
    self.init(help: ArgumentHelp(purpose, valueName: "id"), completion: Completions.applications)
  }
}

extension String {
  /// The ID of an application, without `.desktop`.
  var withoutDesktopSuffix: String { hasSuffix(".desktop") ? String(dropLast(8)) : self }
}

extension URLScheme: ExpressibleByArgument {
  /// Parses a scheme, also as it appears in a URL: `notes`, `notes:`, `notes://`.
  public init?(argument: String) {
    self.init(String(argument.prefix { $0 != ":" }))
    guard ["", ":", "://"].contains(argument.dropFirst(rawValue.count)) else { return nil }
  }

  /// Completes with the schemes that an application opens or supports.
  public static var defaultCompletionKind: CompletionKind { Completions.schemes }
}

extension OpenOptions.Wait: ExpressibleByArgument {}

extension NameSpecification {
  /// The name of an option that plain calls have, too.
  static func plain(_ option: PlainCall.Option) -> Self { .customLong(option.rawValue) }
}

/// A time in seconds on the command line, optionally with a fraction.
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

/// JSON on the command line that is converted to a property list.
struct JSONArgument: ExpressibleByArgument {
  private let text: String

  // Never returns `nil`, because `validate` reports errors with their position in the text.
  init(argument: String) { text = argument }

  /// Returns the value for the option `name`.
  func value(of name: String) throws(MessageError) -> PropertyList {
    try PropertyList(json: text, at: name)
  }

  /// Throws a validation error with a message for the user if the text is not a value for the option `name`.
  func validate(as name: String) throws(ValidationError) {
    do throws(MessageError) { _ = try value(of: name) } catch { throw ValidationError(diagnostic(error)) }
  }

  /// Returns the error message, with the position in the text if it is known.
  private func diagnostic(_ error: MessageError) -> String {
    var lines = [error.description]
    if let first = text.first, first.isLetter,
      text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" })
    {
      lines[0] += "; put text in quotes: '\"\(text)\"'"
    } else if let position = error.position, position.line == 1, text.count <= 100,
      !text.utf8.contains(UInt8(ascii: "\n"))
    {
      lines += ["  \(text)", "  " + String(repeating: " ", count: max(0, position.column - 1)) + "^"]
    }
    return lines.joined(separator: "\n")
  }
}
