// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import Testing

/// The longest time to wait for a reply, if a caller states none.
@Suite struct `The default timeout of a call` {
  @Test func `is that of sd-bus, which a variable can change`() {
    let variable = ProcessInfo.processInfo.environment["SYSTEMD_BUS_TIMEOUT"].flatMap { Int($0) }
    #expect(BusConnection.defaultTimeout == .seconds(variable ?? 25))
  }
}
