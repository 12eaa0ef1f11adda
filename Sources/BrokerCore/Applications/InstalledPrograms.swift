// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Synchronization

/// An index of the programs that the installed applications start.
///
/// An entry whose file did not change is not read again.
final class InstalledPrograms: Sendable {
  /// A program as an Exec line names it.
  private struct Program: Hashable {
    let name: String
    let workingDirectory: String?
  }

  /// The program of an entry with the status of its file; the program is `nil` if the entry starts nothing.
  private struct Reading {
    let status: FileStatus
    let program: Program?
  }

  private struct Installed {
    let id: ApplicationID
    let path: String
    var reading: Reading?
  }

  private let catalog: ApplicationCatalog
  private let search: ProgramSearch
  /// The applications in the order of their IDs; `nil` until the first lookup.
  private let known = Mutex<[Installed]?>(nil)

  init(of catalog: ApplicationCatalog, foundBy search: ProgramSearch) {
    self.catalog = catalog
    self.search = search
  }

  /// Returns the applications that start the given file, in the order of their IDs.
  ///
  /// - Parameter file: The identifier that `ProgramSearch.file(at:)` returns.
  func owners(of file: String) -> [ApplicationID] {
    known.withLock { known in
      var installed = known ?? entries
      // A second reference would copy the array when it changes.
      known = nil
      defer { known = installed }
      // Many entries may name one program, such as the web applications of a browser, so results are cached by program.
      var matches: [Program: Bool] = [:]
      var owners: [ApplicationID] = []
      for index in installed.indices {
        guard let program = program(of: &installed[index]) else { continue }
        let isIt = matches[program] ?? isFound(program, as: file)
        matches[program] = isIt
        if isIt { owners.append(installed[index].id) }
      }
      return owners
    }
  }

  private var entries: [Installed] {
    catalog.ids.compactMap { id in
      catalog.locations(of: id).first.map { Installed(id: id, path: $0.path) }
    }
  }

  private func isFound(_ program: Program, as file: String) -> Bool {
    search.find(program.name, workingDirectory: program.workingDirectory).flatMap(search.file(at:)) == file
  }

  private func program(of installed: inout Installed) -> Program? {
    // The status is read before the entry, so that a change in between makes them differ.
    let status = catalog.status(ofEntryAt: installed.path)
    if let status, let reading = installed.reading, reading.status == status { return reading.program }
    let program = read(installed.id)
    installed.reading = status.flatMap { $0.isSettled ? Reading(status: $0, program: program) : nil }
    return program
  }

  private func read(_ id: ApplicationID) -> Program? {
    guard let entry = try? catalog.entry(id), !entry.isHidden, let exec = entry.exec,
      let name = (try? ExecLine(exec))?.program
    else { return nil }
    return Program(name: name, workingDirectory: entry.workingDirectory)
  }
}
