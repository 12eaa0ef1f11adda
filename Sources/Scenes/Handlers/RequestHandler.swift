// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// A handler of an application's launch and requests; one implementation for each form of application.
protocol RequestHandler: Sendable {
  /// Prepares for the first request; `hasReason` is `true` if the program was started for a request that is still to arrive.
  nonisolated(nonsending) func prepare(hasReason: Bool) async throws
  /// Handles one request.
  nonisolated(nonsending) func handle(_ request: SceneRequest) async throws -> SceneResult
  /// Explains which scene would receive a request.
  nonisolated(nonsending) func explain(_ request: SceneRequest) async -> SceneExplanation
  /// Notifies the application that the process is about to exit; all requests have been answered.
  nonisolated(nonsending) func terminate() async
}

/// The scene that would receive a request, with the steps of the choice.
struct SceneExplanation: Sendable {
  /// The identifier of the session; `nil` for a new scene, and if the application has no scenes.
  var session: String?
  var steps: [String]
}

/// A handler that passes all requests, at launch and while running, to one closure.
struct ClosureHandler: RequestHandler {
  let applicationID: String
  let preparing: @concurrent @Sendable () async throws -> Void
  let handler: @concurrent @Sendable (SceneRequest) async throws -> SceneResult

  nonisolated(nonsending) func prepare(hasReason: Bool) async throws { try await preparing() }
  nonisolated(nonsending) func handle(_ request: SceneRequest) async throws -> SceneResult {
    switch request.directive {
    case nil: return try await handler(request)
    case .start, .report: return .notHandled
    default: throw NoScenes(applicationID: applicationID)
    }
  }
  nonisolated(nonsending) func explain(_ request: SceneRequest) async -> SceneExplanation {
    SceneExplanation(steps: ["\(applicationID) has no scenes, so its handler receives it"])
  }
  nonisolated(nonsending) func terminate() async {}
}

/// The error of a request for a scene of an application without scenes.
struct NoScenes: Error, CustomStringConvertible {
  let applicationID: String
  var description: String { "\(applicationID) has no scenes; start it with run(delegate:scenes:)" }
}
