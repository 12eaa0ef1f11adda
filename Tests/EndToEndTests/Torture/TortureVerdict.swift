// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// The violations of a stress test, with its figures.
struct TortureVerdict {
  private(set) var diagnostics: [String] = []
  private(set) var figures: [String: Int] = [:]

  init(_ results: [TortureResult], _ targets: [TortureTarget]) {
    let arrivals = Dictionary(uniqueKeysWithValues: targets.map { ($0.id, $0.arrivals()) })
    for result in results {
      let request = result.request
      let own = arrivals[request.target.id]
      let (begun, ended) = (own?.begun[request.url] ?? 0, own?.ended[request.url] ?? 0)
      count(result)
      if request.target.kind.isScenes {
        judgeScenes(result, begun, ended)
      } else {
        judgeOthers(result, begun)
      }
    }
    // Plain programs may report in any order.
    for target in targets where target.kind != .plain && target.kind != .several {
      judgeOrder(results.filter { $0.request.target.id == target.id }, arrivals[target.id]?.order ?? [])
    }
  }

  private mutating func count(_ result: TortureResult) {
    figures["\(result.outcome.rawValue)", default: 0] += 1
    if let error = result.error { figures[error.replacing("org.usher.Error.", with: ""), default: 0] += 1 }
    if result.isRetried { figures["called again", default: 0] += 1 }
    if result.isRedelivered { figures["repeated", default: 0] += 1 }
  }

  private mutating func report(_ what: String, _ result: TortureResult, _ begun: Int, _ ended: Int) {
    diagnostics.append(
      "\(what): \(result.request.target.id) (\(result.request.target.kind)) \(result.request.url), told "
        + "\(result.outcome.rawValue) \(result.error ?? ""), begun \(begun), ended \(ended)")
  }

  private mutating func judgeScenes(_ result: TortureResult, _ begun: Int, _ ended: Int) {
    let cutOff = ["die", "hang"].contains(result.request.behaviour) ? 1 : 0
    if ended > 1 { report("handled twice", result, begun, ended) }
    if begun > 1 + cutOff { report("begun too often", result, begun, ended) }
    switch result.request.behaviour {
    case "ok", "quit", "die":
      if ended != 1 { report("lost", result, begun, ended) }
      if result.request.wait == .handled, result.outcome != .handled {
        report("not told handled", result, begun, ended)
      }
      if result.request.behaviour == "die", result.request.wait != .accepted, !result.isRedelivered {
        report("not told repeated", result, begun, ended)
      }
    case "refuse", "fail":
      if begun != 1 { report("lost", result, begun, ended) }
      if result.request.wait != .accepted, result.error == nil { report("not told", result, begun, ended) }
    default:
      if result.outcome > .unknown { report("told too much", result, begun, ended) }
    }
  }

  private mutating func judgeOthers(_ result: TortureResult, _ begun: Int) {
    if begun > 1 { report("sent twice", result, begun, 0) }
    switch result.outcome {
    case .delivered, .handled: if begun != 1 { report("told, and not there", result, begun, 0) }
    case .failed where result.error == "org.usher.Error.TargetFailed":
      if begun != 1 { report("failed, and not there", result, begun, 0) }
    case .failed: if begun != 0 { report("failed, and there", result, begun, 0) }
    // The caller has disconnected; the history has the outcome.
    case .accepted, .unknown: break
    }
  }

  /// Checks that the undisturbed requests of one burst arrived in their order.
  private mutating func judgeOrder(_ results: [TortureResult], _ order: [String]) {
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    for (_, burst) in Dictionary(grouping: results, by: \.request.burst)
    where !burst.contains(where: \.isRetried) {
      let arrived = burst.sorted { $0.request.number < $1.request.number }.compactMap {
        places[$0.request.url]
      }
      if arrived != arrived.sorted() {
        diagnostics.append(
          "out of order: \(burst[0].request.target.kind) \(burst.map(\.request.url)) arrived as \(arrived)")
      }
    }
  }
}
