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
  struct Surroundings: Sendable {
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

  let surroundings: Surroundings
  let looks: SlowLooks

  /// Reads by `surroundings`; what hangs is waited for as long as `patience`.
  init(_ surroundings: Surroundings, on loop: EventLoop, patience: Duration = .seconds(2)) {
    self.surroundings = surroundings
    looks = SlowLooks(on: loop, patience: patience)
  }

  /// What can be read about the connection `sender`; `nil` when nothing can be read safely.
  ///
  /// - Throws: `AccessDenied` when the caller is another user, or may be one.
  func facts(of sender: BusName) async throws(BusError) -> CallerFacts? {
    try await look(at: sender)?.facts
  }

  /// What can be read about whoever asks, with the process that was looked at.
  ///
  /// - Throws: `AccessDenied` when the caller is another user, or may be one.
  func look(
    at requester: Requester
  ) async throws(BusError) -> (facts: CallerFacts, process: CallerProcess)? {
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
  func look(at sender: BusName) async throws(BusError) -> (facts: CallerFacts, process: CallerProcess)? {
    let arrival = ProcessFolder.now
    guard let first = try? await surroundings.credentials(sender) else {
      // It has gone. On a bus that only the user can reach it was the user's all the same.
      return try nobody(unless: surroundings.isPrivate)
    }
    guard let user = first.userID else { return try nobody(unless: surroundings.isPrivate) }
    guard user == surroundings.user else { return try nobody(unless: false) }
    let handed = first.processFD.flatMap { ProcessHandle(duplicating: $0.rawValue) }
    guard first.processFD == nil || handed != nil else { return nil }
    guard let process = handed ?? first.processID.flatMap({ ProcessHandle(pid: $0) }) else { return nil }
    if handed == nil {
      guard let second = try? await surroundings.credentials(sender), second == first else { return nil }
    }
    return await look(at: process, since: handed == nil ? arrival : nil, first.securityLabel)
  }

  /// The same of whoever is at the other end of a socket: the kernel tells it without a question.
  func look(at peer: PacketPeer) async throws(BusError) -> (facts: CallerFacts, process: CallerProcess)? {
    guard peer.userID == surroundings.user else { return try nobody(unless: false) }
    guard let process = peer.process else { return nil }
    return await look(at: process, since: nil, peer.securityLabel)
  }

  /// Reads what there is about a process.
  ///
  /// - Parameter arrival: when its call came, where the process may be a later one with the same number.
  private func look(
    at process: ProcessHandle, since arrival: UInt64?, _ label: String?
  ) async -> (facts: CallerFacts, process: CallerProcess)? {
    guard let folder = ProcessFolder(of: process.pid, below: surroundings.processes),
      let beginning = folder.beginning, arrival.map({ beginning <= $0 }) ?? true
    else { return nil }
    let facts = await read(folder, label, "process \(process.pid) of \(beginning)")
    return process.isAlive ? (facts, CallerProcess(handle: process, folder: folder)) : nil
  }

  private func nobody<Found>(unless isOurs: Bool) throws(BusError) -> Found? {
    guard isOurs else { throw BusError(.accessDenied, "only the user whose session this is may ask") }
    return nil
  }

  private func read(
    _ folder: ProcessFolder, _ label: String?, _ process: String
  ) async -> CallerFacts {
    var facts = CallerFacts(securityLabel: label, process: process)
    facts.group = folder.text(of: "cgroup").map { ControlGroup(text: $0, user: surroundings.user) }
    facts.program = folder.program.map {
      CallerFacts.Program(path: $0.path, file: "\($0.file.device):\($0.file.inode)")
    }
    facts.confinement = await confinement(of: folder)
    return facts
  }

  private func confinement(of folder: ProcessFolder) async -> CallerFacts.Confinement? {
    guard let hasOurRoot = folder.hasOurRoot else { return .possible }
    if !hasOurRoot {
      switch await looks.find({ folder.fileInRoot(".flatpak-info", upTo: FlatpakInfo.largestFile) }) {
      case .bytes(let bytes):
        let info = FlatpakInfo(bytes: bytes)
        return .flatpak(info, isConfirmed: isKept(bytes, of: info.instance))
      case .missing: break
      case .unreadable, nil: return .possible
      }
    }
    return folder.isInOurUserNamespace == true ? nil : .possible
  }

  /// Whether Flatpak keeps the same of that instance, where it has written it before the sandbox was made.
  private func isKept(_ bytes: [UInt8], of instance: String?) -> Bool {
    guard let instance, let folder = surroundings.runtimeDirectory else { return false }
    return LocalFiles().read("\(folder)/.flatpak/\(instance)/info") == .bytes(bytes)
  }
}

extension CallerIdentification.Surroundings {
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
