import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching

/// Which application is meant: one that is installed, a desktop file, or a program without one.
struct ApplicantArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("An installed application, or a desktop file.", valueName: "id|file.desktop"),
    completion: Completions.applicants)
  var application: String?

  @Option(help: ArgumentHelp("A name for a program that has no desktop entry.", valueName: "name"))
  var name: String?

  @Option(help: ArgumentHelp("Its command, as in a desktop entry; %u is the URL.", valueName: "command"))
  var exec: String?

  @Option(
    help: ArgumentHelp(
      "The ID to give it, for a file or a --name: so a development build stands beside a release.",
      valueName: "id"))
  var id: ApplicationID?

  func validate() throws {
    guard (name == nil) == (exec == nil) else {
      throw ValidationError("--name and --exec go together, for a program that has no desktop entry")
    }
    guard application == nil || name == nil else {
      throw ValidationError("give an application's ID, or its desktop file, or --name and --exec")
    }
    guard id == nil || name != nil || namesFile else {
      throw ValidationError("--id is for a desktop file, or --name and --exec; what is installed has its ID")
    }
  }

  /// The application that these say; `nil` when they say none.
  func applicant() throws(FreedesktopError) -> Applicant? {
    if let name, let exec {
      let words = try Self.words(of: exec)
      guard var line = ListenLine(words) else { return .program(name: name, command: words, id: id) }
      guard (id ?? line.application) == line.application else {
        throw .invalidExec(
          exec, reason: "it listens as \(line.application), and --id says another application")
      }
      if let program = line.program { line.program = try Self.path(of: program) }
      return .program(
        name: name, command: line.words, id: line.application,
        implements: [Application1Interface.name.rawValue])
    }
    guard let text = application else { return nil }
    if namesFile {
      // The folder may be reached by a link; its real path is what the applications folders are compared with.
      guard let real = realpath(text, nil) else {
        throw .cannotRead(path: text, reason: String(cString: strerror(errno)))
      }
      defer { free(real) }
      return .file(text.hasPrefix("/") ? text : String(cString: real), id: id)
    }
    guard let id = UserEnvironment.application(text) else { throw .invalidApplicationID(text) }
    return .installed(id)
  }

  private var namesFile: Bool {
    guard let application else { return false }
    return application.contains("/") || application.hasSuffix(".desktop") && access(application, F_OK) == 0
  }

  /// The words of a command, with its field codes left in them.
  private static func words(of command: String) throws(FreedesktopError) -> [String] {
    let line = try ExecLine(command)
    _ = try line.warningsOfRegistering(command)
    return ListenLine.words(of: line)
  }

  /// The whole path of the program behind `usher listen` where it was given by one: what starts it is elsewhere.
  private static func path(of program: String) throws(FreedesktopError) -> String {
    let found = try UserEnvironment.path(of: program)
    return program.contains("/") ? found : program
  }
}
