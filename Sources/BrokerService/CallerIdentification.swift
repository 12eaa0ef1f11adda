import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import RouteTables
import Systemd

/// Reads who is behind a call, safe against process numbers that are used again.
struct CallerIdentification: Sendable {
  /// What it asks, so that tests may answer otherwise.
  struct Dependencies: Sendable {
    /// What the bus vouches for about a connection.
    var credentials: @Sendable (BusName) async throws(BusError) -> BusCredentials
    /// Whether nobody but the user can reach the bus.
    var isPrivate: Bool
    /// Where the kernel's folders of processes are.
    var processes = "/proc"
    /// Where Flatpak keeps what it knows of its instances: `$XDG_RUNTIME_DIR`.
    var runtimeDirectory: String?
    /// The user whose broker this is.
    var user = getuid()
  }

  let dependencies: Dependencies
  let looks: BlockingCallPool

  /// Reads by `dependencies`; what hangs is waited for as long as `timeout`.
  init(_ dependencies: Dependencies, on loop: EventLoop, timeout: Duration = .seconds(2)) {
    self.dependencies = dependencies
    looks = BlockingCallPool(on: loop, timeout: timeout)
  }

  /// What can be read about the connection `sender`; `nil` when nothing can be read safely.
  ///
  /// - Throws: `AccessDenied` when the caller is another user, or may be one.
  func facts(of sender: BusName) async throws(BusError) -> CallerCredentials? {
    try await look(at: sender)?.facts
  }

  /// What can be read about whoever asks, with the process that was looked at.
  ///
  /// - Throws: `AccessDenied` when the caller is another user, or may be one.
  func look(
    at requester: CallerEndpoint
  ) async throws(BusError) -> (facts: CallerCredentials, process: PinnedProcess)? {
    switch requester {
    case .connection(let name): try await look(at: name)
    case .peer(let peer): try await look(at: peer)
    }
  }

  /// The same of whoever is behind a connection of the bus.
  ///
  /// The process is pinned by a pidfd: the bus's own, of the very process that connected, where it has one; else one that
  /// is made between two questions to the bus, to a process that began before the call came. All that was read counts only
  /// if the process still lives afterwards.
  ///
  /// - Throws: `AccessDenied` when the caller is another user, or may be one.
  func look(at sender: BusName) async throws(BusError) -> (facts: CallerCredentials, process: PinnedProcess)?
  {
    let arrival = ProcDirectory.now
    guard let first = try? await dependencies.credentials(sender) else {
      // It has gone. On a bus that only the user can reach it was the user's all the same.
      return try nobody(unless: dependencies.isPrivate)
    }
    guard let user = first.userID else { return try nobody(unless: dependencies.isPrivate) }
    guard user == dependencies.user else { return try nobody(unless: false) }
    let handed = first.processFD.flatMap { ProcessHandle(duplicating: $0.rawValue) }
    guard first.processFD == nil || handed != nil else { return nil }
    guard let process = handed ?? first.processID.flatMap({ ProcessHandle(pid: $0) }) else { return nil }
    if handed == nil {
      guard let second = try? await dependencies.credentials(sender), second == first else { return nil }
    }
    return await look(at: process, since: handed == nil ? arrival : nil, first.securityLabel)
  }

  /// The same of whoever is at the other end of a socket: the kernel tells it without a question.
  func look(at peer: SeqPacketConnection) async throws(BusError) -> (
    facts: CallerCredentials, process: PinnedProcess
  )? {
    guard peer.userID == dependencies.user else { return try nobody(unless: false) }
    guard let process = peer.process else { return nil }
    return await look(at: process, since: nil, peer.securityLabel)
  }

  /// Reads what there is about a process.
  ///
  /// - Parameter arrival: when its call came, where the process may be a later one with the same number.
  private func look(
    at process: ProcessHandle, since arrival: UInt64?, _ label: String?
  ) async -> (facts: CallerCredentials, process: PinnedProcess)? {
    guard let directory = ProcDirectory(of: process.pid, below: dependencies.processes),
      let startTime = directory.startTime, arrival.map({ startTime <= $0 }) ?? true
    else { return nil }
    let facts = await read(directory, label, "process \(process.pid) of \(startTime)")
    return process.isAlive ? (facts, PinnedProcess(handle: process, directory: directory)) : nil
  }

  private func nobody<Found>(unless isOurs: Bool) throws(BusError) -> Found? {
    guard isOurs else { throw BusError(.accessDenied, "only the user whose session this is may ask") }
    return nil
  }

  private func read(
    _ directory: ProcDirectory, _ label: String?, _ process: String
  ) async -> CallerCredentials {
    var facts = CallerCredentials(securityLabel: label, process: process)
    facts.group = directory.text(of: "cgroup").map { ControlGroup(text: $0, user: dependencies.user) }
    facts.program = directory.program.map {
      CallerCredentials.Program(path: $0.path, file: "\($0.file.device):\($0.file.inode)")
    }
    facts.confinement = await confinement(of: directory)
    return facts
  }

  private func confinement(of directory: ProcDirectory) async -> CallerCredentials.Confinement? {
    guard let hasOurRoot = directory.hasOurRoot else { return .possible }
    if !hasOurRoot {
      switch await looks.find({ directory.fileInRoot(".flatpak-info", upTo: FlatpakInfo.largestFile) }) {
      case .bytes(let bytes):
        let info = FlatpakInfo(bytes: bytes)
        return .flatpak(info, isConfirmed: isKept(bytes, of: info.instance))
      case .missing: break
      case .unreadable, nil: return .possible
      }
    }
    return directory.isInOurUserNamespace == true ? nil : .possible
  }

  /// Whether Flatpak keeps the same of that instance, where it has written it before the sandbox was made.
  private func isKept(_ bytes: [UInt8], of instance: String?) -> Bool {
    guard let instance, let directory = dependencies.runtimeDirectory else { return false }
    return LocalFiles().read("\(directory)/.flatpak/\(instance)/info") == .bytes(bytes)
  }
}

extension CallerIdentification.Dependencies {
  /// The real ones of a broker on `bus`.
  init(_ bus: BusConnection, runtimeDirectory: String?) {
    self.init(
      credentials: { name async throws(BusError) in try await bus.credentials(of: name) },
      isPrivate: (try? bus.address.resolved()).map(Self.isPrivate) ?? false,
      runtimeDirectory: runtimeDirectory)
  }

  /// Whether the address is that of a socket in a folder which only its owner, the user, may enter.
  static func isPrivate(_ address: String) -> Bool {
    guard address.hasPrefix("unix:path="), !address.contains(";") else { return false }
    let path = address.dropFirst("unix:path=".count).prefix { $0 != "," }
    guard !path.contains("%"), let slash = path.lastIndex(of: "/") else { return false }
    var status = stat()
    guard stat(String(path[..<slash]) + "/", &status) == 0 else { return false }
    return status.st_uid == getuid() && status.st_mode & 0o077 == 0
  }
}
