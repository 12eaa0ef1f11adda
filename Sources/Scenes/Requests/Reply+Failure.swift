// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

extension Reply {
  /// Creates the reply to a request that failed without an effect.
  init(failure: any Error) { self.init(handled: false, error: "\(failure)") }
}
