// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Systemd

/// A process of an application: the owner of its bus name, or a process that was started as its Exec line says.
///
/// Many applications own a bus name that does not follow from their ID, or none. Their processes are found by their program and its first
/// arguments, because the program may be one that runs many applications, such as `python3` or a terminal emulator.
struct Instance {
  let handle: ProcessHandle
  let directory: ProcDirectory
  /// The bus name that the process owns; `nil` if it was found by its program.
  let name: String?
  private let bus: BlockingBusConnection

  /// Finds the instance; `nil` if the name has no owner, and no process of this user was started as the Exec line of `entry` says.
  init?(of application: ApplicationID, _ entry: DesktopEntry, on bus: BlockingBusConnection) {
    if let name = application.busName,
      let facts = try? bus.call(
        BusDaemon.getConnectionCredentials, at: .bus, name, timeout: .seconds(10)),
      let pid = facts["ProcessID"]?.integer.flatMap(Int32.init(exactly:))
    {
      self.init(pid, name: name, on: bus)
      return
    }
    // An application that the bus starts is its bus name, whatever else executes its program.
    guard !entry.isDBusActivatable, !entry.takesEnvelopes, let pid = Self.process(of: entry) else {
      return nil
    }
    self.init(pid, name: nil, on: bus)
  }

  private init?(_ pid: Int32, name: String?, on bus: BlockingBusConnection) {
    guard let handle = ProcessHandle(pid: pid), let directory = ProcDirectory(of: pid) else { return nil }
    self.handle = handle
    self.directory = directory
    self.name = name
    self.bus = bus
  }

  /// Returns the oldest process of this user that was started as the Exec line of an entry says; `nil` if no process was.
  ///
  /// A script that the line names as the program is not found, because its process executes the interpreter.
  private static func process(of entry: DesktopEntry) -> Int32? {
    guard let line = entry.exec.flatMap({ try? ExecLine($0) }), let program = line.program,
      let path = try? UserEnvironment.path(of: program), let file = FileIdentity(path: path),
      let processes = opendir("/proc")
    else { return nil }
    defer { closedir(processes) }
    var oldest: (pid: Int32, start: UInt64)?
    while let item = readdir(processes) {
      let name = withUnsafeBytes(of: &item.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let pid = Int32(name), pid != getpid(), let directory = ProcDirectory(of: pid),
        directory.program?.file == file, line.matches(commandLine: arguments(of: directory)),
        let start = directory.startTime
      else { continue }
      var status = stat()
      guard stat("/proc/\(pid)", &status) == 0, status.st_uid == getuid() else { continue }
      if oldest.map({ start < $0.start }) ?? true { oldest = (pid, start) }
    }
    return oldest?.pid
  }

  /// Returns the arguments of a process with the name of its program; none if they cannot be read, or are longer than 64 KiB.
  private static func arguments(of directory: ProcDirectory) -> [ProgramArgument] {
    guard case .bytes(let bytes) = directory.content(of: "cmdline"), bytes.last == 0 else { return [] }
    return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map {
      ProgramArgument(bytes: Array($0))
    }
  }

  var pid: Int32 { handle.pid }

  /// The process for a report, with the way in which it was found.
  var description: String {
    "process \(pid)"
      + (name == nil ? ", which runs the application's program, but does not own its bus name" : "")
  }

  /// Terminates the process with SIGTERM; returns `true` if it has exited and its name is released.
  func end(by deadline: ContinuousClock.Instant) -> Bool {
    try? handle.send(signal: SIGTERM)
    while ContinuousClock.now < deadline {
      let owner = name.flatMap { try? bus.call(BusDaemon.getNameOwner, at: .bus, $0, timeout: .seconds(10)) }
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
