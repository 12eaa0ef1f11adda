import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Systemd

/// The process that owns an application's bus name.
struct Instance {
  let handle: ProcessHandle
  let directory: ProcDirectory
  private let name: String
  private let bus: BlockingBusConnection

  /// Finds the instance; `nil` if the name has no owner.
  init?(of application: ApplicationID, on bus: BlockingBusConnection) {
    guard let name = application.busName,
      let facts = try? bus.call(
        BusDaemon.getConnectionCredentials, at: .bus, name, timeout: .seconds(10)),
      let pid = facts["ProcessID"]?.integer.flatMap(Int32.init(exactly:)),
      let handle = ProcessHandle(pid: pid), let directory = ProcDirectory(of: pid)
    else { return nil }
    self.handle = handle
    self.directory = directory
    self.name = name
    self.bus = bus
  }

  var pid: Int32 { handle.pid }

  /// Terminates the process with SIGTERM; returns `true` if it has exited and its name is released.
  func end(by deadline: ContinuousClock.Instant) -> Bool {
    try? handle.send(signal: SIGTERM)
    while ContinuousClock.now < deadline {
      let owner = try? bus.call(BusDaemon.getNameOwner, at: .bus, name, timeout: .seconds(10))
      if owner == nil, !handle.isAlive { return true }
      usleep(5_000)
    }
    return false
  }

  /// Stops the process with SIGSTOP and waits for that; returns `true` if the broker would resume it.
  func stop(by deadline: ContinuousClock.Instant) -> Bool {
    try? handle.send(signal: SIGSTOP)
    while ContinuousClock.now < deadline, handle.isAlive, !directory.isStopped { usleep(1_000) }
    return directory.isStoppedInBackground
  }

  /// Resumes the process; returns `false` if it was not stopped.
  func goOn() -> Bool {
    guard directory.isStopped else { return false }
    try? handle.send(signal: SIGCONT)
    return true
  }
}
