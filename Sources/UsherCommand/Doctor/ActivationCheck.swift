// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// The obstacle that prevents the bus from starting an application whose entry says `DBusActivatable=true`.
struct ActivationCheck {
  /// The problem, as a sentence.
  let message: String
  /// The command that fixes it.
  let command: String
  /// The activation file and its line, if there is one.
  var file: String?
  var line: Int?

  /// Returns the obstacle; `nil` if the entry does not request activation, or if the bus can activate it.
  static func obstacle(
    to entry: DesktopEntry, of id: ApplicationID, services: [ActivationFile],
    directories: BaseDirectories,
    programs: ProgramSearch
  ) -> ActivationCheck? {
    guard entry.isDBusActivatable, id.busName != nil else { return nil }
    if let service = services.first(where: { $0.name == id.rawValue }) {
      return obstacle(to: service, programs)
    }
    if let service = services.first(where: { $0.path.hasSuffix("/\(id).service") }) {
      return ActivationCheck(
        message:
          "has Name=\(service.name ?? ""), which must be exactly \(id), otherwise the bus cannot start it",
        command: Shell.command("sed", "-i", "s/^Name *=.*/Name=\(id)/", service.path), file: service.path,
        line: service.nameLine)
    }
    let directory = directories.dataHome + "/dbus-1/services"
    let path = "\(directory)/\(id).service"
    let lines = ["[D-BUS Service]", "Name=\(id)", "Exec=\(exec(entry, programs))"]
    return ActivationCheck(
      message:
        "the bus has no activation file for \(id), so GIO cannot start it; create \(path) with the lines "
        + lines.joined(separator: " / "),
      command: Shell.command("mkdir", "-p", directory) + " && printf '%s\\n' "
        + lines.map(Shell.word).joined(separator: " ") + " > " + Shell.word(path))
  }

  /// Returns the obstacle of an existing activation file: its program cannot be executed.
  private static func obstacle(to service: ActivationFile, _ programs: ProgramSearch) -> ActivationCheck? {
    guard let program = service.program, programs.find(program) == nil else { return nil }
    if let path = programs.notExecutable(program) {
      return ActivationCheck(
        message: "the activation file names \(path), which is not executable",
        command: Shell.command("chmod", "+x", path), file: service.path, line: service.line)
    }
    return ActivationCheck(
      message: "the activation file names \(program), which does not exist",
      command: Shell.edit(service.path, at: service.line), file: service.path, line: service.line)
  }

  /// Returns the entry's command without field codes, with the absolute path of its program.
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
