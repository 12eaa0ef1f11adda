// SPDX-License-Identifier: Apache-2.0
/// The programs with which desktop entries are started: their own, and the terminal emulator for those that need one.
public struct LaunchPrograms: Sendable {
  /// The search path of programs.
  public let programs: ProgramSearch
  private let directories: BaseDirectories
  private let catalog: ApplicationCatalog
  private let files: any FileReading

  /// Creates the programs of a desktop.
  public init(
    _ programs: ProgramSearch, catalog: ApplicationCatalog, directories: BaseDirectories,
    files: some FileReading = LocalFiles()
  ) {
    self.programs = programs
    self.catalog = catalog
    self.directories = directories
    self.files = files
  }

  /// Returns the beginning of a command line that runs a program in a terminal emulator; `nil` if none is installed.
  ///
  /// The program and its arguments are appended, each as an argument of its own. In this order, the terminal emulator is
  /// - `xdg-terminal-exec`, which implements the Default Terminal Execution Specification,
  /// - the one that this specification chooses, from `xdg-terminals.list` and the desktop entries,
  /// - a known one, that of the current desktop first,
  /// - Debian's `x-terminal-emulator`, then `xterm`.
  public func terminal() -> [ProgramArgument]? {
    if let program = programs.find("xdg-terminal-exec") { return [ProgramArgument(program)] }
    return TerminalList(directories: directories, files: files).terminal(
      in: catalog, programs, on: directories.currentDesktops)
      ?? KnownTerminal.find(programs, on: directories.currentDesktops)
  }
}
