// SPDX-License-Identifier: Apache-2.0
internal import Interpreters
public import RouteTables

/// The reason why a file does not count as the administrator's: users other than root can write it, or a directory above it.
struct WritableFile: Hashable, Sendable {
  /// The sentence about it, which names the file or directory.
  let reason: String
  /// The shell command that corrects it; `nil` if none does.
  let command: String?

  init(_ path: String, _ correction: (reason: String, command: String?)?) {
    reason = correction?.reason ?? "\(path) can be written by users other than root"
    command = correction.map(\.command) ?? Self.command(for: path)
  }

  /// Returns the shell command after which only root can write a file, if the directories above it are root's.
  static func command(for path: String) -> String {
    let word = ShellCode.word(path)
    return "chown root \(word) && chmod go-w \(word)"
  }

  /// The correction, as the end of a sentence.
  func correction(moving what: String) -> String {
    let move = "move \(what) to \(RouteDirectory.system)"
    return command.map { "run: \($0)" } ?? move
  }
}

/// A directory of route files, or a single file, with its policy layer.
public struct RouteDirectory: Hashable, Sendable {
  /// The effect of `final` in the files of a directory; the most trusted case is the lowest.
  public enum Finality: Hashable, Comparable, Sendable {
    /// It has effect, and precedes the `final` of other directories: the administrator's own directory.
    case foremost
    /// It has effect if the files are the administrator's.
    case granted
    /// It has no effect, because other users than the administrator can write the directory.
    case refused
  }

  /// The directory that is always the administrator's, independent of the environment.
  public static let system = "/etc/xdg/usher/routes"

  /// The path of the directory or file.
  public let path: String
  /// The policy layer of the files; `final` has effect only in the administrator's.
  public let rank: PolicyLayer
  /// The effect of `final` in its files.
  public let finality: Finality
  /// The files of the directory in which `final` has no effect, because users other than root can write them, with the reason.
  let filesOfOthers: [FilePath: WritableFile]
  /// Indicates whether only the routes with `deny` count in files in which `final` has no effect.
  let othersOnlyDeny: Bool
  /// The reason why users other than root can add files to the administrator's own directory; `nil` if they cannot.
  private var writable: WritableFile?
  /// Indicates whether the owners and modes of the directory and its files were examined.
  private var isExamined = false

  /// Indicates whether only root can change the files of the directory; `false` if that was not examined.
  public var isProtected: Bool {
    isExamined && finality != .refused && writable == nil && filesOfOthers.isEmpty
  }

  /// A diagnostic for each file of the administrator, and for the directory, that users other than root can change.
  ///
  /// A directory that belongs to users as a whole has none, because `final` does not count there.
  public var writers: [RouteFileDiagnostic] {
    guard finality != .refused else { return [] }
    let places = filesOfOthers.map { ($0.text, $1) } + (writable.map { [(path, $0)] } ?? [])
    return places.map { place, writable in
      RouteFileDiagnostic(
        .ownership, at: SourceLocation(file: place, line: 1),
        "users other than root can change the routes of the administrator here: \(writable.reason): \(writable.correction(moving: "the file"))",
        command: writable.command, cause: writable.reason)
    }.inOrder()
  }

  /// A diagnostic for the directory and each file of the administrator that belong to root and that users cannot read.
  public var unreadable: [RouteFileDiagnostic] {
    guard rank == .administrator, isExamined else { return [] }
    return Set(([path] + RouteFileSource.paths(in: [path])).map { FilePath($0) }).compactMap { place in
      RouteFileSource.correctionForUsers(place.text).map { command in
        RouteFileDiagnostic(
          .unreadable, at: SourceLocation(file: place.text, line: 1),
          "users cannot read it, so their brokers use an earlier version, or reject the links that it may forbid: run: \(command)",
          command: command)
      }
    }.inOrder()
  }

  /// Creates a directory or file of `rank`.
  public init(path: String, rank: PolicyLayer, finality: Finality = .granted) {
    self.init(path: path, rank: rank, finality: finality, filesOfOthers: [:], othersOnlyDeny: false)
  }

  private init(
    path: String, rank: PolicyLayer, finality: Finality, filesOfOthers: [FilePath: WritableFile],
    othersOnlyDeny: Bool
  ) {
    self.path = path
    self.rank = rank
    self.finality = finality
    self.filesOfOthers = filesOfOthers
    self.othersOnlyDeny = othersOnlyDeny
  }

