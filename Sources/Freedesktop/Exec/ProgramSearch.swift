// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// Finds programs as a launcher does: by path, or by name in the directories of a `PATH`.
public struct ProgramSearch: Sendable {
  /// The directories to search, most important first.
  public let directories: [String]
  private let files: any FileReading
  /// The results so far, by path; `nil` if the files are checked each time.
  private var known: CachedPrograms?

  /// Creates a search of the directories of `path`, a `$PATH`; `nil` means the standard directories.
  ///
  /// Relative directories are ignored, because the program that a link starts must not depend on the broker's working
  /// directory.
  public init(path: String?, files: some FileReading = LocalFiles()) {
    directories = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
      .filter { $0.hasPrefix("/") }
    self.files = files
  }

  /// Returns the path of `program`; `nil` if no executable file has that name.
  ///
  /// A relative path that contains a `/` is resolved against `workingDirectory`, and is not found without it.
  public func find(_ program: String, workingDirectory: String? = nil) -> String? {
    guard !program.isEmpty else { return nil }
    if program.hasPrefix("/") { return isExecutable(program) ? program : nil }
    if program.utf8.contains(UInt8(ascii: "/")) {
      guard let path = workingDirectory.map({ $0 + "/" + program }) else { return nil }
      return isExecutable(path) ? path : nil
    }
    return directories.lazy.map { $0 + "/" + program }.first(where: isExecutable)
  }

  /// Returns the paths at which a program is searched, up to the one at which it is found.
  func places(of program: String, workingDirectory: String? = nil) -> [String] {
    guard !program.utf8.contains(UInt8(ascii: "/")) else {
      return program.hasPrefix("/")
        ? [program] : [workingDirectory.map { $0 + "/" + program }].compactMap(\.self)
    }
    let paths = directories.map { $0 + "/" + program }
    return Array(paths[...(paths.firstIndex(where: isExecutable) ?? paths.endIndex - 1)])
  }

  /// Returns a copy for one answer about many applications, which checks each program once and ignores later changes.
  func remembering() -> ProgramSearch {
    var search = self
    search.known = CachedPrograms()
    return search
  }

  private func isExecutable(_ path: String) -> Bool {
    known?.isExecutable(path, files) ?? files.isExecutable(path)
  }

  /// Returns the path of a program that is a regular file and not executable; `nil` for any other program, and for a bare name.
  public func notExecutable(_ program: String, workingDirectory: String? = nil) -> String? {
    guard program.utf8.contains(UInt8(ascii: "/")) else { return nil }
    let path = program.hasPrefix("/") ? program : workingDirectory.map { $0 + "/" + program }
    var status = stat()
    guard let path, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, !isExecutable(path)
    else { return nil }
    return path
  }

  /// Returns the reason for which `find` returns `nil`, such as `is missing`, to be appended to the program's name.
  public func whyNotFound(_ program: String, workingDirectory: String? = nil) -> String {
    guard let path = notExecutable(program, workingDirectory: workingDirectory) else { return "is missing" }
    return "is not executable; run: chmod +x \(ShellWord.quoted(path))"
  }

  /// Returns the identity of the file at `path`, symbolic links followed; `nil` if there is none.
  ///
  /// The identity is the device and inode number of stat(2), as `DEVICE:NUMBER`.
  public func file(at path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }
}

/// A cache that maps paths to whether they are executable.
private final class CachedPrograms: Sendable {
  private let known = Mutex<[String: Bool]>([:])

  func isExecutable(_ path: String, _ files: any FileReading) -> Bool {
    if let isExecutable = known.withLock({ $0[path] }) { return isExecutable }
    let isExecutable = files.isExecutable(path)
    known.withLock { $0[path] = isExecutable }
    return isExecutable
  }
}
