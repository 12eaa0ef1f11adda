public import DBus

/// The caller for which `org.usher.Broker1.Explain` decides in the place of its own.
///
/// On the bus these are the options `as-application`, `as-assurance` and `as-sandboxed`.
public struct ExplainedCaller: Hashable, Sendable {
  /// The application, by desktop-file ID; `nil` for a program that cannot be named.
  public let application: String?
  /// How surely it is known.
  public let assurance: Assurance
  /// Whether it is in a sandbox, or treated as if it were.
  public let isSandboxed: Bool

  /// A caller as the broker could meet it.
  ///
  /// - Parameters:
  ///   - assurance: where it is absent, `claimed` for an application and `unknown` for none.
  ///   - isSandboxed: where it is absent, whether `assurance` is `sandbox`.
  /// - Throws: ``MessageError`` for a combination that does not exist: an application that is unknown, an unnamed one that is
  ///   known, and one that is known by its sandbox and outside of it.
  public init(
    application: String?, assurance: Assurance? = nil, isSandboxed: Bool? = nil
  ) throws(MessageError) {
    self.application = application
    self.assurance = assurance ?? (application == nil ? .unknown : .claimed)
    self.isSandboxed = isSandboxed ?? (assurance == .sandbox)
    guard (application == nil) == (self.assurance == .unknown) else {
      throw MessageError(
        .wrongValue(
          allowed: application == nil
            ? "unknown where no application is named"
            : "claimed, executable, unit or sandbox for an application"), at: Self.assuranceKey)
    }
    guard self.isSandboxed || self.assurance != .sandbox else {
      throw MessageError(.wrongValue(allowed: "true for the assurance sandbox"), at: Self.sandboxedKey)
    }
  }

  private static let applicationKey = "as-application"
  private static let assuranceKey = "as-assurance"
  private static let sandboxedKey = "as-sandboxed"

  /// Takes the options out of those of a call; `nil` where there are none of them.
  /// - Throws: ``MessageError`` naming the option.
  public static func taken(from entries: inout [String: Variant]) throws(MessageError) -> ExplainedCaller? {
    let application = try text(take(applicationKey, from: &entries), of: applicationKey)
    let level = try text(take(assuranceKey, from: &entries), of: assuranceKey)
    let isSandboxed = try truth(take(sandboxedKey, from: &entries), of: sandboxedKey)
    guard application != nil || level != nil || isSandboxed != nil else { return nil }
    var assurance: Assurance?
    if let level {
      assurance = Assurance(rawValue: level)
      guard assurance != nil else {
        let known = Assurance.allCases.map(\.rawValue).joined(separator: ", ")
        throw MessageError(.wrongValue(allowed: "one of: \(known)"), at: assuranceKey)
      }
    }
    return try ExplainedCaller(application: application, assurance: assurance, isSandboxed: isSandboxed)
  }

  /// The options on the bus.
  public var entries: [String: Variant] {
    var entries: [String: Variant] = [
      Self.assuranceKey: .string(assurance.rawValue), Self.sandboxedKey: .boolean(isSandboxed),
    ]
    entries[Self.applicationKey] = application.map(Variant.string)
    return entries
  }

  private static func take(_ key: String, from entries: inout [String: Variant]) -> Variant? {
    var value = entries.removeValue(forKey: key)
    // Some callers wrap a value in one variant more than `a{sv}` asks for.
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