  /// Returns the effect of `final` in a file of the directory.
  func finality(ofFile file: String) -> Finality {
    filesOfOthers[FilePath(file)] == nil ? finality : .refused
  }

  /// Returns the directory with another spelling of its path.
  public func named(_ name: String) -> RouteDirectory {
    let prefix = name.hasSuffix("/") ? name : name + "/"
    // By bytes, because a mark at the beginning of a file's name belongs to the same character as the slash.
    let start = path.utf8.count + (path.utf8.last == UInt8(ascii: "/") ? 0 : 1)
    let files = filesOfOthers.map { file, writable in
      (FilePath(prefix + String(decoding: file.text.utf8.dropFirst(start), as: UTF8.self)), writable)
    }
    var directory = RouteDirectory(
      path: name, rank: rank, finality: finality, filesOfOthers: Dictionary(files) { first, _ in first },
      othersOnlyDeny: othersOnlyDeny)
    (directory.writable, directory.isExamined) = (writable, isExamined)
    return directory
  }

  /// Returns a file of the directory as it counts there.
  public func file(_ file: String, named name: String) -> RouteDirectory {
    var own = RouteDirectory(
      path: name, rank: rank, finality: finality,
      filesOfOthers: filesOfOthers[FilePath(file)].map { [FilePath(name): $0] } ?? [:],
      othersOnlyDeny: othersOnlyDeny)
    own.isExamined = isExamined
    return own
  }

  /// Returns whether only the routes with `deny` count in a file of the directory.
  func onlyDenies(inFile file: String) -> Bool { othersOnlyDeny && finality(ofFile: file) == .refused }

  /// Returns the directories of one layer, highest precedence first, with the effect of `final` in each.
  ///
  /// If the parent directory of `system` exists (the condition of ``Locks``, too), `final` has effect only in `system` and in
  /// directories that only root can write. Other directories come from `XDG_CONFIG_DIRS`, which a user can set, and their files must not undo a
  /// `final` of `system`. In these directories `final` has effect only in files that only root can write.
  ///
  /// - Parameters:
  ///   - userRoutesAreLocked: Whether the users' routes are disabled. In a directory or file that users can write, which is
  ///     then another way to write such routes, only the routes with `deny` count.
  ///   - isWritableByRootOnly: Whether only root can write a file, or a directory and the files in it.
  ///   - correction: The reason why that is `false`, and the shell command that corrects it, if it is in the directory.
  public static func layer(
    _ paths: [String], rank: PolicyLayer, system: String = RouteDirectory.system,
    userRoutesAreLocked: Bool = false, isWritableByRootOnly: (_ path: String) -> Bool,
    correction: (_ path: String, _ directory: String) -> (reason: String, command: String?)? = { _, _ in nil }
  ) -> [RouteDirectory] {
    let parent = system.unicodeScalars.lastIndex(of: "/").map { String(system[..<$0]) } ?? system
    let hasSystem = rank == .administrator && paths.contains(system) && !RouteFileSource.isAbsent(parent)
    return paths.map { path in
      guard hasSystem else { return RouteDirectory(path: path, rank: rank) }
      let finality: Finality = path == system ? .foremost : isWritableByRootOnly(path) ? .granted : .refused
      let files = RouteFileSource.paths(in: [path]).filter {
        $0 != path && (finality == .refused || !isWritableByRootOnly($0))
      }
      let parent = path.unicodeScalars.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
      let ofDirectory =
        finality == .refused && !files.isEmpty ? WritableFile(path, correction(path, parent)) : nil
      var directory = RouteDirectory(
        path: path, rank: rank, finality: finality,
        // A directory may list a name twice while it changes.
        filesOfOthers: Dictionary(
          files.map { (FilePath($0), ofDirectory ?? WritableFile($0, correction($0, parent))) }
        ) { first, _ in first },
        othersOnlyDeny: userRoutesAreLocked)
      directory.isExamined = true
      if finality == .foremost, !RouteFileSource.isAbsent(path), !isWritableByRootOnly(path) {
        directory.writable = WritableFile(path, correction(path, parent))
      }
      return directory
    }
  }
}
