// SPDX-License-Identifier: Apache-2.0
import BrokerCore
public import Freedesktop

/// Conversion of a desktop entry and URLs into the programs to start.
public enum EntryLaunch {
  /// Returns the launches with which an application opens `urls`.
  ///
  /// There is one launch, or one for each URL if the Exec line accepts only one URL (Desktop Entry Specification, "The
  /// Exec key"). Without URLs, the application starts as from a menu. With `action`, the Exec line of that action is
  /// used.
  ///
  /// - Throws: `LaunchError` if the entry has no valid Exec line, its program is not found, or it needs a terminal and
  ///   none is installed.
  public static func launches(
    of entry: DesktopEntry, id: ApplicationID, opening urls: [String], performing action: String? = nil,
    programs launchPrograms: LaunchPrograms
  ) throws(LaunchError) -> [Launch] {
    let programs = launchPrograms.programs
    guard let exec = action.map({ entry.action($0)?.exec }) ?? entry.exec else {
      let whose = action.map { "its desktop entry's action “\($0)”" } ?? "its desktop entry"
      throw LaunchError(id.rawValue, "\(whose) has no Exec line")
    }
    let line: ExecLine
    do { line = try ExecLine(exec) } catch { throw LaunchError(id.rawValue, "\(error)") }
    // A URL determines what is opened, and must never determine which program runs.
    guard let name = line.program else {
      throw LaunchError(id.rawValue, "its Exec line begins with a field code instead of a program")
    }
    let commands: [[ProgramArgument]]
    do { commands = try line.expand(urls, facts: ExecLine.Facts(of: entry)) } catch {
      let group = action.map { "Desktop Action \($0)" } ?? DesktopEntry.group
      let place = [entry.path, entry.file.line(of: "Exec", in: group).map { "\($0)" }].compactMap(\.self)
      throw LaunchError(id.rawValue, "\(place.isEmpty ? "" : place.joined(separator: ":") + ": ")\(error)")
    }
    var launches: [Launch] = []
    for arguments in commands {
      guard let program = programs.find(name, workingDirectory: entry.workingDirectory) else {
        throw LaunchError(name, "it \(programs.whyNotFound(name, workingDirectory: entry.workingDirectory))")
      }
      var command = [ProgramArgument(program)] + arguments.dropFirst()
      if entry.needsTerminal {
        guard let terminal = launchPrograms.terminal() else {
          throw LaunchError(
            id.rawValue, "it needs a terminal, but none is installed (install xdg-terminal-exec or xterm)")
        }
        command = terminal + command
      }
      launches.append(
        Launch(
          application: id.rawValue, title: entry.name() ?? id.rawValue, entry: entry.path, arguments: command,
          workingDirectory: entry.workingDirectory))
    }
    return launches
  }
}
