// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
import Dispatch
import Foundation
import Freedesktop
import Launching
import TestSupport
import Testing

@testable import BrokerService
@testable import Systemd

/// Tests of the credentials that are read of a caller, with a simulated bus and `/proc`.
@Suite struct `Identification` {
  /// A running process with a simulated `/proc` directory, and a bus that knows it as `:1.7`.
  private final class Scene: Sendable {
    let tree: TemporaryDirectory
    let process: ChildProcess
    let name: BusName = ":1.7"
    var pid: Int32 { process.handle.pid }

    init(
      root: String = "root", cgroup: String = "/", label: String? = nil, began: UInt64 = 1
    ) throws {
      tree = try TemporaryDirectory()
      process = try ChildProcess(
        ProcessConfiguration(executable: "/bin/sleep", arguments: ["sleep", "86400"], environment: [:]),
        on: .shared)
      try tree.makeDirectory("\(pid)/root")
      try tree.makeDirectory("\(pid)/ns")
      let fields = Array(repeating: "0", count: 18) + ["\(began)", "0"]
      try tree.write("\(pid) (a) b) S \(fields.joined(separator: " "))\n", to: "\(pid)/stat")
      try tree.write("0::\(cgroup)\n", to: "\(pid)/cgroup")
      try link("exe", to: "/bin/sleep")
      for kind in ["user", "pid", "mnt"] {
        try link(
          "ns/\(kind)", to: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/\(kind)"))
      }
      if root != "root" {
        try FileManager.default.removeItem(atPath: "\(tree.path)/\(pid)/root")
        try link("root", to: root)
      }
    }

    deinit { try? process.handle.send(signal: SIGKILL) }

    func link(_ name: String, to aim: String) throws {
      let path = "\(tree.path)/\(pid)/\(name)"
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: aim)
    }

    func flatpak(_ text: String, kept: String?) throws {
      try tree.write(text, to: "\(pid)/root/.flatpak-info")
      if let kept { try tree.write(text, to: "run/.flatpak/\(kept)/info") }
    }

    /// Makes the control group of the process unreadable.
    ///
    /// Some kernels fail to read a group whose path has 4,096 bytes. A directory cannot be read, either.
    func hideGroup() throws {
      try FileManager.default.removeItem(atPath: "\(tree.path)/\(pid)/cgroup")
      try tree.makeDirectory("\(pid)/cgroup")
    }

    func end() async throws {
      try process.handle.send(signal: SIGKILL)
      _ = await process.exitStatus()
    }

    /// Returns an identification that waits for each file for at most `timeout`.
    func identification(timeout: Duration) -> CallerIdentification {
      let honest = BusCredentials(processID: pid, userID: getuid())
      return CallerIdentification(
        .init(
          credentials: { _ async throws(BusError) in honest }, isPrivate: true, processes: tree.path,
          runtimeDirectory: "\(tree.path)/run", relays: []), on: .shared, timeout: timeout)
    }

    /// Reads the credentials of the caller; `answer` returns the bus's replies to the first and second query.
    func facts(
      isPrivate: Bool = true, relays: [UsherProgram] = [],
      _ answer: (@Sendable (Int, BusCredentials) async throws(BusError) -> BusCredentials)? = nil
    ) async throws(BusError) -> CallerCredentials? {
      let honest = BusCredentials(processID: pid, userID: getuid())
      let count = Counter()
      let identification = CallerIdentification(
        .init(
          credentials: { _ async throws(BusError) in
            guard let answer else { return honest }
            return try await answer(await count.next(), honest)
          }, isPrivate: isPrivate, processes: tree.path, runtimeDirectory: "\(tree.path)/run",
          relays: relays),
        // No step hangs, and a machine may be busy.
        on: .shared, timeout: Command.defaultDeadline)
      return try await identification.facts(of: name)
    }
  }

  private actor Counter {
    private var value = 0
    func next() -> Int {
      value += 1
      return value
    }
  }

  private static let manager = "/user.slice/user-\(getuid()).slice/user@\(getuid()).service"

  private func identify(_ facts: CallerCredentials?, claim: String? = nil) -> SourceApplication {
    SourceApplication.identify(
      facts, claim: claim.flatMap { ApplicationID($0) }, isInstalled: { $0.rawValue == "org.example.Chat" },
      owners: { _ in [] })
  }

