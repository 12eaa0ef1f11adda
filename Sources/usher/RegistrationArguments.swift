// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol

/// The arguments of `usher remote register` on a machine that has nothing of Usher but this program.
enum RegistrationArguments {
  /// The arguments of a call.
  case valid(RegistrationCall)
  /// The reason why the arguments are wrong.
  case invalid(String)

  /// Parses the words of a call, the program's name first; `nil` if it is another subcommand.
  init?(_ words: [String]) {
    guard words.count > 2, words[1] == "remote", words[2] == "register" else { return nil }
    var call = RegistrationCall()
    var rest = words[3...]
    while let word = rest.popFirst() {
      if word == "--" {
        call.command = Array(rest)
        break
      }
      let text = word.utf8
      guard text.starts(with: "--".utf8) else {
        guard call.scheme.isEmpty else {
          self = .invalid("unexpected argument '\(word)'; write -- before a command")
          return
        }
        call.scheme = word
        continue
      }
      let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
      switch (String(Substring(text[..<end])), end < text.endIndex) {
      case ("--once", false): call.isForOneLink = true
      case (let name, let hasValue) where ["--timeout", "--open"].contains(name):
        let given = hasValue ? String(Substring(text[text.index(after: end)...])) : rest.popFirst()
        guard let value = given, !value.isEmpty else {
          self = .invalid("\(name) needs a value")
          return
        }
        if name == "--open" {
          call.firstURL = value
          continue
        }
        guard let seconds = Double(value), RegistrationCall.timeouts.contains(seconds) else {
          self = .invalid("--timeout must be from 0.001 to 86400 seconds")
          return
        }
        call.timeout = seconds
      default:
        self = .invalid("unknown option '\(word)'")
        return
      }
    }
    guard !call.scheme.isEmpty else {
      self = .invalid(
        "no scheme is given; usage: usher remote register [--once] [--open URL] SCHEME [-- COMMAND ...]")
      return
    }
    self = .valid(call)
  }
}
