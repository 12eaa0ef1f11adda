import BusInterfaces
import DBus
import Glibc
import RouteTables
import Scenes

/// A description of a handled request, as one line of JSON.
struct RequestLine {
  private var entries: [String: Variant]

  /// Creates the description of a request before it is handled: its source, and the method that received it.
  init(_ request: SceneRequest, _ call: String) {
    entries = [
      "urls": .strings(request.urlStrings), "assurance": .string(request.assurance.rawValue),
      "delivery": .string(request.delivery.rawValue), "pid": .int32(getpid()),
      "request-id": .string(request.requestID), "reason": .string(request.reason.rawValue),
      "call": .string(call),
    ]
    entries["source"] = request.sourceApplication.map(Variant.string)
    entries["annotation"] = request.annotation?.variant
    entries["activation-token"] = request.activationToken.map(Variant.string)
  }

  /// Adds the window that receives the request, and the route of its first link.
  init<Action>(_ request: SceneRequest, _ table: RouteTable<Action>, of scene: Scene, _ call: String) {
    self.init(request, call)
    entries["scene"] = .string(scene.title)
    if let match = (try? table.match(request.urlString)) ?? nil {
      entries["route"] = .string(match.route.id)
      entries["captures"] = .dictionary(
        Dictionary(uniqueKeysWithValues: match.values.map { ($0.name, $0.value.variant) }))
    }
  }

  /// Prints the line with the result, and flushes the output, because it may be a pipe.
  mutating func finish(_ result: SceneResult, error: String? = nil) {
    entries["handled"] = .boolean(result.isHandled)
    entries["value"] = result.value?.variant
    entries["error"] = error.map(Variant.string)
    print(JSONText.line(entries))
    fflush(nil)
  }
}

extension RouteValue {
  fileprivate var variant: Variant {
    switch self {
    case .string(let text): .string(text)
    case .int(let number): .int64(number)
    case .uint(let number): .uint64(number)
    case .bool(let truth): .boolean(truth)
    case .strings(let texts): .strings(texts)
    }
  }
}
