import ArgumentParser
import Freedesktop
import Glibc
import Launching

/// `usher register`: makes an application the one that opens a scheme.
struct RegisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register",
    abstract: "Makes an application the one that opens a scheme's links.",
    discussion: """
      The application's own desktop entry gets the scheme, and your mimeapps.list gets Usher in front of it; what was \
      the default before stays behind it. Then gio and xdg-mime are asked: when they do not answer as intended, \
      everything is put back.

      Examples:
        usher register org.example.Notes --scheme notes
        usher register ./org.example.Notes.desktop --scheme notes
        usher register --name "My Notes" --exec "my-notes --open %u" --scheme notes
      """)

  @Argument(
    help: ArgumentHelp("An installed application, or a desktop file.", valueName: "id|file.desktop"),
    completion: .file(extensions: ["desktop"]))
  var application: String?

  @Option(help: ArgumentHelp("A name for a program that has no desktop entry.", valueName: "name"))
  var name: String?

  @Option(help: ArgumentHelp("Its command, as in a desktop entry; %u is the URL.", valueName: "command"))
  var exec: String?

  @Option(help: ArgumentHelp("A scheme, as notes; may be given more than once.", valueName: "scheme"))
  var scheme: [URLScheme] = []

  func validate() throws {
    guard !scheme.isEmpty else { throw ValidationError("Say which links: --scheme notes") }
    guard (name == nil) == (exec == nil) else {
      throw ValidationError("--name and --exec go together, for a program that has no desktop entry.")
    }
    guard (application == nil) != (name == nil) else {
      throw ValidationError("Give an application's ID, or its desktop file, or --name and --exec.")
    }
  }

  func run() throws {
    let reasons: [String]
    do throws(FreedesktopError) { reasons = try register() } catch { reasons = [error.description] }
    try Failure.report(reasons)
  }

  /// Why it was not done; empty when it was.
  private func register() throws(FreedesktopError) -> [String] {
    let environment = LaunchEnvironment.current()
    let programs = ProgramSearch(path: environment["PATH"])
    let directories = BaseDirectories(environment: environment)
    let registration = Registration(directories: directories, programs: programs)
    if let obstacle = Self.missingHandler(directories, programs) { return [obstacle] }
    let plan = try registration.plan(registering: try applicant(), for: scheme)
    guard plan.disagreements.isEmpty else {
      return plan.disagreements.map(\.description) + [
        "nothing was written; mend that list, or choose another scheme"
      ]
    }
    try plan.edits.apply()
    let proof = RegistrationProof(of: plan, by: registration, programs)
    guard proof.failures.isEmpty else {
      try plan.edits.reversed.apply()
      return proof.failures + ["all files are as they were before"]
    }
    let application = plan.application?.rawValue ?? ""
    for warning in plan.warnings { Console.warn("\(application): \(warning.sentence)") }
    for warning in proof.warnings { Console.warn(warning) }
    for scheme in plan.schemes { Console.say("\(scheme): links are opened by \(application) now") }
    return []
  }

  /// What is wrong with Usher's own entry, without which every program would pass us over.
  private static func missingHandler(_ directories: BaseDirectories, _ programs: ProgramSearch) -> String? {
    let (entry, refused) = ApplicationCatalog(directories: directories).load(
      .usherHandler, programs: programs)
    guard entry == nil else { return nil }
    let advice = "install Usher where one of XDG_DATA_HOME and XDG_DATA_DIRS leads (make install PREFIX=…)"
    guard let (location, refusal) = refused.first else {
      return "\(ApplicationID.usherHandler.desktopFileName) is in no applications folder; \(advice)"
    }
    return "\(location.path) cannot be used: \(refusal); \(advice)"
  }

  private func applicant() throws(FreedesktopError) -> Applicant {
    if let name, let exec { return .program(name: name, command: try Self.words(of: exec)) }
    let text = application ?? ""
    if text.contains("/") || text.hasSuffix(".desktop") && access(text, F_OK) == 0 {
      // The folder may be reached by a link; its real path is what the applications folders are compared with.
      guard let real = realpath(text, nil) else {
        throw .cannotRead(path: text, reason: String(cString: strerror(errno)))
      }
      defer { free(real) }
      return .file(text.hasPrefix("/") ? text : String(cString: real))
    }
    guard let id = ApplicationID(text) else { throw .invalidApplicationID(text) }
    return .installed(id)
  }

  /// The words of a command, with its field codes left in them.
  private static func words(of command: String) throws(FreedesktopError) -> [String] {
    try ExecLine(command).arguments.map { argument in
      argument.pieces.map { piece in
        switch piece {
        case .text(let text):
          text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
        case .code(let code): "%\(code.rawValue)"
        }
      }.joined()
    }
  }
}
