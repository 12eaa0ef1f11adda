public import BusInterfaces

/// What a handler made of a request; a handler that fails throws.
public struct SceneResult: Hashable, Sendable {
  let reply: Reply

  /// Whether the application dealt with it.
  public var isHandled: Bool { reply.handled }

  /// What the application has to say to the caller.
  public var value: PropertyList? { reply.value }

  /// The application dealt with it.
  public static let handled = SceneResult(reply: Reply(handled: true))

  /// The request is not for this application; its caller learns `NotHandled`.
  public static let notHandled = SceneResult(reply: Reply(handled: false))

  /// The application dealt with it and has something to say to the caller.
  public static func handled(_ value: PropertyList) -> SceneResult {
    SceneResult(reply: Reply(handled: true, value: value))
  }

  /// What several results come to: handled when each is, with the array of their values when each has one.
  public static func combining(_ results: [SceneResult]) -> SceneResult {
    guard results.count != 1 else { return results[0] }
    guard !results.isEmpty, results.allSatisfy(\.isHandled) else { return .notHandled }
    let values = results.compactMap(\.value)
    return values.count == results.count ? .handled(.array(values)) : .handled
  }
}
