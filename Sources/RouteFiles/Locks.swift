// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import RouteTables

/// The features that the administrator has disabled in `usher/locks.toml`, in the administrator's directories.
///
/// The first file with a key decides it, except that a lock in `/etc/xdg` always has effect. If `/etc/xdg/usher`
/// exists, files that other users than root can write are ignored, because a user can set `XDG_CONFIG_DIRS`. For a
/// file with errors, its last version without errors is used; if there is none, everything is disabled. In a file of
/// `/etc/xdg` that other users can write, `false` has effect, and `true` has none.
public struct Locks: Hashable, Sendable {
  /// The administrator's own directory, which is always read.
  public static let system = "/etc/xdg"

  private var files: [Lock: String] = [:]
  /// The diagnostics of the files, with line and column.
  public private(set) var diagnostics: [RouteFileDiagnostic] = []
  /// The current texts of the files without errors.
  public private(set) var soundVersions: [RouteFileVersion] = []
  /// Indicates whether directories that other users than root can write are ignored.
  private let requiresRoot: Bool
  /// The administrator's own directory of routes.
  private let systemRoutes: String

  /// Reads the lock files of directories, highest precedence first.
  ///
  /// - Parameters:
  ///   - directories: the parents of `usher/locks.toml`.
  ///   - system: the directory whose locks have effect regardless of the other files.
  ///   - isWritableByRootOnly: whether only root can write a file.
  ///   - lastSound: returns the last version without errors of a file that has errors now.
  public init(
    in directories: [String], system: String = Locks.system,
    isWritableByRootOnly: (_ path: String) -> Bool,
    lastSound: ((_ file: RouteDirectory) -> RouteFileVersion?)? = nil
  ) {
    let requiresRoot = directories.contains(system) && !RouteFileSource.isAbsent(system + "/usher")
    self.requiresRoot = requiresRoot
    systemRoutes = system + "/usher/routes"
    var stated: Set<Lock> = []
    for directory in directories {
      let path = Self.path(in: directory)
      let isSystem = directory == system
      let isRoots = !requiresRoot || RouteFileSource.isAbsent(path) || isWritableByRootOnly(path)
      guard let values = read(path, counts: { isSystem || isRoots }, lastSound) else { continue }
      if !isRoots {
        let command = WritableFile.command(for: path)
        diagnostics.append(
          RouteFileDiagnostic(
            .ownership, at: SourceLocation(file: path, line: 1),
            "users other than root can write this file, so its `true` has no effect; run: \(command)",
            command: command))
      }
      for (lock, value) in values where isRoots || !value {
        if !value, isSystem || !stated.contains(lock), files[lock] == nil { files[lock] = path }
        stated.insert(lock)
      }
    }
  }

  /// Returns the path of the lock file in one of the administrator's directories.
  public static func path(in directory: String) -> String { directory + "/usher/locks.toml" }

  /// Returns the path of the file that disables a feature; `nil` if it is not disabled.
  public func file(of lock: Lock) -> String? { files[lock] }

  /// The disabled features, each with the file that disables it.
  public var inForce: [(lock: Lock, file: String)] {
    Lock.allCases.compactMap { lock in files[lock].map { (lock, $0) } }
  }

  /// Returns whether the route files of a directory are used.
  ///
  /// If the users' routes are disabled, the user's own directories are not used. If in addition `/etc/xdg/usher`
  /// exists, other directories that other users than root can write are not used either. A directory that does not
  /// exist is used: it is checked again when it exists. `/etc/xdg/usher/routes` is always used, because its rules may
  /// forbid links even if users can write it.
  ///
  /// - Parameter usersDirectories: the user's own directories of routes.
  public func admitsRoutes(
    in path: String, usersDirectories: [String],
    isWritableByRootOnly: (_ path: String) -> Bool
  ) -> Bool {
    guard files[.userRoutes] != nil, path != systemRoutes else { return true }
    guard !usersDirectories.contains(path) else { return false }
    return !requiresRoot || RouteFileSource.isAbsent(path) || isWritableByRootOnly(path)
  }

  /// Returns the values of a file; `nil` if it is ignored or does not exist.
  private mutating func read(
    _ path: String, counts: () -> Bool, _ lastSound: ((_ file: RouteDirectory) -> RouteFileVersion?)?
  ) -> [Lock: Bool]? {
    let contents = RouteFileSource.contents(of: path)
    if case .failure(let error) = contents, error.kind == .missing { return nil }
    guard counts() else {
      diagnostics.append(
        RouteFileDiagnostic(
          .shape, at: SourceLocation(file: path, line: 1),
          "locks are valid only in \(Self.system)/usher and in directories that only root can write: move the file there"
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
        soundVersions.append(
          RouteFileVersion(file: Self.file(path), text: text, changed: RouteFileSource.changed(path)))
        return reader.values
      }
    }
    if let version = lastSound?(Self.file(path)) {
      let reader = LockFileReader(version.text, file: path)
      if reader.diagnostics.isEmpty {
        errors[0] = errors[0].adding(version.isUsed(since: RouteFileSource.changed(path)))
        diagnostics += errors
        return reader.values
      }
    }
    errors[0] = errors[0].adding(Self.failingClosed)
    diagnostics += errors
    return Dictionary(uniqueKeysWithValues: Lock.allCases.map { ($0, false) })
  }

  private static let failingClosed =
    "no earlier version without errors is stored, so "
    + Lock.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    + " are disabled until this is corrected"

  private static func file(_ path: String) -> RouteDirectory {
    RouteDirectory(path: path, rank: .administrator)
  }
}
