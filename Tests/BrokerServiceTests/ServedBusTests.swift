// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrokerService

@Suite struct `The bus that a broker serves` {
  private func bus(_ address: String) -> ServedBus {
    ServedBus(address: address, runtimeDirectory: "/run/user/7")
  }

  @Test(arguments: ["unix:path=/run/user/7/bus", "unix:path=/run/user/7/bus,guid=0123"])
  func `has the default database if it is the user's bus`(address: String) {
    #expect(bus(address) == bus("unix:path=/run/user/7/bus"))
    #expect(bus(address).storeName == "pending.sqlite")
    #expect(bus(address).formerRegistrationsName == "former-registrations")
    #expect(bus(address).address == ServedBus.ownAddress(runtimeDirectory: "/run/user/7"))
  }

  @Test func `has a separate database if it is another bus, with and without a GUID`() {
    let names = [
      "unix:path=/tmp/a", "unix:path=/tmp/b", "unix:abstract=/tmp/a", "unix:path=/tmp/a;unix:path=/tmp/b",
    ]
    .map { bus($0).storeName }
    #expect(Set(names).count == 4)
    #expect(names.allSatisfy { $0.hasPrefix("pending-") && $0.hasSuffix(".sqlite") && $0.utf8.count == 31 })
    #expect(
      bus("unix:path=/tmp/a").formerRegistrationsName
        == names[0].replacing("pending", with: "former-registrations").replacing(".sqlite", with: ""))
    #expect(bus("unix:path=/tmp/a,guid=0123").storeName == names[0])
    #expect(bus("unix:path=/tmp/a,guid=1;unix:path=/tmp/b,guid=0123").storeName == names[3])
  }

  @Test func `has ended if no process listens, and only then`() async throws {
    let desktop = try ThrowAwayDesktop()
    #expect(ServedBus.hasEnded("unix:path=\(desktop.root)/none"))
    #expect(ServedBus.hasEnded("unix:path=\(desktop.root)/none;unix:path=\(desktop.root)/none/either,guid=1"))
    let bus = try await PrivateBus.start(in: desktop)
    #expect(!ServedBus.hasEnded(bus.address))
    #expect(!ServedBus.hasEnded("unix:path=\(desktop.root)/none;\(bus.address)"))
    await bus.kill()
    #expect(ServedBus.hasEnded(bus.address))
    let hidden = try await PrivateBus.start(in: desktop, at: "unix:abstract=\(desktop.root)")
    #expect(!ServedBus.hasEnded(hidden.address))
    await hidden.kill()
    #expect(ServedBus.hasEnded(hidden.address))
    // An address that this process cannot check may still have a bus.
    for address in ["tcp:host=localhost,port=1", "unix:path=/tmp/%20", ""] {
      #expect(ServedBus.hasEnded(address) == address.isEmpty, "\(address)")
    }
  }
}
