// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching
import RouteTables
import Systemd

/// A reader of the credentials of callers that is safe against reused process IDs.
struct CallerIdentification: Sendable {
  /// The sources of the credentials, which tests replace.
  struct Dependencies: Sendable {
    /// The function that returns the credentials of a connection, which the bus guarantees.
    var credentials: @Sendable (BusName) async throws(BusError) -> BusCredentials
    /// A Boolean value that indicates whether only the user can reach the bus.
    var isPrivate: Bool
    /// The path of the proc file system.
    var processes = "/proc"
    /// The directory with Flatpak's information on its instances: `$XDG_RUNTIME_DIR`.
    var runtimeDirectory: String?
    /// The relay, whose requests come from other machines: beside this program as built, and as installed.
    var relays = [UsherProgram(at: "usher-remote"), UsherProgram(at: "../libexec/usher/usher-remote")]
    /// The user ID of this broker.
    var user = getuid()
  }

  /// The credentials of a caller and its process.
  struct Look: Sendable {
    let facts: CallerCredentials
    let process: PinnedProcess
    /// A Boolean value that indicates whether Flatpak's file responded in time, if the process has another root directory, and the relay's,
    /// if its program has the path of the relay.
    ///
    /// Otherwise the process counts as one that may be in a sandbox, and a later look may find more.
    let isComplete: Bool
  }

  /// The caller for whom files of all processes are read whose control group cannot be read.
  static let hiddenLooker = "processes whose control group cannot be read"

  let dependencies: Dependencies
  let looks: BlockingCallPool
  private let loop: EventLoop

  /// Creates a reader.
  ///
  /// - Parameter timeout: The timeout for files that may be on a file system that hangs.
  init(_ dependencies: Dependencies, on loop: EventLoop, timeout: Duration = BrokerLimits.silentFile) {
    self.dependencies = dependencies
    self.loop = loop
    looks = BlockingCallPool(on: loop, timeout: timeout, capacity: BrokerLimits.maximumBlockingCalls)
  }

  /// Returns the credentials of the connection `sender`; `nil` if they cannot be read safely.
  ///
  /// - Throws: `AccessDenied` if the caller is another user, or may be one.
  func facts(of sender: BusName) async throws(BusError) -> CallerCredentials? {
    try await look(at: sender)?.facts
  }

  /// Returns whether the process of a connection may be in a sandbox; `true` if nothing is known about it.
  func mayBeSandboxed(_ connection: BusName) async -> Bool {
    let facts = try? await facts(of: connection)
    return SourceApplication.identify(facts, claim: nil, isInstalled: { _ in false }, owners: { _ in [] })
      .mayBeSandboxed
  }

  /// Returns the credentials of a caller and its process; `nil` if they cannot be read safely.
  ///
  /// - Throws: `AccessDenied` if the caller is another user, or may be one.
  func look(at requester: CallerEndpoint) async throws(BusError) -> Look? {
    switch requester {
    case .connection(let name): try await look(at: name)
    case .peer(let peer): try await look(at: peer)
    }
  }

  /// Returns whether the process of a caller on the bus has certainly exited.
  func hasExited(_ endpoint: CallerEndpoint) async -> Bool {
    guard case .connection(let sender) = endpoint else { return false }
    do throws(BusError) {
      guard let pid = try await dependencies.credentials(sender).processID else { return false }
      if let process = ProcessHandle(pid: pid) { return !process.isAlive }
      return kill(pid, 0) != 0 && errno == ESRCH
    } catch {
      // After another error, the caller may still wait for its answer.
      return error.busFailure == .nameHasNoOwner
    }
  }

