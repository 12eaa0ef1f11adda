// SPDX-License-Identifier: Apache-2.0
import DBus
import Testing
@testable import TriggerService

/// The messages about GeoClue and BlueZ, which `usher doctor` splits.
@Suite struct `The message about a service of the system bus` {
  private static let locations: [LocationServiceStatus] = [
    .off, .starting, .active, .waitingForAgent, .stopped, .denied, .notInstalled, .noBus, .failed(.noReply),
  ]
  private static let bluetooth: [BluetoothServiceStatus] = [
    .off, .starting, .active, .turnedOff, .noAdapter, .notRunning, .noBus, .failed(.noReply),
  ]

  @Test(arguments: locations.compactMap(\.message) + bluetooth.compactMap(\.message))
  func `can be split at the command, which is last`(_ message: String) throws {
    let parts = message.split(separator: "; run: ").map(String.init)
    let sentence = try #require(parts.first)
    for command in ["run: ", "systemctl ", "sudo ", "bluetoothctl "] {
      #expect(!sentence.contains(command), "“\(message)” names a command before “; run: ”")
    }
    #expect(parts.count <= 2, "“\(message)” has two commands")
  }

  @Test func `names the command that starts the daemon again after a failure`() {
    let restart = "; run: systemctl --user restart usher-triggers.service"
    for message in [
      LocationServiceStatus.denied.message, LocationServiceStatus.failed(.noReply).message,
      BluetoothServiceStatus.failed(.noReply).message,
    ] {
      #expect(message?.hasSuffix(restart) == true, "\(message ?? "")")
    }
  }
}
