// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Glibc
import Launching
import Systemd
import WebLinks

/// The directories and applications of this user, as the command's environment describes them.
enum UserEnvironment {
  /// Returns the value of a variable of this process; `nil` if it is not set.
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The base directories of the user.
  static var directories: BaseDirectories { BaseDirectories(environment: LaunchEnvironment.current()) }

  /// The applications that are installed for the user.
  static var catalog: ApplicationCatalog { ApplicationCatalog(directories: directories) }

  /// The browsers that are installed for the user, with their profiles.
  static var browsers: BrowserList {
    BrowserList { BrowserDirectory(environment: LaunchEnvironment.current()).browsers }
  }

  /// Returns the application of a typed ID, with or without `.desktop`; `nil` if no file can have that name.
  static func application(_ text: String) -> ApplicationID? {
    let readings = ApplicationID.readings(of: text)
    // The directories are scanned only if the text is ambiguous.
    return readings.count > 1 ? catalog.id(spelled: text) : readings.first
  }

  /// Returns a path from the root, without empty and `.` segments and a trailing slash; symbolic links and `..` remain.
  ///
  /// If the working directory was removed, or its name is not UTF-8, a relative path has no absolute form; `./` precedes it.
  static func absolute(_ path: String) -> String {
    guard let here = path.utf8.first == UInt8(ascii: "/") ? "" : workingDirectory else { return "./\(path)" }
    let names = "\(here)/\(path)".unicodeScalars.split(separator: "/").map { String($0) }
    return "/" + names.filter { $0 != "." }.joined(separator: "/")
  }

  /// The directory for temporary files: `TMPDIR`, if it is set and not empty, otherwise `/tmp`.
  static var temporaryDirectory: String {
    variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
  }

  /// Returns the path of a program of Usher that is installed beside this one; `nil` if the path of this one cannot be read.
  static func program(besideThis name: String) -> String? {
    guard let own = ProcDirectory.ownProgram, let slash = own.unicodeScalars.lastIndex(of: "/") else {
      return nil
    }
    return "\(own[..<slash])/\(name)"
  }

  /// The path of the working directory; `nil` if it was removed, or if its name is not UTF-8.
  private static var workingDirectory: String? {
    var directory = [CChar](repeating: 0, count: Int(PATH_MAX))
    return getcwd(&directory, directory.count).flatMap { String(validatingCString: $0) }
  }

  /// Returns the absolute path of a program, given by its name or by a path relative to the working directory.
  ///
  /// - Throws: `programNotExecutable` or `programNotFound`.
  static func path(of program: String) throws(FreedesktopError) -> String {
    let programs = ProgramSearch(path: LaunchEnvironment.current()["PATH"])
    let here = workingDirectory
    guard let found = programs.find(program, workingDirectory: here) else {
      throw programs.notExecutable(program, workingDirectory: here).map { .programNotExecutable($0) }
        ?? .programNotFound(program)
    }
    return found
  }
}
