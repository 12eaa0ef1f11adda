// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// The result of a handler for a request; a handler that fails throws an error instead.
public struct SceneResult: Hashable, Sendable {
  let reply: Reply

  /// A Boolean value that is `true` if the application handled the request.
  public var isHandled: Bool { reply.handled }

  /// The value for the caller.
  public var value: PropertyList? { reply.value }

  /// The result of a handled request without a value.
  public static let handled = SceneResult(reply: Reply(handled: true))

  /// The result of a request that is not for this application; the caller receives `NotHandled`.
  public static let notHandled = SceneResult(reply: Reply(handled: false))

  /// Returns the result of a handled request with a value for the caller.
  public static func handled(_ value: PropertyList) -> SceneResult {
    SceneResult(reply: Reply(handled: true, value: value))
  }

  /// Combines results: `handled` if every one is, with the array of their values if each has one.
  public static func combining(_ results: [SceneResult]) -> SceneResult {
    guard results.count != 1 else { return results[0] }
    guard !results.isEmpty, results.allSatisfy(\.isHandled) else { return .notHandled }
    let values = results.compactMap(\.value)
    return values.count == results.count ? .handled(.array(values)) : .handled
  }

  /// Delivers the parts of a request one after the other, and combines their results; throws the first error at the end.
  ///
  /// The error of one part must not drop the others, unless the caller has cancelled the request.
  package nonisolated(nonsending) static func combining<Part: Sendable>(
    _ parts: [Part], _ deliver: nonisolated(nonsending) (Part) async throws -> SceneResult
  ) async throws -> SceneResult {
    var results: [Result<SceneResult, any Error>] = []
    for part in parts {
      do { results.append(.success(try await deliver(part))) } catch  where !Task.isCancelled {
        results.append(.failure(error))
      }
    }
    return try combining(results.map { try $0.get() })
  }
}
