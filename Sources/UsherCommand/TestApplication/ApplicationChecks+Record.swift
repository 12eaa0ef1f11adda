// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// The check of a record of requests that cannot be read.
extension ApplicationChecks {
  /// Repeats an answered request after a crash, while its reply cannot be read and again when it can.
  func unreadableRecord() throws(CheckFailure) {
    let envelope = application.envelope([link])
    let first = try application.handle(envelope)
    let result = try repeatWithoutRecord(envelope)
    try application.start()
    var isAsRequired = false
    switch result {
    case .failure(let error): isAsRequired = error.brokerError == .targetFailed
    // It may have its record elsewhere as well.
    case .success(let entries): do { isAsRequired = try Reply(entries) == first } catch {}
    }
    guard isAsRequired else {
      throw .broken(
        .repeat,
        "a request with “repeated” gets \(text(result)) instead of TargetFailed while the record of its reply cannot be read, so that it may "
          + "be handled twice")
    }
    try expectSame(
      first, try application.handle(envelope), clause: .repeat, moment: "after its record was unreadable")
  }

  /// Kills the application, and repeats a request while the files that contain its ID cannot be read; then kills it again.
  private func repeatWithoutRecord(
    _ envelope: Envelope
  ) throws(CheckFailure) -> Result<[String: Variant], BusError> {
    try application.crash()
    let record = HiddenFiles(containing: envelope.requestID, below: application.runtimeDirectory)
    defer { record.restore() }
    try application.start()
    guard !record.paths.isEmpty else {
      throw .notChecked("no file in XDG_RUNTIME_DIR contains the ID of a request that was answered")
    }
    var repeated = envelope
    repeated.isRepeated = true
    let result = try application.result(of: try application.deliver(repeated))
    try application.crash()
    return result
  }
}
