import Freedesktop
import Synchronization

/// The program that each installed application starts: of an entry whose file is as it was, known without reading it.
final class InstalledPrograms: Sendable {
  /// A program as an Exec line names it.
  private struct Program: Hashable {
    let name: String
    let workingDirectory: String?
  }

  /// What an entry said; no program for one that starts nothing.
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
  /// In the order of their IDs; `nil` until somebody asks.
  private let known = Mutex<[Installed]?>(nil)

  init(of catalog: ApplicationCatalog, foundBy search: ProgramSearch) {
    self.catalog = catalog
    self.search = search
  }

  /// The applications whose program is the file that `ProgramSearch.file(at:)` calls so, in the order of their IDs.
  func owners(of file: String) -> [ApplicationID] {
    known.withLock { known in
      var installed = known ?? entries
      // What would stay referred to here is copied when it changes.
      known = nil
      defer { known = installed }
      // Many may name one program, as a browser's web applications do.
      var matches: [Program: Bool] = [:]
      var owners: [ApplicationID] = []
      for place in installed.indices {
        guard let program = program(of: &installed[place]) else { continue }
        let isIt = matches[program] ?? isFound(program, as: file)
        matches[program] = isIt
        if isIt { owners.append(installed[place].id) }
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
    // Taken before the entry is read: what changes meanwhile differs from it.
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
