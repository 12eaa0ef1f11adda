// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching

/// The application to register: an installed one, a desktop file, or a program without a desktop file.
struct ApplicantArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Register an installed application, given by its ID, a desktop file, or an AppImage.",
      valueName: "id|file"),
    completion: Completions.applicants)
  var application: String?

  @Option(help: ArgumentHelp("Set the name of a program without a desktop entry.", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Run this command, as in a desktop entry; %u stands for the URL.", valueName: "command"))
  var exec: String?

  @Option(
    help: ArgumentHelp(
      "Give a desktop file, an AppImage or a --name this ID, for example for a development build beside a release.",
      valueName: "id"))
  var id: ApplicationID?

  func validate() throws {
    guard (name == nil) == (exec == nil) else {
      throw ValidationError(
        "--name and --exec must be given together; they describe a program without a desktop entry")
    }
    guard application == nil || name == nil else {
      throw ValidationError("an application is given, and --name and --exec too; leave out one of them")
    }
    guard id == nil || name != nil || namesFile else {
      throw ValidationError(
        "--id needs a desktop file, an AppImage, or --name and --exec; an installed application already has an ID"
      )
    }
  }

  /// Returns the application that the arguments name; `nil` if they name none.
  func applicant() throws(FreedesktopError) -> Applicant? {
    if let name, let exec {
      let words = try Self.words(of: exec)
      guard var line = ListenLine(words) else { return .program(name: name, command: words, id: id) }
      guard (id ?? line.application) == line.application else {
        throw .invalidExec(
          exec, reason: "it runs usher listen \(line.application), but --id names another application")
      }
      if let program = line.program { line.program = try Self.path(of: program) }
      return .program(
        name: name, command: line.words, id: line.application,
        implements: [Application1Interface.name.rawValue])
    }
    guard let text = application else { return nil }
    if namesFile {
      // The real path is used, because it is compared with the applications directories and may contain symbolic links.
      guard let real = realpath(text, nil) else {
        throw .cannotRead(path: text, reason: String(cString: strerror(errno)))
      }
      defer { free(real) }
      if let image = appImage { return .appImage(image, try AppImageExtraction.entry(of: image), id: id) }
      return .file(text.hasPrefix("/") ? text : String(cString: real), id: id)
    }
    guard let id = UserEnvironment.application(text) else { throw .invalidApplicationID(text) }
    return .installed(id)
  }

  /// The AppImage that the argument names by its path; `nil` if it names none.
  ///
  /// Its real path is used, because the entry must lead to the file from any directory.
  var appImage: AppImage? {
    guard let application, let real = realpath(application, nil) else { return nil }
    defer { free(real) }
    return AppImage(at: String(cString: real))
  }

  private var namesFile: Bool {
    guard let application else { return false }
    return appImage != nil || application.contains("/")
      || application.hasSuffix(".desktop") && access(application, F_OK) == 0
  }

  /// Returns the words of a command, including their field codes.
  private static func words(of command: String) throws(FreedesktopError) -> [String] {
    let line = try ExecLine(command)
    _ = try line.warningsOfRegistering(command)
    return line.words
  }

  /// Returns the absolute path of the program after `usher listen` if it was given by a path, because its working directory differs.
  private static func path(of program: String) throws(FreedesktopError) -> String {
    let found = try UserEnvironment.path(of: program)
    return program.contains("/") ? found : program
  }
}
