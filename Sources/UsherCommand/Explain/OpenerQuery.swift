// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Launching
import Systemd

/// A desktop tool that reports the application with which it would open something.
struct OpenerQuery {
  /// The command without its last argument, the subject.
  private(set) var command: [String]
  /// The name of the tool in other versions of the desktop.
  private var otherName: String?
  /// Indicates whether the tool reports a MIME type instead of an application.
  private(set) var isAboutType = false
  /// The basis of its answer, for a user who sees a different answer.
  let reason: String
  /// Returns the ID in an output, given the applications directories, highest precedence first.
  private let read: @Sendable (_ output: String, _ directories: [String]) -> String?

  /// The result of a query.
  enum Answer: Equatable {
    /// The tool is not installed.
    case missing
    /// The tool gave no answer in time.
    case timedOut
    /// The tool could not be executed, was killed, or its output is too long; the clause says which, with a command to try.
    case failed(String)
    /// The tool names a desktop file or type; `nil` for none.
    case names(String?)
  }

  /// Returns the query with the other name of its tool if only that one is installed.
  func named(in programs: ProgramSearch) -> OpenerQuery {
    guard let otherName, programs.find(command[0]) == nil, programs.find(otherName) != nil else {
      return self
    }
    var query = self
    query.command[0] = otherName
    return query
  }

  /// Starts a query about `question` in an environment; several can run in parallel.
  func ask(
    _ question: String, _ programs: ProgramSearch, in own: [String: String] = LaunchEnvironment.current()
  ) -> Question {
    let command = command + [question]
    guard let path = programs.find(command[0]) else {
      return Question(isInstalled: false, command: command, output: nil) { _ in nil }
    }
    let directories = BaseDirectories(environment: own).applicationDirectories
    let program = ProcessConfiguration(
      executable: path, arguments: command,
      // Before glibc 2.39, LANGUAGE selects a translation for C.UTF-8, too.
      environment: own.merging(["LC_ALL": "C.UTF-8", "LANGUAGE": ""]) { $1 })
    return Question(isInstalled: true, command: command, output: ProgramOutput(program)) {
      read($0, directories)
    }
  }

  /// A started query.
  struct Question {
    fileprivate let isInstalled: Bool
    fileprivate let command: [String]
    fileprivate let output: ProgramOutput?
    fileprivate let read: @Sendable (String) -> String?

    /// Returns the answer; can be called once.
    func answer(by deadline: ContinuousClock.Instant) -> Answer {
      guard isInstalled else { return .missing }
      let ending = output?.ending(by: deadline)
      if let failure = ending.failure {
        return .failed("it \(failure); to see why, run: \(Shell.command(command))")
      }
      // The tools also exit with other statuses than 0 if there is no default.
      guard case .ended(_, let output) = ending else { return .timedOut }
      return .names(read(output))
    }
  }

  /// The query to GIO, which GTK programs, GNOME and most file managers use.
  static let gio = OpenerQuery(
    command: ["gio", "mime"],
    reason: "programs that use GIO (GNOME, most file managers) use only the desktop's lists"
  ) { output, _ in
    // Example: Default application for “x-scheme-handler/notes”: org.example.Notes.desktop
    let line = output.split(separator: "\n").first { $0.hasPrefix("Default application for") }
    guard let line, let colon = line.lastIndex(of: ":") else { return nil }
    return String(line[line.index(after: colon)...].drop { $0 == " " })
  }

  /// The query of `xdg-open` on a desktop that it does not know.
  static let xdgMime = OpenerQuery(
    command: ["xdg-mime", "query", "default"],
    reason:
      "xdg-open uses it on desktops that it does not know; it reads only the first name of a line, does not lowercase "
      + "the scheme, and ignores [Added Associations], "
      + "[Removed Associations] and parent types"
  ) { output, _ in output.split(separator: "\n").first.map(String.init) }

  /// The query to KDE, which its programs and `xdg-open` in a KDE session use; Plasma 6 has no such tool.
  static let kde = OpenerQuery(
    command: ["ktraderclient5", "--servicetype", "Application", "--mimetype"],
    reason:
      "KDE's programs, and xdg-open under KDE, use KDE's own cache of desktop entries; run: kbuildsycoca5"
  ) { output, directories in
    // The best offer is first, for example: DesktopEntryPath : '/usr/share/applications/kde/okular.desktop'
    let head = "DesktopEntryPath : '"
    guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix(head) && $0.hasSuffix("'") })
    else { return nil }
    let path = line.dropFirst(head.count).dropLast()
    let relative = directories.first { path.hasPrefix($0 + "/") }.map { path.dropFirst($0.utf8.count + 1) }
    return relative.flatMap { ApplicationID(pathInApplications: String($0)) }?.desktopFileName
      ?? path.split(separator: "/").last.map(String.init)
  }

  /// The query to KDE for the MIME type of a file; Plasma 6 need not have the name with a version.
  static let kdeType = OpenerQuery(
    command: ["kmimetypefinder5"], otherName: "kmimetypefinder", isAboutType: true,
    reason: "KDE's programs, and xdg-open under KDE, detect another file type"
  ) { output, _ in output.split(separator: "\n").first { $0.contains("/") }.map(String.init) }
}
