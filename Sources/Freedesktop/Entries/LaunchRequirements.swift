// SPDX-License-Identifier: Apache-2.0
/// The requirements of an entry before GIO loads it, parsed once, because its file changes less often than programs.
struct LaunchRequirements: Sendable {
  private enum Exec {
    case none
    case program(String)
    case invalid
  }

  /// The error in the file itself; `nil` if there is none.
  private let fault: EntryError?
  private let tryExec: String?
  private let exec: Exec
  private let workingDirectory: String?

  /// Reads the requirements of `entry`.
  init(of entry: DesktopEntry) {
    fault =
      entry.file.fatalDiagnostics.first.map { .malformed($0) }
      ?? (entry.isApplication ? nil : .notAnApplication)
    tryExec = entry.tryExec
    exec = entry.exec.map { ExecLineReader.firstWord(of: $0).map(Exec.program) ?? .invalid } ?? .none
    workingDirectory = entry.workingDirectory
  }

  /// Returns the paths at which the required programs are, or would be found first.
  func places(programs: ProgramSearch) -> [String] {
    var names = [tryExec].compactMap(\.self)
    if case .program(let name) = exec { names.append(name) }
    return names.flatMap { programs.places(of: $0, workingDirectory: workingDirectory) }
  }

  /// Returns the reason for which GIO does not load the entry; `nil` if it does.
  func refusal(programs: ProgramSearch) -> EntryError? {
    if let fault { return fault }
    if let tryExec, programs.find(tryExec, workingDirectory: workingDirectory) == nil {
      return .tryExecNotFound(tryExec)
    }
    switch exec {
    case .none: return nil
    case .invalid: return .invalidExec
    case .program(let name):
      guard programs.find(name, workingDirectory: workingDirectory) == nil else { return nil }
      return programs.notExecutable(name, workingDirectory: workingDirectory).map {
        .programNotExecutable($0)
      }
        ?? .programNotFound(name)
    }
  }
}
