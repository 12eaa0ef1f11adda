import Glibc
import Synchronization

/// Finds programs as a launcher does: by a path, or by name in the directories of a `PATH`.
public struct ProgramSearch: Sendable {
  /// The directories to look in, most important first.
  public let directories: [String]
  private let files: any FileReading
  /// What was found by each path; `nil` where each time the files are looked at.
  private var known: CachedPrograms?

  /// Looks in the directories of `path`, a `$PATH`; without one in those that every system has.
  ///
  /// Relative directories are left out: what a link starts must not hang on where the broker was started.
  public init(path: String?, files: some FileReading = LocalFiles()) {
    directories = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
      .filter { $0.hasPrefix("/") }
    self.files = files
  }

  /// The path of `program`, or `nil` when nothing executable has that name.
  ///
  /// A relative path, one with a `/`, is taken from `workingDirectory` and is not found without it.
  public func find(_ program: String, workingDirectory: String? = nil) -> String? {
    guard !program.isEmpty else { return nil }
    if program.hasPrefix("/") { return isExecutable(program) ? program : nil }
    if program.utf8.contains(UInt8(ascii: "/")) {
      guard let path = workingDirectory.map({ $0 + "/" + program }) else { return nil }
      return isExecutable(path) ? path : nil
    }
    return directories.lazy.map { $0 + "/" + program }.first(where: isExecutable)
  }

  /// The paths at which a program is looked for, up to the one at which it is found.
  func places(of program: String, workingDirectory: String? = nil) -> [String] {
    guard !program.utf8.contains(UInt8(ascii: "/")) else {
      return program.hasPrefix("/")
        ? [program] : [workingDirectory.map { $0 + "/" + program }].compactMap(\.self)
    }
    let paths = directories.map { $0 + "/" + program }
    return Array(paths[...(paths.firstIndex(where: isExecutable) ?? paths.endIndex - 1)])
  }

  /// The same search for one answer about many applications: it looks at each program once, whatever becomes of it meanwhile.
  func remembering() -> ProgramSearch {
    var search = self
    search.known = CachedPrograms()
    return search
  }

  private func isExecutable(_ path: String) -> Bool {
    known?.isExecutable(path, files) ?? files.isExecutable(path)
  }

  /// The path of a program that is a file there, and that nobody lets us execute; `nil` for any other, and for one that is
  /// named without a path.
  public func notExecutable(_ program: String, workingDirectory: String? = nil) -> String? {
    guard program.utf8.contains(UInt8(ascii: "/")) else { return nil }
    let path = program.hasPrefix("/") ? program : workingDirectory.map { $0 + "/" + program }
    var status = stat()
    guard let path, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, !isExecutable(path)
    else { return nil }
    return path
  }

  /// Why `find` finds nothing, as `is missing`, for after the program's name.
  public func whyNotFound(_ program: String, workingDirectory: String? = nil) -> String {
    guard let path = notExecutable(program, workingDirectory: workingDirectory) else { return "is missing" }
    return "may not be executed; run: chmod +x '\(path)'"
  }

  /// Which file is at `path`, links followed: its device and number as stat(2) has them, `DEVICE:NUMBER`; `nil` where
  /// there is none.
  public func file(at path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }
}

/// Which paths lead to something that may be executed, each looked at once.
private final class CachedPrograms: Sendable {
  private let known = Mutex<[String: Bool]>([:])

  func isExecutable(_ path: String, _ files: any FileReading) -> Bool {
    if let isExecutable = known.withLock({ $0[path] }) { return isExecutable }
    let isExecutable = files.isExecutable(path)
    known.withLock { $0[path] = isExecutable }
    return isExecutable
  }
}
