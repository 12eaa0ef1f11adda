// SPDX-License-Identifier: Apache-2.0
/// The credentials of a connection, recorded by the bus when it connected.
public struct BusCredentials: Hashable, Sendable {
  /// The process ID, which may have been reused by another process.
  public let processID: Int32?
  /// The user ID.
  public let userID: UInt32?
  /// The label of a security module, without the final NUL.
  public let securityLabel: String?
  /// A descriptor of the process that connected, independent of reused process IDs; `nil` with dbus before 1.15.
  public let processFD: UnixFD?

  /// Creates credentials as the bus would report them.
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
  /// Asks the bus for the credentials of the owner of `name`.
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
