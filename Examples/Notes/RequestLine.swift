import BusInterfaces
import DBus
import Glibc
import RouteTables
import Scenes

/// What the program tells about a request that it dealt with, as one line of JSON.
struct RequestLine {
  private let entries: [String: Variant]

  init(
    _ request: SceneRequest, _ table: RouteTable<RouteAction>, _ result: SceneResult, error: String? = nil
  ) {
    var entries: [String: Variant] = [
      "urls": .strings(request.urlStrings),
      "assurance": .string(request.assurance.rawValue),
      "delivery": .string(request.delivery.rawValue),
      "handled": .boolean(result.isHandled),
      "pid": .int32(getpid()),
      "request-id": .string(request.requestID),
    ]
    entries["source"] = request.sourceApplication.map(Variant.string)
    entries["annotation"] = request.annotation?.variant
    entries["activation-token"] = request.activationToken.map(Variant.string)
    entries["value"] = result.value?.variant
    entries["error"] = error.map(Variant.string)
    if let match = (try? table.match(request.urlString)) ?? nil {
      entries["route"] = .string(match.route.id)
      entries["captures"] = .dictionary(
        Dictionary(uniqueKeysWithValues: match.values.map { ($0.name, $0.value.variant) }))
    }
    self.entries = entries
  }

  /// Prints the line at once, also into a pipe.
  func print() {
    Swift.print(JSONText.line(entries))
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
