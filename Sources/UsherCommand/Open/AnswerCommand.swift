// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import Freedesktop
import Launching

/// The command `usher answer`, which the desktop starts for a URL of `usher-callback:`, and which passes it to the waiting command.
struct AnswerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer", abstract: "Pass an answer to the command that waits for it.",
    shouldDisplay: false)

  @Argument(help: ArgumentHelp("Pass on this answer.", valueName: "url"))
  var url: String

  func run() throws {
    guard let address = CallbackAddress.read(url)?.address, address.scheme == CallbackAddress.commandScheme
    else { throw ValidationError("the URL is not an answer to a waiting command") }
    // Exits with 0 in any case, because an opener would try the next program after a failure.
    if CallbackSocket.deliver(url, to: address, in: Self.runtimeDirectory) {
      guard url.utf8.count > CallbackSocket.maximumSize else { return }
      let limit = CallbackSocket.maximumSize >> 10
      Console.warn("the answer is longer than \(limit) KiB; the waiting command gets an error instead")
    } else {
      Console.warn("no command waits for this answer: it arrived too late or a second time")
    }
  }

  /// The directory of the sockets at which commands wait for answers.
  static var runtimeDirectory: String? { UserEnvironment.directories.runtimeDirectory }
}