  /// Returns the credentials of the process behind a bus connection; `nil` if they cannot be read safely.
  ///
  /// The process is pinned by a pidfd. The bus provides one of the connecting process if it can. Otherwise the broker
  /// opens one between two queries to the bus, for a process that started before the call arrived. The result is valid
  /// only if the process is still alive afterwards.
  ///
  /// - Throws: `AccessDenied` if the caller is another user, or may be one.
  func look(at sender: BusName) async throws(BusError) -> Look? {
    let arrival = ProcDirectory.now
    guard let first = try? await dependencies.credentials(sender) else {
      // The connection is closed. On a bus that only the user can reach, it was the user's nevertheless.
      return try unidentified(unless: dependencies.isPrivate)
    }
    guard let user = first.userID else { return try unidentified(unless: dependencies.isPrivate) }
    guard user == dependencies.user else { return try unidentified(unless: false) }
    let handed = first.processFD.flatMap { ProcessHandle(duplicating: $0.rawValue) }
    guard first.processFD == nil || handed != nil else { return nil }
    guard let process = handed ?? first.processID.flatMap({ ProcessHandle(pid: $0) }) else { return nil }
    if handed == nil {
      guard let second = try? await dependencies.credentials(sender), second == first else { return nil }
    }
    return await look(at: process, since: handed == nil ? arrival : nil, first.securityLabel)
  }

  /// Returns the credentials of the peer at a socket, which the kernel provides without a query.
  func look(at peer: SeqPacketConnection) async throws(BusError) -> Look? {
    guard peer.userID == dependencies.user else { return try unidentified(unless: false) }
    guard let process = peer.process else { return nil }
    return await look(at: process, since: nil, peer.securityLabel)
  }

  /// Reads the credentials of a process.
  ///
  /// - Parameter arrival: The arrival time of the call, if the process may be a later one with the same ID; otherwise
  ///   `nil`.
  private func look(at process: ProcessHandle, since arrival: UInt64?, _ label: String?) async -> Look? {
    guard let directory = ProcDirectory(of: process.pid, below: dependencies.processes),
      let startTime = directory.startTime, arrival.map({ startTime <= $0 }) ?? true
    else { return nil }
    let (facts, isComplete) = await read(
      directory, label: label, process: "process \(process.pid) of \(startTime)")
    guard process.isAlive else { return nil }
    return Look(
      facts: facts, process: PinnedProcess(handle: process, directory: directory), isComplete: isComplete)
  }

  /// Starts to read the session of a caller's process; `nil` for a sandboxed one, which may have any display.
  func session(of process: PinnedProcess, _ facts: CallerCredentials) -> Task<CallerSession, Never>? {
    guard facts.confinement == nil else { return nil }
    return loop.start { [looks] in
      CallerSession((await looks.find(for: facts.looker) { process.directory.environment } ?? nil) ?? [:])
    }
  }

  private func unidentified<Found>(unless isOurs: Bool) throws(BusError) -> Found? {
    guard isOurs else { throw BusError(.accessDenied, "only the user of this session may call the broker") }
    return nil
  }

  private func read(
    _ directory: ProcDirectory, label: String?, process: String
  ) async -> (facts: CallerCredentials, isComplete: Bool) {
    var facts = CallerCredentials(securityLabel: label, process: process)
    let group = directory.content(of: "cgroup")
    if case .bytes(let bytes) = group {
      facts.group = ControlGroup(text: String(decoding: bytes, as: UTF8.self), user: dependencies.user)
    }
    // Otherwise each process of one container would be a caller of its own.
    let looker = group == .unreadable ? Self.hiddenLooker : facts.looker
    facts.program = directory.program.map {
      CallerCredentials.Program(path: $0.path, file: "\($0.file.device):\($0.file.inode)")
    }
    let hasOurRoot = directory.hasOurRoot
    var information: ProcDirectory.RootFile?
    if hasOurRoot == false {
      information = await looks.find(for: looker) {
        directory.fileInRoot(".flatpak-info", upTo: FlatpakInfo.largestFile)
      }
    }
    var isComplete = hasOurRoot != false || information != nil
    facts.confinement = confinement(of: directory, hasOurRoot: hasOurRoot, information)
    if facts.confinement == nil {
      switch await isRelay(facts.program, for: looker) {
      case true?:
        // The relay has no rights of its own: it parses what other machines send. It remains a relay after an upgrade.
        facts.isRelay = true
        facts.confinement = .possible
      case false?: break
      case nil:
        facts.confinement = .possible
        isComplete = false
      }
    }
    // Outside a container, programs choose the names of their groups and files; these names only take rights away.
    // A process in a container may create a group whose path is too long for some kernels to show, and move there.
    if facts.confinement == nil,
      group == .unreadable || facts.group?.container != nil || facts.program?.isBusProxy == true
    {
      facts.confinement = .possible
    }
    // The requests of a relay count as those of its machine, whatever surrounds the relay itself.
    if facts.confinement == .possible, !facts.isRelay {
      facts.containerLabel = await containerLabel(in: directory, for: looker)
    }
    return (facts, isComplete)
  }

