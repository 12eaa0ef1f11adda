// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching

/// The data of a stored request besides its parts: what another broker needs to answer the caller.
struct PersistedDetails {
  private static let source = "org.usher.source"
  private static let assurance = "org.usher.assurance"
  private static let via = "org.usher.via"
  private static let sandboxed = "org.usher.sandboxed"
  private static let sandbox = "org.usher.sandbox"
  private static let machine = "org.usher.remote"
  private static let session = "org.usher.session"

  var options: OpenOptions
  let source: SourceApplication
  /// The application whose sandbox the caller is in, if `source` is a part of it.
  let sandbox: ApplicationID?
  /// The session in which programs are started.
  let session: CallerSession
  /// A Boolean value that indicates whether all options are stored, because the request may be decided again.
  private let isComplete: Bool

  /// Creates the data of a request.
  ///
  /// - Parameter isComplete: Whether all options are stored; they are also stored if a fallback may follow.
  init(
    options: OpenOptions, source: SourceApplication, facts: ActiveRequest.SourceFacts,
    isComplete: Bool = false
  ) {
    self.isComplete = isComplete || options.fallback != nil
    self.options = options
    self.source = source
    sandbox = facts.sandbox?.id
    session = facts.session
  }

  /// Parses the stored form.
  init(_ text: String) throws(MessageError) {
    var entries = try [String: Variant](json: text)
    source = SourceApplication(
      id: entries.removeValue(forKey: Self.source)?.string,
      assurance: entries.removeValue(forKey: Self.assurance)?.string,
      via: entries.removeValue(forKey: Self.via)?.string,
      machine: entries.removeValue(forKey: Self.machine)?.string,
      isSandboxed: entries.removeValue(forKey: Self.sandboxed) == .boolean(true))
    sandbox = entries.removeValue(forKey: Self.sandbox)?.string.flatMap { ApplicationID(rawValue: $0) }
    let session = entries.removeValue(forKey: Self.session)?.entries ?? [:]
    self.session = CallerSession(session.compactMapValues(\.string))
    options = try OpenOptions(entries)
    isComplete = true
  }

  /// The stored form, as a line of JSON: all options if they may be needed again, otherwise only those of the reply.
  var text: String {
    guard isComplete else {
      var reply = OpenOptions()
      reply.wait = options.wait
      reply.requestID = options.requestID
      return JSONText.line(reply.entries.merging(stored) { $1 })
    }
    var entries = options.entries.merging(stored) { $1 }
    entries[OpenOptions.sessionKey] = nil
    entries[Self.source] = source.id.map { .string($0.rawValue) }
    entries[Self.assurance] = .string(source.assurance.rawValue)
    entries[Self.sandboxed] = source.mayBeSandboxed ? .boolean(true) : nil
    entries[Self.sandbox] = sandbox.map { .string($0.rawValue) }
    entries[Self.machine] = source.machine.map { .string($0.name) }
    entries[Self.via] = source.via.map { .string($0.rawValue) }
    return JSONText.line(entries)
  }

  private var stored: [String: Variant] {
    guard session != .unknown else { return [:] }
    return [Self.session: .dictionary(session.variables.mapValues(Variant.string))]
  }
}
