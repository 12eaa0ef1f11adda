// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import Scenes

/// Requests to an application under test.
extension TestApplication {
  /// Opens URLs with the application, and returns its result.
  ///
  /// Launches the application if it does not run. If the task is cancelled, so is the request.
  ///
  /// - Parameters:
  ///   - source: the desktop-file ID of the source application; `nil` for none.
  ///   - assurance: the assurance of the source; by default `unit` if there is a source, otherwise `unknown`.
  /// - Throws: the error of the application's code, as its caller receives it.
  @discardableResult
  public func open(
    _ urls: String..., from source: String? = nil, assurance: Assurance? = nil,
    annotation: PropertyList? = nil, targetContentID: String? = nil
  ) async throws(RequestFailure) -> SceneResult {
    try await deliver(
      .urls(
        urls, from: source, assurance: assurance, annotation: annotation, targetContentID: targetContentID))
  }

  /// Delivers any request to the application, and returns its result.
  @discardableResult
  public func deliver(_ envelope: Envelope) async throws(RequestFailure) -> SceneResult {
    let request = await send(envelope)
    return try await withTaskCancellationHandler { () async -> Result<SceneResult, RequestFailure> in
      do throws(RequestFailure) { return .success(try await request.result) } catch {
        return .failure(error)
      }
    } onCancel: {
      Task { await request.withdraw() }
    }.get()
  }

  /// Sends URLs to the application, and returns when they are in its queue, before they are handled.
  public func send(_ urls: String...) async -> PendingRequest { await send(.urls(urls)) }

  /// Sends any request to the application, and returns when it is in its queue, before it is handled.
  public func send(_ envelope: Envelope) async -> PendingRequest {
    var envelope = envelope
    envelope.application = application.id
    let isCold = start(hasReason: true)
    envelope.delivery = isCold ? .launch : .running
    return await PendingRequest(envelope, to: rehearsal, hasEnded: hasEnded)
  }

  /// Explains which scene would receive a request, like `usher explain --in-app`: its number, or `nil` for a new one.
  public func explain(_ envelope: Envelope) async -> (scene: Int?, steps: [String]) {
    let (session, steps) = await rehearsal.explain(envelope)
    let number = application.openSessions.first { $0.persistentIdentifier == session }.map(recorder.number)
    return (number, steps)
  }
}
