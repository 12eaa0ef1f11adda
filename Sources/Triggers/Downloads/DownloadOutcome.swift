// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// The outcome of a finished download, which the application receives.
public enum DownloadOutcome: Hashable, Sendable {
  /// The file has arrived, and has this length in bytes.
  case completed(size: Int64)
  /// No attempt could succeed.
  case failed(DownloadFailure)
  /// The user, or the application itself, has cancelled it.
  case cancelled

  /// The name on the bus.
  public var name: String {
    switch self {
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }

  /// Returns the payload of the reason `newsstand-downloads`.
  ///
  /// - Parameters:
  ///   - request: The download, with its identifier and file.
  ///   - date: The time of the end.
  public func payload(of request: DownloadRequest, date: WallTime) -> PropertyList {
    let identifier = request.identifier ?? ""
    var entries: [String: PropertyList] = [
      "identifiers": [.string(identifier)], "identifier": .string(identifier), "outcome": .string(name),
      "date": .integer(date.milliseconds),
    ]
    entries["session-identifier"] = request.session.map { .string($0) }
    switch self {
    case .completed(let size):
      entries["file"] = request.file.map { .string($0) }
      entries["size"] = .integer(size)
    case .failed(let failure):
      entries["error"] = .string(failure.description)
      entries["error-kind"] = .string(failure.kind.rawValue)
    case .cancelled: break
    }
    return .dictionary(entries)
  }
}
