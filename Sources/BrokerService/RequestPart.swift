import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import State

/// One part of a request: what is kept of it as long as it is under way.
struct RequestPart: Sendable {
  /// Where it stands in the receipt.
  let place: Int
  /// The target's desktop-file ID; `nil` for a program that a route runs.
  let application: String?
  let isFallback: Bool
  var envelope: Envelope
  /// What became of it already, where it is not to be handed over at all.
  var over: Delivery?

  /// As it is written down.
  var pending: PendingRequest.Part {
    PendingRequest.Part(
      place: place, target: application, content: over == nil ? envelope.json : "",
      progress: over == nil ? .queued : .ended, result: over.map { JSONText.line($0.entries) },
      isFallback: isFallback)
  }

  /// About how much it holds, in bytes.
  static func size(of envelope: Envelope) -> Int {
    envelope.urls.reduce(512) { $0 + $1.utf8.count } + (envelope.annotation?.encodedSize ?? 0)
      + (envelope.payload?.encodedSize ?? 0)
  }
}

/// A part that was decided, with all that its decision brought along.
struct PlannedDelivery: Sendable {
  let share: RequestGroup
  var part: RequestPart
  let room: RequestJournal.Share
}

extension ActiveRequest {
  /// The whole request as it is written down, with `parts` and what became of `earlier` ones.
  func pending(
    _ parts: [RequestPart], from source: SourceApplication, after earlier: [Delivery] = []
  ) -> PendingRequest {
    let over = earlier.enumerated().map { place, delivery in
      PendingRequest.Part(
        place: place, target: delivery.application, content: "", progress: .ended,
        result: JSONText.line(delivery.entries))
    }
    return PendingRequest(
      number: number, caller: key.caller, id: id, digest: digest, details: details(source),
      deadline: deadline,
      expires: expires, parts: over + parts.map(\.pending))
  }

  /// What another broker needs to answer the caller: how far it waits, and all it asked for where a fallback may follow.
  private func details(_ source: SourceApplication) -> String {
    guard options.fallback != nil else {
      var kept = OpenOptions()
      kept.wait = options.wait
      kept.requestID = options.requestID
      return JSONText.line(kept.entries)
    }
    var entries = options.entries
    entries[PersistedDetails.source] = source.id.map { .string($0.rawValue) }
    entries[PersistedDetails.assurance] = .string(source.assurance.rawValue)
    entries[PersistedDetails.sandboxed] = source.mayBeSandboxed ? .boolean(true) : nil
    entries[PersistedDetails.via] = source.via.map { .string($0.rawValue) }
    return JSONText.line(entries)
  }
}

/// What stands in a written request beside its parts.
struct PersistedDetails {
  static let source = "org.usher.source"
  static let assurance = "org.usher.assurance"
  static let via = "org.usher.via"
  static let sandboxed = "org.usher.sandboxed"

  let options: OpenOptions
  let source: SourceApplication

  /// Reads what `ActiveRequest.pending` wrote.
  init(_ text: String) throws(MessageError) {
    var entries = try [String: Variant](json: text)
    let id = entries.removeValue(forKey: Self.source)?.string.flatMap { ApplicationID(rawValue: $0) }
    let assurance = entries.removeValue(forKey: Self.assurance)?.string.flatMap(BrokerCore.Assurance.init)
    let via = entries.removeValue(forKey: Self.via)?.string.flatMap { ApplicationID(rawValue: $0) }
    let isSandboxed = entries.removeValue(forKey: Self.sandboxed) == .boolean(true)
    var source = via.map(SourceApplication.hidden(by:)) ?? .unknown
    if let id, let assurance { source = SourceApplication(id, assurance) }
    self.source = isSandboxed ? source.sandboxed : source
    options = try OpenOptions(entries)
  }
}
