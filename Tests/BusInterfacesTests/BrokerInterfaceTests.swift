// SPDX-License-Identifier: Apache-2.0
@testable import BusInterfaces
import DBus
import TestSupport
import Testing

@Suite struct BrokerInterfaceTests {
  private static let introspect = BusMethod<Arguments<>, Arguments<String>>(
    "Introspect", of: "org.freedesktop.DBus.Introspectable", returns: ["data"])

  @Test func `The declared interface is the documented one`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let connection = try await BusConnection.open(.address(bus.address))
      try await connection.export(
        BusObject(
          BrokerInterface.path,
          [
            .method(BrokerInterface.open) { _, _, _ in [:] },
            .method(BrokerInterface.canOpen) { _, _ in true },
            .method(BrokerInterface.explain) { _, _, _ in [:] },
            .method(BrokerInterface.cancel) { _, _ in },
            .method(BrokerInterface.history) { _, _ in [] },
            .method(BrokerInterface.grants) { _, _ in [] },
            .method(BrokerInterface.allow) { _, _ in [:] },
            .method(BrokerInterface.revoke) { _, _ in 0 },
            .method(BrokerInterface.requestPermission) { _, _, _, _ in "denied" },
            .method(BrokerInterface.registerScheme) { _, _, _ in "org.usher.Remote.x.m0" },
            .method(BrokerInterface.unregisterScheme) { _, _, _ in "build.example.org" },
            .method(BrokerInterface.monitor) { _, _ async throws(BusError) in
              throw BusError(.notSupported, "no stream here")
            },
            .method(BrokerInterface.status) { _ in [:] },
            .signal(BrokerInterface.progress),
            .signal(BrokerInterface.handling),
            .signal(BrokerInterface.prompting),
            .signal(BrokerInterface.permissionsChanged),
            .property(BrokerInterface.version, get: { "1" }),
          ]))
      #expect(try await connection.requestName(BrokerInterface.busName) == .owned)
      let data = try await connection.call(Self.introspect, at: BrokerInterface.broker)
      let name = BrokerInterface.name.rawValue
      let documented = try InterfaceDocument.documented(name)
      #expect(InterfaceDocument(name, in: data) == documented)
      await connection.close()
    }
  }

  @Test(arguments: [
    ("org.example.Notes", "/org/example/Notes"), ("org.my-app.X", "/org/my_app/X"), ("a.b", "/a/b"),
  ])
  func `The object path of an application is derived from its ID`(id: String, path: ObjectPath) {
    #expect(ApplicationInterface.path(of: id) == path)
  }

  @Test(arguments: ["", "firefox", ":1.7", "org.1e.X", "org..X", "foot-server"])
  func `An ID that is not a bus name has no object path`(id: String) {
    #expect(ApplicationInterface.path(of: id) == nil)
  }

  @Test func `The document names every key`() throws {
    let broker = try BuiltProducts.template("desktop/org.usher.Broker1.xml")
    let application = try BuiltProducts.template("desktop/org.usher.Application1.xml")
    for name in BrokerErrorName.allCases {
      #expect(broker.contains(name.rawValue.split(separator: ".").last ?? ""), "\(name)")
    }
    for assurance in Assurance.allCases { #expect(application.contains(assurance.rawValue)) }
    for outcome in Outcome.allCases { #expect(broker.contains(outcome.rawValue)) }
    for key in MessageKey.allCases {
      #expect((broker + application).contains("      \(key.rawValue) "), "\(key.rawValue)")
    }
  }
}
