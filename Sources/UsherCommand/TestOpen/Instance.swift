import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Systemd

/// The process that has an application's name on the bus.
struct Instance {
  let handle: ProcessHandle
  let directory: ProcDirectory
  private let name: String
  private let bus: BlockingBusConnection

  /// `nil` where nobody has the name.
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

  /// Ends it by SIGTERM; whether it has ended, and its name is free.
  func end(by deadline: ContinuousClock.Instant) -> Bool {
    try? handle.send(signal: SIGTERM)
    while ContinuousClock.now < deadline {
      let owner = try? bus.call(BusDaemon.getNameOwner, at: .bus, name, timeout: .seconds(10))
      if owner == nil, !handle.isAlive { return true }
      usleep(5_000)
    }
    return false
  }

  /// Stops it by SIGSTOP, and returns when it has stopped; whether the broker would thaw it.
  func stop(by deadline: ContinuousClock.Instant) -> Bool {
    try? handle.send(signal: SIGSTOP)
    while ContinuousClock.now < deadline, handle.isAlive, !directory.isStopped { usleep(1_000) }
    return directory.isStoppedInBackground
  }

  /// Lets it go on; whether that was needed.
  func goOn() -> Bool {
    guard directory.isStopped else { return false }
    try? handle.send(signal: SIGCONT)
    return true
  }
}
