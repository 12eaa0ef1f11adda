// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The caller for which `org.usher.Broker1.Explain` decides instead of the actual one.
///
/// On the bus it is given by the options `as-application`, `as-assurance`, `as-sandboxed`, `as-installed` and `as-remote`.
public struct ExplainedCaller: Hashable, Sendable {
  /// The desktop-file ID of the application; `nil` for an unidentified program.
  public let application: String?
  /// The reliability of its identity.
  public let assurance: Assurance
  /// Indicates whether it is in a sandbox, or treated as if it were.
  public let isSandboxed: Bool
  /// The users that can change its installed files; `nil` to determine them on this desktop.
  public let installedBy: InstalledBy?
  /// The machine from which the request comes; `nil` for a program on this machine.
  public let remote: String?

  /// Creates a caller with a combination of properties that can occur.
  ///
  /// - Parameters:
  ///   - assurance: `nil` means `claimed` for an application and `unknown` without one.
  ///   - isSandboxed: `nil` means `true` if `assurance` is `sandbox`, otherwise `false`.
  ///   - installedBy: `nil` determines it on this desktop.
  ///   - remote: The machine of a request that comes through a relay, which has no application and is treated as sandboxed.
  /// - Throws: ``MessageError`` for a combination that cannot occur: an unknown application, an unnamed one that is
  ///   identified or installed, one identified by its sandbox but not sandboxed, and a claimed one installed by the
  ///   system.
  public init(
    application: String?, assurance: Assurance? = nil, isSandboxed: Bool? = nil,
    installedBy: InstalledBy? = nil, remote: String? = nil
  ) throws(MessageError) {
    self.application = application
    self.assurance = assurance ?? (application == nil ? .unknown : .claimed)
    self.isSandboxed = isSandboxed ?? (assurance == .sandbox || remote != nil)
    self.installedBy = installedBy
    self.remote = remote
    guard remote == nil || application == nil && self.isSandboxed else {
      throw MessageError(
        .wrongValue(allowed: "omitted with as-application and with as-sandboxed=false"), at: Self.remoteKey)
    }
    guard (application == nil) == (self.assurance == .unknown) else {
      throw MessageError(
        .wrongValue(
          allowed: application == nil
            ? "“unknown” if as-application is absent"
            : "claimed, executable, unit or sandbox if as-application is given"), at: Self.assuranceKey)
    }
    guard self.isSandboxed || self.assurance != .sandbox else {
      throw MessageError(.wrongValue(allowed: "true if as-assurance is “sandbox”"), at: Self.sandboxedKey)
    }
    guard installedBy == nil || application != nil else {
      throw MessageError(
        .wrongValue(allowed: "omitted unless as-application is given"), at: Self.installedKey)
    }
    guard installedBy != .system || self.assurance >= .executable else {
      throw MessageError(
        .wrongValue(allowed: "“user” if as-assurance is “claimed”"), at: Self.installedKey)
    }
  }

  private static let applicationKey = "as-application"
  private static let assuranceKey = "as-assurance"
  private static let sandboxedKey = "as-sandboxed"
  private static let installedKey = "as-installed"
  private static let remoteKey = "as-remote"

  /// Removes the options from those of a call and returns the caller; `nil` if there are none.
  /// - Throws: ``MessageError`` with the option.
  public static func extract(from entries: inout [String: Variant]) throws(MessageError) -> ExplainedCaller? {
    let application = try text(take(applicationKey, from: &entries), of: applicationKey)
    let level = try text(take(assuranceKey, from: &entries), of: assuranceKey)
    let isSandboxed = try truth(take(sandboxedKey, from: &entries), of: sandboxedKey)
    let installed = try text(take(installedKey, from: &entries), of: installedKey)
    let remote = try text(take(remoteKey, from: &entries), of: remoteKey)
    guard application != nil || level != nil || isSandboxed != nil || installed != nil || remote != nil else {
      return nil
    }
    var installedBy: InstalledBy?
    if let installed {
      installedBy = InstalledBy(rawValue: installed)
      guard installedBy != nil else {
        throw MessageError(.wrongValue(allowed: "one of: system, user"), at: installedKey)
      }
    }
    var assurance: Assurance?
    if let level {
      assurance = Assurance(rawValue: level)
      guard assurance != nil else {
        let known = Assurance.allCases.map(\.rawValue).joined(separator: ", ")
        throw MessageError(.wrongValue(allowed: "one of: \(known)"), at: assuranceKey)
      }
    }
    return try ExplainedCaller(
      application: application, assurance: assurance, isSandboxed: isSandboxed, installedBy: installedBy,
      remote: remote)
  }

  /// The options on the bus.
  public var entries: [String: Variant] {
    var entries: [String: Variant] = [
      Self.assuranceKey: .string(assurance.rawValue), Self.sandboxedKey: .boolean(isSandboxed),
    ]
    entries[Self.applicationKey] = application.map(Variant.string)
    entries[Self.remoteKey] = remote.map(Variant.string)
    entries[Self.installedKey] = installedBy.map { .string($0.rawValue) }
    return entries
  }

  private static func take(_ key: String, from entries: inout [String: Variant]) -> Variant? {
    var value = entries.removeValue(forKey: key)
    // Some callers wrap a value in more variants than `a{sv}` requires.
    while case .variant(let inner)? = value { value = inner }
    return value
  }

  private static func text(_ value: Variant?, of key: String) throws(MessageError) -> String? {
    guard let value else { return nil }
    guard let text = value.string else {
      throw MessageError(
        .wrongType(found: "of type \(value.signature)", expected: "a string (s)"), at: key)
    }
    return text
  }

  private static func truth(_ value: Variant?, of key: String) throws(MessageError) -> Bool? {
    guard let value else { return nil }
    guard let truth = value.boolean else {
      throw MessageError(
        .wrongType(found: "of type \(value.signature)", expected: "a boolean (b)"), at: key)
    }
    return truth
  }
}
