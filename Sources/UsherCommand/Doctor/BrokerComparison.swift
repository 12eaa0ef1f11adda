// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import RouteTables

/// A comparison of the broker's decision for a scheme with the decision in this process's environment.
struct BrokerComparison {
  let scheme: URLScheme
  let broker: Explanation
  let here: Explanation

  /// Asks the broker about `schemes`; schemes without an answer are omitted.
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
