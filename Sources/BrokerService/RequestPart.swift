import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import State

/// One part of a request, as it is retained while it is in progress.
struct RequestPart: Sendable {
  /// The index of the part in the receipt.
  let place: Int
  /// The target's desktop-file ID; `nil` for a program that a route runs.
  let application: String?
  let isFallback: Bool
  var envelope: Envelope
  /// The outcome of a part that is not delivered at all; otherwise `nil`.
  var over: Delivery?

  /// The stored form of the part.
  var pending: PendingRequest.Part {
    PendingRequest.Part(
      place: place, target: application, content: over == nil ? envelope.json : "",
      progress: over == nil ? .queued : .ended, result: over.map { JSONText.line($0.entries) },
      isFallback: isFallback)
  }

  /// Returns the approximate size of an envelope in bytes.
  static func size(of envelope: Envelope) -> Int {
    envelope.urls.reduce(512) { $0 + $1.utf8.count } + (envelope.annotation?.encodedSize ?? 0)
      + (envelope.payload?.encodedSize ?? 0)
  }
}

/// A decided part, with its group and its share of the quotas.
struct PlannedDelivery: Sendable {
  let share: RequestGroup
  var part: RequestPart
  let room: RequestJournal.Share
}

extension ActiveRequest {
  /// Returns the stored form of the request, with `parts` and the outcomes of `earlier` ones.
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

  /// Returns the options that another broker needs to answer the caller.
  ///
  /// All options are included if a fallback may follow.
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

/// The data of a stored request besides its parts.
struct PersistedDetails {
  static let source = "org.usher.source"
  static let assurance = "org.usher.assurance"
  static let via = "org.usher.via"
  static let sandboxed = "org.usher.sandboxed"

  let options: OpenOptions
  let source: SourceApplication

  /// Parses the text that `ActiveRequest.pending` wrote.
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
