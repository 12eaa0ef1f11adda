// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Glibc
import Launching

/// A service that changes registrations in the directories of this user, or of all users, one command at a time.
struct RegistrationService {
  /// The directories that are written, in place of the user's own.
  let directories: BaseDirectories
  let programs: ProgramSearch
  let registration: Registration
  /// The registration as its users see it: this user, or one without files of their own.
  let outcome: Registration
  /// The environment of such a user, in which other tools are queried.
  let environment: [String: String]
  private let isForAllUsers: Bool
  /// The longest wait for another process that holds the lock.
  ///
  /// Every process that can open the directory can lock it, and it may be stopped.
  var timeout = Duration.seconds(60)

  init(environment: [String: String] = LaunchEnvironment.current(), isForAllUsers: Bool = false) {
    let users = BaseDirectories(environment: environment)
    directories = isForAllUsers ? users.forAllUsers : users
    programs = ProgramSearch(path: environment["PATH"])
    registration = Registration(directories: directories, programs: programs, isForAllUsers: isForAllUsers)
    outcome =
      isForAllUsers ? Registration(directories: users.withoutUsersFiles, programs: programs) : registration
    self.isForAllUsers = isForAllUsers
    let none = ["XDG_CONFIG_HOME", "XDG_DATA_HOME"].map { ($0, BaseDirectories.nowhere) }
    self.environment = isForAllUsers ? environment.merging(none) { $1 } : environment
  }

  /// Returns the reason why this user cannot write for all users, and the command to run; `nil` if that is possible or not requested.
  ///
  /// - Parameter arguments: the arguments of the command.
  func missingPermission(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> String? {
    guard isForAllUsers else { return nil }
    for directory in [directories.userApplicationDirectory, directories.configHome] {
      guard let error = Self.obstacle(toWriting: directory) else { continue }
      let reason = "cannot write to \(directory), which --system needs: \(String(cString: strerror(error)))"
      guard geteuid() != 0, error == EACCES || error == EPERM else { return reason }
      return "\(reason); run: sudo " + (["usher"] + arguments).map(Shell.word).joined(separator: " ")
    }
    return nil
  }

  /// Returns the `errno` that prevents writing in a directory, or in its nearest existing ancestor; `nil` if writing is possible.
  private static func obstacle(toWriting directory: String) -> Int32? {
    var directory = directory[...]
    while access(String(directory), F_OK) != 0, errno == ENOENT,
      let slash = directory.unicodeScalars.lastIndex(of: "/"),
      slash != directory.startIndex
    { directory = directory[..<slash] }
    return access(String(directory), W_OK | X_OK) == 0 ? nil : errno
  }

  /// Runs `body` under the registration lock, and again if a program without the lock changed one of the files meanwhile.
  func change<Value>(_ body: () throws(FreedesktopError) -> Value) throws(FreedesktopError) -> Value {
    // All users must be able to read these files, regardless of the administrator's umask.
    if isForAllUsers { umask(0o022) }
    let lock = RegistrationLock(directories: directories, isForAllUsers: isForAllUsers, timeout: timeout)
    let willWait = { Console.warn("waiting for another registration to finish") }
    return try lock.held(willWait: willWait) { () throws(FreedesktopError) in
      registration.removeLeftOvers()
      var attemptsLeft = 5
      while true {
        do throws(FreedesktopError) {
          return try body()
        } catch {
          attemptsLeft -= 1
          guard case .changedMeanwhile = error, attemptsLeft > 0 else { throw error }
        }
      }
    }
  }

  /// The problem of Usher's own entry, without which programs do not open links through Usher; `nil` if there is none.
  var missingHandler: String? {
    let (entry, refused) = ApplicationCatalog(directories: directories).load(
      .usherHandler, programs: programs)
    guard entry == nil else { return nil }
    let advice = "install Usher below a directory of XDG_DATA_HOME or XDG_DATA_DIRS (make install PREFIX=…)"
    guard let (location, refusal) = refused.first else {
      return "\(ApplicationID.usherHandler.desktopFileName) is not in any applications directory; \(advice)"
    }
    return "\(location.path) cannot be used: \(refusal); \(advice)"
  }
}
