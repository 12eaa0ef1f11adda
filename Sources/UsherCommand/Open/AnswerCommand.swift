import ArgumentParser
import BusInterfaces
import Freedesktop
import Launching

/// `usher answer`: what the desktop starts with a link of `usher-callback:`; brings it to the command that waits for it.
struct AnswerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer", abstract: "Brings an answer to the command that waits for it.",
    shouldDisplay: false)

  @Argument(help: ArgumentHelp("The answer.", valueName: "url"))
  var url: String

  func run() throws {
    guard let address = CallbackAddress.read(url)?.address, address.scheme == CallbackAddress.commandScheme
    else { throw ValidationError("that is no answer to a command") }
    guard !CallbackSocket.bring(url, to: address, in: Self.runtimeDirectory) else { return }
    // An opener would try the next program where this fails.
    Console.warn("nobody waits for this answer: it came too late, or again")
  }

  /// Where answers are waited for.
  static var runtimeDirectory: String? { UserEnvironment.directories.runtimeDirectory }
}
