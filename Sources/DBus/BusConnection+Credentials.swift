/// What the bus vouches for about a connection, as it was when it connected.
public struct BusCredentials: Hashable, Sendable {
  /// The process, which may have ended and its number been used again.
  public let processID: Int32?
  /// The user.
  public let userID: UInt32?
  /// The label that a security module gave it, without the final NUL.
  public let securityLabel: String?
  /// The process that connected, whoever has its number by now; no bus before dbus 1.15 tells it.
  public let processFD: UnixFD?

  /// What the bus would say of a process.
  public init(
    processID: Int32?, userID: UInt32?, securityLabel: String? = nil, processFD: UnixFD? = nil
  ) {
    self.processID = processID
    self.userID = userID
    self.securityLabel = securityLabel
    self.processFD = processFD
  }
}

extension BusConnection {
  /// Asks the bus who is behind `name`.
  public func credentials(of name: BusName) async throws(BusError) -> BusCredentials {
    let facts = try await call(BusDaemon.getConnectionCredentials, at: .bus, name.rawValue)
    var label: String?
    if case .bytes(let bytes) = facts["LinuxSecurityLabel"] {
      label = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    var process: UnixFD?
    if case .unixFD(let descriptor) = facts["ProcessFD"] { process = descriptor }
    return BusCredentials(
      processID: (facts["ProcessID"]?.integer).flatMap(Int32.init(exactly:)),
      userID: (facts["UnixUserID"]?.integer).flatMap(UInt32.init(exactly:)), securityLabel: label,
      processFD: process)
  }
}
