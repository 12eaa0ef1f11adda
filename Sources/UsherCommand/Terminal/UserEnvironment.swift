import Freedesktop
import Glibc
import Launching

/// What this user has, as the environment of the command leads to it.
enum UserEnvironment {
  /// Where the user's files are.
  static var directories: BaseDirectories { BaseDirectories(environment: LaunchEnvironment.current()) }

  /// The applications that are installed for the user.
  static var catalog: ApplicationCatalog { ApplicationCatalog(directories: directories) }

  /// The application that was typed, with or without `.desktop`; `nil` where no file could have that name.
  static func application(_ text: String) -> ApplicationID? {
    let readings = ApplicationID.readings(of: text)
    // The folders are walked through only where there is a choice.
    return readings.count > 1 ? catalog.id(spelled: text) : readings.first
  }

  /// The whole path of a program that was typed, by its name or by its path from here.
  /// - Throws: `programNotExecutable` or `programNotFound`.
  static func path(of program: String) throws(FreedesktopError) -> String {
    let programs = ProgramSearch(path: LaunchEnvironment.current()["PATH"])
    var directory = [CChar](repeating: 0, count: Int(PATH_MAX))
    let here = getcwd(&directory, directory.count).map { String(cString: $0) }
    guard let found = programs.find(program, workingDirectory: here) else {
      throw programs.notExecutable(program, workingDirectory: here).map { .programNotExecutable($0) }
        ?? .programNotFound(program)
    }
    return found
  }
}
