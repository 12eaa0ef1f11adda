internal import Glibc
internal import RouteTables

/// What the administrator has switched off, by the files `usher/locks.toml` of the administrator's directories.
///
/// The first file that states a key decides it, and a lock of `/etc/xdg` holds whatever other files say. Where `/etc/xdg/usher` exists, no
/// file counts that others than root can write, because a user can set `XDG_CONFIG_DIRS`. A file with errors is used in its last version
/// without errors; where none is known, everything is switched off.
public struct Locks: Hashable, Sendable {
  /// The administrator's own directory, which is always read.
  public static let system = "/etc/xdg"

  private var files: [Lock: String] = [:]
  /// What is wrong with the files, by line and column.
  public private(set) var diagnostics: [RouteFileDiagnostic] = []
  /// The files without errors, as they are.
  public private(set) var soundVersions: [RouteFileVersion] = []
  /// Whether only directories count that only root can write.
  private let requiresRoot: Bool

  /// Reads the lock files of directories, highest precedence first.
  ///
  /// - Parameters:
  ///   - directories: the parents of `usher/locks.toml`.
  ///   - system: the directory whose locks hold whatever the others say.
  ///   - isRoots: whether only root can write a file.
  ///   - lastSound: the last version without errors of a file that has some now.
  public init(
    in directories: [String], system: String = Locks.system,
    isRoots: (_ path: String) -> Bool = RouteDirectory.onlyRootCanWrite,
    lastSound: ((_ file: RouteDirectory) -> RouteFileVersion?)? = nil
  ) {
    let requiresRoot = directories.contains(system) && access(system + "/usher", F_OK) == 0
    self.requiresRoot = requiresRoot
    var stated: Set<Lock> = []
    for directory in directories {
      let path = Self.path(in: directory)
      let isSystem = directory == system
      guard let values = read(path, counts: { isSystem || !requiresRoot || isRoots(path) }, lastSound) else {
        continue
      }
      for (lock, value) in values {
        if !value, isSystem || !stated.contains(lock), files[lock] == nil { files[lock] = path }
        stated.insert(lock)
      }
    }
  }

  /// The lock file of one of the administrator's directories.
  public static func path(in directory: String) -> String { directory + "/usher/locks.toml" }

  /// The file that switches something off; `nil` where none does.
  public func file(of lock: Lock) -> String? { files[lock] }

  /// What is switched off, each with the file that says so.
  public var inForce: [(lock: Lock, file: String)] {
    Lock.allCases.compactMap { lock in files[lock].map { (lock, $0) } }
  }

  /// Whether the route files of a directory count.
  ///
  /// Where the users' routes are switched off, those of the user's own directories do not, nor, where `/etc/xdg/usher` exists, those of
  /// other directories that others than root can write. A directory that does not exist counts: it is asked about again when it does.
  ///
  /// - Parameter usersDirectories: the directories of routes that are the user's own.
  public func admitsRoutes(
    in path: String, usersDirectories: [String],
    isRoots: (_ path: String) -> Bool = RouteDirectory.onlyRootCanWrite
  ) -> Bool {
    guard files[.userRoutes] != nil else { return true }
    guard !usersDirectories.contains(path) else { return false }
    return !requiresRoot || access(path, F_OK) != 0 || isRoots(path)
  }

  /// What a file states; `nil` for one that does not count or is not there.
  private mutating func read(
    _ path: String, counts: () -> Bool, _ lastSound: ((_ file: RouteDirectory) -> RouteFileVersion?)?
  ) -> [Lock: Bool]? {
    let contents = RouteFileSource.contents(of: path)
    if case .failure(let error) = contents, error.kind == .missing { return nil }
    guard counts() else {
      diagnostics.append(
        RouteFileDiagnostic(
          .shape, SourceLocation(file: path, line: 1),
          "locks count in \(Self.system)/usher and in directories that only root can write: move the file there"
        ))
      return nil
    }
    var errors: [RouteFileDiagnostic]
    switch contents {
    case .failure(let error): errors = [error]
    case .success(let text):
      let reader = LockFileReader(text, file: path)
      errors = reader.diagnostics
      if errors.isEmpty {
        soundVersions.append(RouteFileVersion(file: Self.file(path), text: text, changed: Self.changed(path)))
        return reader.values
      }
    }
    if let version = lastSound?(Self.file(path)) {
      let reader = LockFileReader(version.text, file: path)
      if reader.diagnostics.isEmpty {
        errors[0] = errors[0].adding(version.isUsed(since: Self.changed(path)))
        diagnostics += errors
        return reader.values
      }
    }
    errors[0] = errors[0].adding(Self.failingClosed)
    diagnostics += errors
    return Dictionary(uniqueKeysWithValues: Lock.allCases.map { ($0, false) })
  }

  private static let failingClosed =
    "no version of the file without errors is known, so "
    + Lock.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    + " are switched off until this is corrected"

  private static func file(_ path: String) -> RouteDirectory {
    RouteDirectory(path: path, rank: .administrator)
  }

  private static func changed(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mtim.tv_sec : 0
  }
}
