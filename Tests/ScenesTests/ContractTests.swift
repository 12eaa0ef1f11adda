// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Scenes
import TestSupport
import Testing

@Suite struct ContractTests {
  private static let introspect = BusMethod<Arguments<>, Arguments<String>>(
    "Introspect", of: "org.freedesktop.DBus.Introspectable", returns: ["data"])

  @Test func `An application serves the documented interfaces`() async throws {
    try await Stage.withStage { stage in
      let stranger = try await stage.connect()
      let application = try await stage.start { _ in .handled }
      let data = try await stranger.call(Self.introspect, at: application.object)
      for name in ["org.usher.Application1", "org.freedesktop.Application"] {
        let documented = try InterfaceDocument.documented(name)
        #expect(InterfaceDocument(name, in: data) == documented)
      }
      try await application.end()
    }
  }
}
