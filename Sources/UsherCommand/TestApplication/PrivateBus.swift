// SPDX-License-Identifier: Apache-2.0
import DBus
import FileOutput
import Glibc
import Launching
import Systemd

/// A bus of its own for one application, with a temporary runtime directory, so that a test leaves the session alone.
final class PrivateBus {
  /// The reason why there is no bus.
  struct Failure: Error { let sentence: String }

  /// The runtime directory of programs on the bus.
  let directory: String
  let address: BusAddress
  private let daemon: PipedProcess
  private let cleanUp: TestCleanUp

  /// Starts a bus that holds calls to the name `activatable` until a connection owns it.
  init(activatable: BusName, _ cleanUp: TestCleanUp) throws(Failure) {
    self.cleanUp = cleanUp
    guard let program = try? UserEnvironment.path(of: "dbus-daemon") else {
      throw Failure(sentence: "dbus-daemon is not installed; install the package dbus")
    }
    var template = Array("/tmp/usher-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw Failure(sentence: "no temporary directory: \(String(cString: strerror(errno)))")
    }
    directory = String(cString: made)
    cleanUp.set(directory: directory)
    let path = "\(directory)/bus"
    address = .address("unix:path=\(path)")
    do {
      try Self.write(Self.configuration(path, directory), to: "\(directory)/bus.conf")
      // This process starts the application. For the bus, a program that exits with status 0 is one that has forked.
      try Self.write(
        "[D-BUS Service]\nName=\(activatable)\nExec=\(UserEnvironment.path(of: "true"))\n",
        to: "\(directory)/\(activatable).service")
      var configuration = ProcessConfiguration(
        executable: program,
        arguments: [
          "dbus-daemon", "--nofork", "--nopidfile", "--print-address=1",
          "--config-file=\(directory)/bus.conf",
        ],
        environment: LaunchEnvironment.own())
      // It warns about limits that an unprivileged user cannot raise.
      configuration.isMute = true
      configuration.isBoundToThread = true
      daemon = try PipedProcess(configuration)
      cleanUp.add(group: daemon.processID)
    } catch {
      Self.remove(directory)
      throw Failure(sentence: "no bus for the test: \(error)")
    }
    guard case .line = daemon.next(by: .now + .seconds(30)) else {
      end()
      throw Failure(sentence: "no bus for the test: dbus-daemon does not run")
    }
  }

  /// The environment of a program on the bus.
  var environment: [String: String] {
    var environment = LaunchEnvironment.own()
    // Wayland's socket is in the runtime directory of the session.
    if let display = environment["WAYLAND_DISPLAY"], !display.hasPrefix("/"),
      let runtime = environment["XDG_RUNTIME_DIR"]
    {
      environment["WAYLAND_DISPLAY"] = "\(runtime)/\(display)"
    }
    environment["XDG_RUNTIME_DIR"] = directory
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(directory)/bus"
    environment["USHER_LAUNCH"] = "1"
    return environment
  }

  func end() {
    daemon.end(timeout: .seconds(2))
    cleanUp.remove(group: daemon.processID)
    Self.remove(directory)
  }

  private static func configuration(_ path: String, _ services: String) -> String {
    let limits = [
      "max_incoming_bytes", "max_outgoing_bytes", "max_message_size", "max_replies_per_connection",
      "max_match_rules_per_connection", "service_start_timeout",
    ].map { "<limit name=\"\($0)\">100000000</limit>" }.joined()
    return """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><type>session</type><listen>unix:path=\(path)</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
      <servicedir>\(services)</servicedir>
      \(limits)</busconfig>
      """
  }

  private static func write(_ text: String, to path: String) throws(SystemdError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemdError("write \(path)", code: errno) }
    defer { close(file) }
    if let error = text.utf8.writeAll(to: file) { throw SystemdError("write \(path)", code: error) }
  }

  /// Removes a directory with all its files; symbolic links are not followed.
  static func remove(_ path: String) {
    guard unlink(path) != 0, errno == EISDIR, let stream = opendir(path) else { return }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { name in
          String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    closedir(stream)
    for name in names where name != "." && name != ".." { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
