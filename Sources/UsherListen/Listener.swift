import Scenes

/// Who answers the requests: one after the other, as they come.
protocol Listener: Sendable {
  /// Has it told by `tellEnd` when nobody will answer any more.
  func watch(_ tellEnd: @escaping @Sendable () -> Void) async
  /// The answer to a request.
  func answer(_ request: SceneRequest) async throws -> SceneResult
  /// All is answered, and this program is about to end.
  func end() async
}
