public import BusInterfaces
public import Scenes

/// What comes to an application that is tested.
extension TestApplication {
  /// Has URLs opened, and returns what the application made of them.
  ///
  /// An application that does not run is started for them: cold. A task that is cancelled withdraws the request.
  ///
  /// - Parameters:
  ///   - source: who asks, by desktop-file ID.
  ///   - assurance: how surely that is known; surely where somebody is named and nothing else is said.
  /// - Throws: what its code threw, as its caller reads it.
  @discardableResult
  public func open(
    _ urls: String..., from source: String? = nil, assurance: Assurance? = nil,
    annotation: PropertyList? = nil, targetContentID: String? = nil
  ) async throws(RequestFailure) -> SceneResult {
    try await deliver(
      .urls(
        urls, from: source, assurance: assurance, annotation: annotation, targetContentID: targetContentID))
  }

  /// The same for any request.
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

  /// Has URLs opened, and returns when the application has them and before it has dealt with them.
  public func send(_ urls: String...) async -> PendingRequest { await send(.urls(urls)) }

  /// The same for any request.
  public func send(_ envelope: Envelope) async -> PendingRequest {
    var envelope = envelope
    envelope.application = application.id
    let isCold = start(hasReason: true)
    envelope.delivery = isCold ? .launch : .running
    return await PendingRequest(envelope, to: rehearsal, hasEnded: hasEnded)
  }

  /// Says which scene would get a request, as `usher explain --in-app` does: its number, `nil` for a new one.
  public func explain(_ envelope: Envelope) async -> (scene: Int?, steps: [String]) {
    let (session, steps) = await rehearsal.explain(envelope)
    let number = application.openSessions.first { $0.persistentIdentifier == session }.map(recorder.number)
    return (number, steps)
  }
}