  private func known(_ id: String, _ assurance: BrokerCore.Assurance) throws -> SourceApplication {
    SourceApplication(try #require(ApplicationID(id)), assurance)
  }

  @Test func `reads group, program and label of a process outside`() async throws {
    let scene = try Scene(root: "/", cgroup: "\(Self.manager)/app.slice/app-org.example.Chat-1.scope")
    let facts = try #require(try await scene.facts())
    #expect(facts.confinement == nil)
    #expect(facts.program?.file == ProgramSearch(path: nil).file(at: "/bin/sleep"))
    #expect(facts.process == "process \(scene.pid) of 1")
    #expect(identify(facts, claim: "org.example.Liar") == (try known("org.example.Chat", .unit)))
  }

  @Test(arguments: ["usher-remote", "usher-remote (deleted)"])
  func `takes the rights of the user from the relay, also after an upgrade has replaced its file`(
    file: String
  )
    async throws
  {
    let scene = try Scene(root: "/")
    // The path of the relay, from the directory of this program.
    let relay = UsherProgram(
      at: "\(String(repeating: "../", count: 40))\(scene.tree.path.dropFirst())/usher-remote")
    try scene.tree.write("", to: file)
    try scene.link("exe", to: "\(scene.tree.path)/\(file)")
    let facts = try #require(try await scene.facts(relays: [relay]))
    #expect(facts.isRelay && facts.confinement == .possible)
    try scene.tree.write("", to: "other")
    try scene.link("exe", to: "\(scene.tree.path)/other")
    let other = try #require(try await scene.facts(relays: [relay]))
    #expect(!other.isRelay && other.confinement == nil)
  }

  // MARK: Process IDs that are used again

  @Test func `fails if the caller disconnects before its process is pinned`() async throws {
    let scene = try Scene(root: "/")
    let facts = try await scene.facts { count, honest async throws(BusError) in
      guard count == 1 else { throw BusError(.nameHasNoOwner, "gone") }
      return honest
    }
    #expect(facts == nil)
  }

  @Test func `fails if the process started after the call arrived`() async throws {
    let scene = try Scene(root: "/", began: .max)
    #expect(try await scene.facts() == nil)
  }

  @Test func `fails if the process exits while it is inspected`() async throws {
    let scene = try Scene(root: "/")
    let facts = try await scene.facts { count, honest async throws(BusError) in
      if count == 2 { try? await scene.end() }
      return honest
    }
    #expect(facts == nil)
  }

  @Test func `fails if the bus reports another process the second time`() async throws {
    let scene = try Scene(root: "/")
    let facts = try await scene.facts { count, honest in
      count == 1 ? honest : BusCredentials(processID: 1, userID: honest.userID)
    }
    #expect(facts == nil)
  }

  @Test func `uses the bus's pidfd, and not the process ID beside it`() async throws {
    let scene = try Scene(root: "/", began: .max)
    let descriptor = try #require(UnixFD(duplicating: scene.process.handle.descriptor))
    let credentials = BusCredentials(processID: 1, userID: getuid(), processFD: descriptor)
    let facts = try await scene.facts { _, _ in credentials }
    #expect(facts?.process == "process \(scene.pid) of \(UInt64.max)")
    try await scene.end()
    #expect(try await scene.facts { _, _ in credentials } == nil)
  }

  @Test func `treats callers that cannot be inspected as sandboxed`() async throws {
    let scene = try Scene(root: "/", began: .max)
    #expect(identify(try await scene.facts(), claim: "org.example.Chat") == .unseen)
  }

  // MARK: Another user

  @Test(arguments: [true, false])
  func `rejects another user`(isPrivate: Bool) async throws {
    let scene = try Scene(root: "/")
    let error = await #expect(throws: BusError.self) {
      try await scene.facts(isPrivate: isPrivate) { _, honest in
        BusCredentials(processID: honest.processID, userID: getuid() + 1)
      }
    }
    #expect(error?.name == .accessDenied)
  }

  @Test
  func `rejects a caller that disconnects before its user is known, on a bus that other users can reach`()
    async throws
  {
    let scene = try Scene(root: "/")
    for isPrivate in [true, false] {
      for isGone in [true, false] {
        let facts = Task { () async throws(BusError) in
          try await scene.facts(isPrivate: isPrivate) { _, honest async throws(BusError) in
            if isGone { throw BusError(.nameHasNoOwner, "gone") }
            return BusCredentials(processID: honest.processID, userID: nil)
          }
        }
        if isPrivate {
          #expect(try await facts.value == nil)
        } else {
          let error = await #expect(throws: BusError.self) { try await facts.value }
          #expect(error?.name == .accessDenied)
        }
      }
    }
  }

