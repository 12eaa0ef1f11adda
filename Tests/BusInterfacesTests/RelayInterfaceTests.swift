// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

@Suite struct RelayInterfaceTests {
  @Test func `The declared interface is the documented one`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let relay = try await BusConnection.open(.address(bus.address))
      try await relay.export(
        BusObject(
          RelayInterface.path,
          [
            .method(RelayInterface.admitSignIn) { _, _, _ in },
            .method(RelayInterface.expectRedirect) { _, _, _, _, _, _, _ in },
            .method(RelayInterface.endRegistration) { _, _ in },
          ]))
      let name: BusName = "org.example.Relay"
      #expect(try await relay.requestName(name) == .owned)
      let data = try await relay.call(
        Introspectable.introspect, at: RemoteObject(name, RelayInterface.path))
      let interface = RelayInterface.name.rawValue
      #expect(try InterfaceDocument(interface, in: data) == InterfaceDocument.documented(interface))
      await relay.close()
    }
  }
}
