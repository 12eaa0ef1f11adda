import ArgumentParser
import BusInterfaces
import Freedesktop

/// The options for another caller and for a click.
struct ExplainedCallerOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Decide as for this caller: an application's ID with :claimed (where nothing follows), :executable, :unit or :sandbox; or unknown, a program that cannot be named.",
      valueName: "id[:assurance]"),
    completion: Completions.applications)
  var caller: String?

  @Flag(help: "With --as: the caller is in a sandbox; with :sandbox it is anyway.")
  var sandboxed = false

  @Option(
    help: ArgumentHelp(
      "With --as ID: who can change what is installed of it, system (root alone) or user; if absent, as it is here.",
      valueName: "owner"), completion: .list(InstalledBy.allCases.map(\.rawValue)))
  var installed: String?

  @Flag(help: "Decide as if the user had clicked the link; a sandboxed caller's click does not count.")
  var clicked = false

  /// Returns the caller that `--as` names; `nil` without that option.
  ///
  /// - Throws: `ValidationError` if the text names no caller.
  func explained() throws -> ExplainedCaller? {
    let installedBy = installed.flatMap(InstalledBy.init(rawValue:))
    guard installed == nil || installedBy != nil else {
      throw ValidationError("--installed is system or user")
    }
    guard let caller else {
      if installed != nil {
        throw ValidationError("--installed says what is installed of the application of --as: name one")
      }
      if sandboxed {
        throw ValidationError("--sandboxed says how the caller of --as asks: write --as unknown, or an ID")
      }
      return nil
    }
    let isSandboxed = sandboxed ? true : nil
    if caller == "unknown" {
      guard installed == nil else {
        throw ValidationError("--installed says what is installed of an application, and --as names none")
      }
      return try ExplainedCaller(application: nil, isSandboxed: isSandboxed)
    }
    let colon = caller.lastIndex(of: ":")
    let id = String(caller[..<(colon ?? caller.endIndex)])
    let word = colon.map { String(caller[caller.index(after: $0)...]) }
    guard ApplicationID(id) != nil else {
      throw ValidationError("--as takes an application's ID, as org.example.Chat:unit, or unknown")
    }
    let assurance = word.map(Assurance.init(rawValue:)) ?? .claimed
    guard let assurance, assurance != .unknown else {
      throw ValidationError(
        "an application is known as claimed, executable, unit or sandbox, and not as \(word ?? "")")
    }
    guard installedBy != .system || assurance != .claimed else {
      throw ValidationError(
        "an application that only claims its name is not known to be the system's: write --as \(id):executable"
      )
    }
    return try ExplainedCaller(
      application: id, assurance: assurance, isSandboxed: isSandboxed, installedBy: installedBy)
  }
}
