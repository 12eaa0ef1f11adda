/// What must be there before GIO loads an entry: as its file says it, which is read once, while programs come and go.
struct LaunchRequirements: Sendable {
  private enum Exec {
    case none
    case program(String)
    case invalid
  }

  /// What is wrong with the file itself.
  private let fault: EntryError?
  private let tryExec: String?
  private let exec: Exec
  private let workingDirectory: String?

  /// The needs of `entry`.
  init(of entry: DesktopEntry) {
    fault = entry.file.faults.first.map { .malformed($0) } ?? (entry.isApplication ? nil : .notAnApplication)
    tryExec = entry.tryExec
    exec = entry.exec.map { ExecLineReader.firstWord(of: $0).map(Exec.program) ?? .invalid } ?? .none
    workingDirectory = entry.workingDirectory
  }

  /// Where the programs that it needs are, or would be found first.
  func places(programs: ProgramSearch) -> [String] {
    var names = [tryExec].compactMap(\.self)
    if case .program(let name) = exec { names.append(name) }
    return names.flatMap { programs.places(of: $0, workingDirectory: workingDirectory) }
  }

  /// Why GIO does not load the entry; `nil` when it does.
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
