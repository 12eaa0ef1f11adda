import BusInterfaces

/// What an application does with its start and with each request: one of the ways in which it can be written.
protocol RequestHandler: Sendable {
  /// Gets ready for the first request; `hasReason` where one is to come that the program was started for.
  func prepare(hasReason: Bool) async throws
  /// Deals with one request.
  func handle(_ request: SceneRequest) async throws -> SceneResult
  /// Says which scene would get a request.
  func explain(_ request: SceneRequest) async -> SceneExplanation
  /// All is answered, and the program is about to end.
  func terminate() async
}

/// Which scene would get a request, and why.
struct SceneExplanation: Sendable {
  /// The session, `nil` for a new scene, and where there are no scenes.
  var session: String?
  var steps: [String]
}

/// One closure for all requests, cold and warm.
struct ClosureHandler: RequestHandler {
  let applicationID: String
  let preparing: @concurrent @Sendable () async throws -> Void
  let handler: @concurrent @Sendable (SceneRequest) async throws -> SceneResult

  func prepare(hasReason: Bool) async throws { try await preparing() }
  func handle(_ request: SceneRequest) async throws -> SceneResult {
    guard request.directive == nil else { return .notHandled }
    return try await handler(request)
  }
  func explain(_ request: SceneRequest) async -> SceneExplanation {
    SceneExplanation(steps: ["\(applicationID) has no scenes: its one handler gets it"])
  }
  func terminate() async {}
}
