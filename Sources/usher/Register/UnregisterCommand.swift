import ArgumentParser
import Freedesktop

/// `usher unregister`: takes Usher out of the way of a scheme.
struct UnregisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unregister",
    abstract: "Takes a registration back; what was there before is there again.",
    discussion: """
      Only what Usher wrote and what is still there goes: where another program has taken the scheme meanwhile, its \
      choice stays. What a registration left that was cut off half-way goes as well. Exit status: 0 done, or there \
      was nothing to do, 1 a file cannot be read or written.

      Examples:
        usher unregister --scheme notes
        usher unregister org.example.Notes
      """)

  @Argument(
    help: ArgumentHelp("The application; whichever was registered last when left out.", valueName: "id"))
  var application: ApplicationID?

  @Option(help: ArgumentHelp("A scheme; all of the application's when left out.", valueName: "scheme"))
  var scheme: [URLScheme] = []

  func validate() throws {
    guard application != nil || !scheme.isEmpty else {
      throw ValidationError("Say which links: --scheme notes, or an application's ID.")
    }
  }

  func run() throws {
    let desk = RegistrationDesk()
    var reasons: [String] = []
    do throws(FreedesktopError) {
      try desk.change { () throws(FreedesktopError) in try unregister(at: desk.registration) }
    } catch {
      reasons = [error.description]
    }
    try Failure.report(reasons)
  }

  private func unregister(at registration: Registration) throws(FreedesktopError) {
    var schemes = scheme
    if schemes.isEmpty, let application { schemes = registration.schemes(registeredFor: application) }
    let plan = try registration.plan(unregistering: application, from: schemes)
    try plan.edits.apply()
    let handlers = registration.handlers()
    for scheme in plan.schemes {
      let next = handlers.first { $0.scheme == scheme }?.application?.rawValue
      Console.say("\(scheme): links are opened by \(next ?? "nobody") now")
    }
    for scheme in schemes where !plan.schemes.contains(scheme) {
      Console.warn("\(scheme): was not registered with Usher\(application.map { " for \($0)" } ?? "")")
    }
    if schemes.isEmpty, let application { Console.warn("\(application) has no scheme from Usher") }
  }
}