  /// Returns whether a program is the relay; `nil` if the file of the relay does not respond in time.
  ///
  /// The file may be in the home directory. It is read only for a program at its path.
  private func isRelay(_ program: CallerCredentials.Program?, for looker: String) async -> Bool? {
    guard let program else { return false }
    guard !dependencies.relays.contains(where: { $0.wasReplaced(in: program) }) else { return true }
    let relays = dependencies.relays.filter { $0.path == program.path }
    guard !relays.isEmpty else { return false }
    return await looks.find(for: looker) { relays.contains { $0.isRun(as: program) } }
  }

  /// Returns the sandbox of a process; `nil` if it is certainly outside one.
  ///
  /// - Parameter information: Flatpak's file in the root of the process, if that is not ours; `nil` if it did not respond in time.
  private func confinement(
    of directory: ProcDirectory, hasOurRoot: Bool?, _ information: ProcDirectory.RootFile?
  ) -> CallerCredentials.Confinement? {
    guard let hasOurRoot else { return .possible }
    if !hasOurRoot {
      switch information {
      case .bytes(let bytes):
        let info = FlatpakInfo(bytes: bytes)
        return .flatpak(info, isConfirmed: isKept(bytes, of: info.instance))
      case .missing: break
      case .unreadable, nil: return .possible
      }
    }
    // The namespaces of processes and mounts show sandboxes without a user namespace of their own, as firejail and Podman
    // make them. Services have a mount namespace of their own, too, but the root directory is the machine's.
    guard directory.isInOurUserNamespace == true, directory.isInOurProcessNamespace == true,
      hasOurRoot || directory.isInOurMountNamespace == true
    else { return .possible }
    return nil
  }

  /// Returns the name that a container gives itself in the file of Podman, Toolbx and Distrobox; `nil` if there is none.
  private func containerLabel(in directory: ProcDirectory, for caller: String) async -> String? {
    let file = await looks.find(for: caller) {
      directory.fileInRoot("run/.containerenv", upTo: Self.longestLabelFile)
    }
    guard case .bytes(let bytes)? = file else { return nil }
    return CallerContainer.label(in: bytes)
  }

  private static let longestLabelFile = 4_096

  /// Returns whether Flatpak's own file for that instance, which it writes before it creates the sandbox, has the same content.
  private func isKept(_ bytes: [UInt8], of instance: String?) -> Bool {
    guard let instance, let directory = dependencies.runtimeDirectory else { return false }
    return LocalFiles().read("\(directory)/.flatpak/\(instance)/info") == .bytes(bytes)
  }
}

extension CallerCredentials {
  /// The caller for whom files are read before it is identified: its unit or container, otherwise its process.
  ///
  /// A program in a sandbox can neither leave its unit or container nor choose its name.
  fileprivate var looker: String { group?.userUnit ?? group?.container?.unit ?? process ?? "" }
}

extension CallerIdentification.Dependencies {
  /// Creates the sources of a broker on `bus`.
  init(_ bus: BusConnection, runtimeDirectory: String?) {
    self.init(
      credentials: { name async throws(BusError) in try await bus.credentials(of: name) },
      isPrivate: (try? bus.address.resolved()).map(Self.isPrivate) ?? false,
      runtimeDirectory: runtimeDirectory)
  }

  /// Returns whether the address belongs to a socket in a directory that only the user can enter.
  static func isPrivate(_ address: String) -> Bool {
    guard address.hasPrefix("unix:path="), !address.contains(";") else { return false }
    let path = address.dropFirst("unix:path=".count).prefix { $0 != "," }
    guard !path.contains("%"), let slash = path.unicodeScalars.lastIndex(of: "/") else { return false }
    var status = stat()
    guard stat(String(path[..<slash]) + "/", &status) == 0 else { return false }
    return status.st_uid == getuid() && status.st_mode & 0o077 == 0
  }
}
