import ArgumentParser
import Freedesktop
import Launching

/// `usher unregister`: takes Usher out of the way of a scheme.
struct UnregisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unregister",
    abstract: "Takes a registration back; what was there before is there again.",
    discussion: """
      Only what Usher wrote and what is still there goes: where another program has taken the scheme meanwhile, its \
      choice stays.

      Examples:
        usher unregister --scheme notes
        usher unregister org.example.Notes
      """)

  @Argument(
    help: ArgumentHelp("The application; whichever Usher stands before when left out.", valueName: "id"))
  var application: ApplicationID?

  @Option(help: ArgumentHelp("A scheme; all of the application's when left out.", valueName: "scheme"))
  var scheme: [URLScheme] = []

  func validate() throws {
    guard application != nil || !scheme.isEmpty else {
      throw ValidationError("Say which links: --scheme notes, or an application's ID.")
    }
  }

  func run() throws {
    var reasons: [String] = []
    do throws(FreedesktopError) { try unregister() } catch { reasons = [error.description] }
    try Failure.report(reasons)
  }

  private func unregister() throws(FreedesktopError) {
    let environment = LaunchEnvironment.current()
    let registration = Registration(
      directories: BaseDirectories(environment: environment),
      programs: ProgramSearch(path: environment["PATH"]))
    let schemes =
      scheme.isEmpty
      ? registration.handlers().filter { $0.isThroughUsher && $0.application == application }.map(\.scheme)
      : scheme
    let plan = try registration.plan(unregistering: application, from: schemes)
    try plan.edits.apply()
    let handlers = registration.handlers()
    for scheme in plan.schemes {
      let next = handlers.first { $0.scheme == scheme }?.application?.rawValue
      Console.say("\(scheme): links are opened by \(next ?? "nobody") now")
    }
    for scheme in schemes where !plan.schemes.contains(scheme) {
      Console.warn("\(scheme): was not registered through Usher\(application.map { " for \($0)" } ?? "")")
    }
    if schemes.isEmpty, let application { Console.warn("\(application) has no scheme through Usher") }
  }
}
