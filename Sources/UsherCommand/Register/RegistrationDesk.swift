import Freedesktop
import Launching

/// Where registrations are made: this user's directories, one command at a time.
struct RegistrationDesk {
  let directories: BaseDirectories
  let programs: ProgramSearch
  let registration: Registration

  init(environment: [String: String] = LaunchEnvironment.current()) {
    directories = BaseDirectories(environment: environment)
    programs = ProgramSearch(path: environment["PATH"])
    registration = Registration(directories: directories, programs: programs)
  }

  /// Runs `body` while no other registration is at work, and again when a program that knows of no lock wrote into
  /// one of the files meanwhile.
  func change<Value>(_ body: () throws(FreedesktopError) -> Value) throws(FreedesktopError) -> Value {
    let lock = RegistrationLock(directories: directories)
    let willWait = { Console.warn("waiting for another registration to end") }
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

  /// What is wrong with Usher's own entry, without which every program would pass us over.
  var missingHandler: String? {
    let (entry, refused) = ApplicationCatalog(directories: directories).load(
      .usherHandler, programs: programs)
    guard entry == nil else { return nil }
    let advice = "install Usher where one of XDG_DATA_HOME and XDG_DATA_DIRS leads (make install PREFIX=…)"
    guard let (location, refusal) = refused.first else {
      return "\(ApplicationID.usherHandler.desktopFileName) is in no applications folder; \(advice)"
    }
    return "\(location.path) cannot be used: \(refusal); \(advice)"
  }
}
