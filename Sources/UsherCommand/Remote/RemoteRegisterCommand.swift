// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import RemoteProtocol

/// The command `usher remote register`, which receives links of the desktop on another machine.
struct RemoteRegisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register",
    abstract: "On another machine: receive the links of a scheme from the desktop that has connected it.",
    usage: "usher remote register [<option> ...] <scheme> [-- <word> ...]",
    discussion: HelpText.discussion(
      """
      The desktop asks its user each time. Then, until this command ends, the desktop sends links of the scheme here: the command \
      prints each URL on a line, or runs a program with the URL as its last argument, one link after the other. A link counts as \
      handled when it is printed, or when the program exits with 0. The scheme must be a reverse domain name, such as \
      com.example.tool, that no application and no route of the desktop opens.
      """,
      exit: [
        0: "a link has arrived and was passed on (--once)", 1: "the link was not passed on (--once)",
        3: "the user or a rule of the desktop refused it", 5: "the connection to the desktop was lost",
        8: "the machine has registered eight schemes", 64: "the arguments are wrong",
        69: "no desktop can be reached, or it cannot register schemes",
        73: "standard output cannot be written (--once)",
      ],
      examples: [
        "Sign in at a site that redirects to com.example.tool, and print the answer":
          "usher remote register --once --open https://login.example/ com.example.tool",
        "Run a program for each link": "usher remote register com.example.editor -- editor --open",
      ]))

  @Flag(help: "End after the first link.")
  var once = false

  @Option(help: ArgumentHelp("Open this URL on the desktop when the scheme is registered.", valueName: "url"))
  var open: String?

  @Option(
    help: ArgumentHelp("Wait at most this long for the user's answer (default: 120).", valueName: "seconds"))
  var timeout: Double?

  @Argument(
    help: ArgumentHelp("Receive links of this scheme, such as com.example.tool.", valueName: "scheme"))
  var scheme: String

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Run this program with each URL, instead of printing it.", valueName: "word"))
  var words: [String] = []

  func validate() throws {
    guard open?.isEmpty != true else { throw ValidationError("--open needs a value") }
    if let timeout, !RegistrationCall.timeouts.contains(timeout) {
      throw ValidationError("--timeout must be from 0.001 to 86400 seconds")
    }
  }

  func run() throws {
    var call = RegistrationCall()
    call.scheme = scheme
    call.isForOneLink = once
    call.timeout = timeout ?? call.timeout
    call.command = words
    call.firstURL = open
    let status = call.carryOut { getenv($0).map { String(cString: $0) } }
    if status != 0 { throw ExitCode(status) }
  }
}
