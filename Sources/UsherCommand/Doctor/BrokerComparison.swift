import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import RouteTables

/// What the broker would do with a scheme's links, beside what this process would do by its own environment.
struct BrokerComparison {
  let scheme: URLScheme
  let broker: Explanation
  let here: Explanation

  /// Asks the broker about `schemes`; it is silent on those for which it gives no answer.
  static func gathered(of schemes: [URLScheme], _ rules: PolicySnapshot) -> [BrokerComparison] {
    guard !schemes.isEmpty, let link = try? BrokerConnection() else { return [] }
    return schemes.compactMap { scheme in
      guard let url = try? URLString(scheme.rawValue + ":usher-doctor"),
        let entries = try? link.ask({ bus throws(BusError) in
          try bus.call(
            BrokerInterface.explain, at: BrokerInterface.broker, url.text, OpenOptions().entries,
            timeout: .seconds(10))
        })
      else { return nil }
      let decision = rules.broker.decide(url, of: OpenRequest(urls: [url], source: .unknown))
      return BrokerComparison(
        scheme: scheme, broker: Explanation(entries), here: Explanation(decision, source: .unknown))
    }
  }
}