  @Test func `recognizes a bus that only its user can reach`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("own")
    typealias Dependencies = CallerIdentification.Dependencies
    for (mode, isPrivate) in [(0o700, true), (0o750, false), (0o777, false)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(directory.path)/own")
      #expect(Dependencies.isPrivate("unix:path=\(directory.path)/own/bus,guid=1") == isPrivate)
    }
    for address in ["unix:abstract=/tmp/x", "tcp:host=localhost", "unix:path=/tmp/bus", "", "unix:path=bus"] {
      #expect(!Dependencies.isPrivate(address), "\(address)")
    }
  }

  // MARK: Sandboxes

  private static let info = "[Application]\nname=org.box.App\n\n[Instance]\ninstance-id=4711\n"

  @Test func `identifies a Flatpak whose instance confirms it`() async throws {
    let scene = try Scene()
    try scene.flatpak(Self.info, kept: "4711")
    #expect(
      identify(try await scene.facts(), claim: "org.example.Chat") == (try known("org.box.App", .sandbox)))
  }

  /// Occupies all places that a caller can have for files that may hang, until `released` is signalled as often.
  private static func occupyPlaces(
    of caller: String, in looks: BlockingCallPool, until released: DispatchSemaphore
  ) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<BrokerLimits.maximumBlockingCalls {
        group.addTask { _ = await looks.find(for: caller) { released.wait() } }
      }
    }
  }

  private static func release(_ released: DispatchSemaphore) {
    for _ in 0..<BrokerLimits.maximumBlockingCalls { released.signal() }
  }

  /// Looks at a caller until its files respond in time, because the time is short and the machine may be busy.
  private static func completeLook(
    at scene: Scene, by identification: CallerIdentification
  ) async throws -> CallerCredentials {
    let name = scene.name
    return try await withDeadline(Command.defaultDeadline, "a complete look") {
      while true {
        if let look = try await identification.look(at: name), look.isComplete { return look.facts }
        try Task.checkCancellation()
      }
    }
  }

  @Test func `identifies a Flatpak while the files of another caller hang`() async throws {
    let scene = try Scene()
    try scene.flatpak(Self.info, kept: "4711")
    let identification = scene.identification(timeout: .milliseconds(300))
    let released = DispatchSemaphore(value: 0)
    await Self.occupyPlaces(of: "another.service", in: identification.looks, until: released)
    defer { Self.release(released) }
    let facts = try await Self.completeLook(at: scene, by: identification)
    #expect(identify(facts) == (try known("org.box.App", .sandbox)))
  }

  /// A program in a container could start any number of processes, and hide the group of each.
  @Test func `reads the files of all callers whose control group it cannot read as those of one`()
    async throws
  {
    let scene = try Scene()
    try scene.hideGroup()
    let identification = scene.identification(timeout: .milliseconds(300))
    let released = DispatchSemaphore(value: 0)
    await Self.occupyPlaces(of: CallerIdentification.hiddenLooker, in: identification.looks, until: released)
    defer { Self.release(released) }
    #expect(try await identification.look(at: scene.name)?.isComplete == false)
  }

  @Test func `checks an application again whose files did not respond in time`() async throws {
    let scene = try Scene()
    try scene.flatpak(Self.info, kept: "4711")
    let id = try #require(ApplicationID("org.box.App"))
    let entry = DesktopEntry(file: KeyFile(bytes: Array("[Desktop Entry]\nType=Application\n".utf8)))
    let application = TargetApplication(id: id, entry: entry)
    let identification = scene.identification(timeout: .milliseconds(300))
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let connection = try await BusConnection.open(.address(bus.address))
    let instance = await ApplicationInstance(
      id, on: connection, identifyingBy: identification, introspectionTimeout: .seconds(1))
    let released = DispatchSemaphore(value: 0)
    await Self.occupyPlaces(of: "process \(scene.pid) of 1", in: identification.looks, until: released)
    #expect(try await identification.look(at: scene.name)?.isComplete == false)
    #expect(await instance.impostor(scene.name, claiming: application) != nil)
    #expect(await !instance.isChecked(scene.name))
    Self.release(released)
    _ = try await Self.completeLook(at: scene, by: identification)
    let name = scene.name
    try await withDeadline(Command.defaultDeadline, "a complete check") {
      while await instance.impostor(name, claiming: application) != nil { try Task.checkCancellation() }
    }
    #expect(await instance.isChecked(scene.name))
    // The next bus may give the unique name to another program.
    await instance.forgetOwner()
    #expect(await !instance.isChecked(scene.name))
    await connection.close()
  }

  /// A process of a sandbox can connect, pass the connection to a child, and exit.
  @Test func `refuses the owner of an application's name whose process cannot be inspected`() async throws {
    let scene = try Scene(root: "/")
    let id = try #require(ApplicationID("org.example.App"))
    let entry = DesktopEntry(file: KeyFile(bytes: Array("[Desktop Entry]\nType=Application\n".utf8)))
    let application = TargetApplication(id: id, entry: entry)
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let connection = try await BusConnection.open(.address(bus.address))
    let other = try await BusConnection.open(.address(bus.address))
    #expect(try await other.requestName("org.example.App") == .owned)
    let owner = try #require(try await connection.owner(of: "org.example.App"))
    let instance = await ApplicationInstance(
      id, on: connection, identifyingBy: scene.identification(timeout: Command.defaultDeadline),
      introspectionTimeout: .seconds(1))
    try await scene.end()
    let reason = await instance.impostor(owner, claiming: application)
    #expect(reason?.contains("a process that cannot be inspected") == true, "\(String(describing: reason))")
    #expect(await !instance.isChecked(owner))
    // It can release the name while it is checked.
    try await other.releaseName("org.example.App")
    #expect(await instance.impostor(owner, claiming: application) != nil)
    // The connection of an application that has exited is closed, and the next instance may be started.
    await other.close()
    try await withDeadline(Command.defaultDeadline, "a closed connection") {
      while await instance.impostor(owner, claiming: application) != nil { try Task.checkCancellation() }
    }
    await connection.close()
  }

  @Test(arguments: [nil, "4712"] as [String?])
  func `treats an information file without a confirming instance as a claim`(kept: String?) async throws {
    let scene = try Scene()
    try scene.flatpak(Self.info, kept: kept)
    #expect(identify(try await scene.facts()) == (try known("org.box.App", .claimed).sandboxed))
  }

  @Test func `rejects an information file that is a symbolic link, a directory or too long`() async throws {
    let long = Self.info + String(repeating: "#\n", count: FlatpakInfo.largestFile / 2)
    for make in ["link", "folder", "long"] {
      let scene = try Scene()
      switch make {
      case "link":
        try scene.tree.write(Self.info, to: "other")
        try scene.link("root/.flatpak-info", to: "../../other")
      case "folder": try scene.tree.makeDirectory("\(scene.pid)/root/.flatpak-info")
      default: try scene.tree.write(long, to: "\(scene.pid)/root/.flatpak-info")
      }
      #expect(try await scene.facts()?.confinement == .possible, "\(make)")
      #expect(identify(try await scene.facts(), claim: "org.example.Chat") == .unseen, "\(make)")
    }
  }

  @Test func `fails closed without permission to inspect the caller`() async throws {
    for missing in ["root", "ns/user", "ns/pid"] {
      let scene = try Scene(root: "/", cgroup: "\(Self.manager)/app.slice/app-org.example.Chat-1.scope")
      try FileManager.default.removeItem(atPath: "\(scene.tree.path)/\(scene.pid)/\(missing)")
      let source = identify(try await scene.facts())
      #expect(source == (try known("org.example.Chat", .unit).sandboxed), "\(missing)")
    }
  }

  @Test func `fails closed if the control group cannot be read`() async throws {
    let scene = try Scene(root: "/")
    #expect(try await scene.facts()?.mayBeSandboxed == false)
    try scene.hideGroup()
    let facts = try #require(try await scene.facts())
    #expect(facts.confinement == .possible && facts.group == nil)
  }

  @Test func `treats a process in another user namespace as possibly sandboxed`() async throws {
    let scene = try Scene(root: "/")
    try scene.link("ns/user", to: "user:[1]")
    #expect(identify(try await scene.facts(), claim: "org.example.Chat") == .unseen)
  }

  @Test func `treats a process in other namespaces as possibly sandboxed, and a service as not`()
    async throws
  {
    for (root, other, isSandboxed) in [
      ("/", ["pid"], true), ("/", ["pid", "mnt"], true), ("root", ["mnt"], true),
      // PrivateTmp= and ProtectSystem= of a service make a mount namespace, and schroot a root directory.
      ("/", ["mnt"], false), ("root", [], false),
    ] {
      let scene = try Scene(root: root)
      for kind in other { try scene.link("ns/\(kind)", to: "\(kind):[1]") }
      let facts = try #require(try await scene.facts())
      #expect(facts.confinement == (isSandboxed ? .possible : nil), "\(root) \(other)")
    }
    let scene = try Scene()
    try FileManager.default.removeItem(atPath: "\(scene.tree.path)/\(scene.pid)/ns/mnt")
    #expect(try await scene.facts()?.confinement == .possible)
  }

  @Test func `identifies a snap by its label and by its cgroup`() async throws {
    let group = "\(Self.manager)/app.slice/snap.chat.run-0d1f2e3a-0000-4000-8000-0123456789ab.scope"
    let scene = try Scene(cgroup: group)
    func identify(_ facts: CallerCredentials?) -> SourceApplication {
      SourceApplication.identify(
        facts, claim: nil, isInstalled: { $0.rawValue == "chat_run" }, owners: { _ in [] })
    }
    #expect(identify(try await scene.facts()) == (try known("chat_run", .unit).sandboxed))
    let labelled = try await scene.facts { _, honest in
      BusCredentials(
        processID: honest.processID, userID: honest.userID, securityLabel: "snap.chat.run (enforce)")
    }
    #expect(identify(labelled) == (try known("chat_run", .sandbox)))
  }
}
