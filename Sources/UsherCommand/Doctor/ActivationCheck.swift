import Freedesktop

/// What keeps the bus from starting an application whose entry says that it may.
struct ActivationCheck {
  /// What is wrong, as a sentence.
  let message: String
  /// What to type.
  let command: String
  /// The activation file, where there is one, and its line.
  var file: String?
  var line: Int?

  /// `nil` where the entry asks for nothing, or the bus can do it.
  static func obstacle(
    to entry: DesktopEntry, of id: ApplicationID, _ services: [ActivationFile],
    _ directories: BaseDirectories,
    _ programs: ProgramSearch
  ) -> ActivationCheck? {
    guard entry.isDBusActivatable, id.busName != nil else { return nil }
    if let service = services.first(where: { $0.name == id.rawValue }) {
      return obstacle(to: service, programs)
    }
    if let service = services.first(where: { $0.path.hasSuffix("/\(id).service") }) {
      return ActivationCheck(
        message:
          "has Name=\(service.name ?? ""), which must be \(id), letter by letter, for the bus to start it",
        command: Shell.command("sed", "-i", "s/^Name *=.*/Name=\(id)/", service.path), file: service.path,
        line: service.nameLine)
    }
    let directory = directories.dataHome + "/dbus-1/services"
    let path = "\(directory)/\(id).service"
    let lines = ["[D-BUS Service]", "Name=\(id)", "Exec=\(exec(entry, programs))"]
    return ActivationCheck(
      message:
        "no activation file lets the bus start \(id), so GIO cannot start it: that is \(path) with the lines "
        + lines.joined(separator: " / "),
      command: Shell.command("mkdir", "-p", directory) + " && printf '%s\\n' "
        + lines.map(Shell.word).joined(separator: " ") + " > " + Shell.word(path))
  }

  /// A file is there: whether its program is.
  private static func obstacle(to service: ActivationFile, _ programs: ProgramSearch) -> ActivationCheck? {
    guard let program = service.program, programs.find(program) == nil else { return nil }
    if let path = programs.notExecutable(program) {
      return ActivationCheck(
        message: "the bus starts \(path), which is there, but may not be executed",
        command: Shell.command("chmod", "+x", path), file: service.path, line: service.line)
    }
    return ActivationCheck(
      message: "the bus starts \(program), which is not there",
      command: Shell.edit(service.path, at: service.line), file: service.path, line: service.line)
  }

  /// The entry's command without places for URLs, its program by its whole path.
  private static func exec(_ entry: DesktopEntry, _ programs: ProgramSearch) -> String {
    guard let line = entry.exec.flatMap({ try? ExecLine($0) }), let program = line.program else {
      return "/where/it/is"
    }
    let rest = line.arguments.dropFirst().compactMap { argument -> String? in
      var text = ""
      for piece in argument.pieces {
        guard case .text(let part) = piece else { return nil }
        text += part
      }
      return text
    }
    return ([programs.find(program) ?? program] + rest).map(Shell.word).joined(separator: " ")
  }
}
