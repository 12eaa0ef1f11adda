// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport
import Testing

@Suite struct `Properties and introspection` {
  static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
  static let getAll = BusMethod<Arguments<String>, Arguments<[String: Variant]>>(
    "GetAll", of: properties, takes: ["interface"], returns: ["values"])

  @Test func `Properties are read and set`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      let client = fixture.client
      #expect(try await client.get(Thing.colour, at: object) == "red")
      try await client.set(Thing.colour, to: "blau ü", at: object)
      #expect(try await client.get(Thing.colour, at: object) == "blau ü")
      #expect(try await client.get(Thing.sizes, at: object) == [1, 2, 3])
      let expected: [String: Variant] = [
        "Colour": "blau ü", "Sizes": .array(of: "u", [.uint32(1), .uint32(2), .uint32(3)]),
      ]
      #expect(try await client.call(Self.getAll, at: object, "org.example.Thing") == expected)
      #expect(try await client.call(Self.getAll, at: object, "") == expected)
      #expect(try await client.call(Self.getAll, at: object, "org.freedesktop.DBus.Peer") == [:])
    }
  }

  @Test func `Properties that cannot be read or set have errors with the reason`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      func failure(_ body: () async throws(BusError) -> Void) async -> BusError? {
        do throws(BusError) { try await body() } catch { return error }
        return nil
      }
      let client = fixture.client
      let readOnly = await failure { () throws(BusError) in
        try await client.set(Thing.sizes, to: [1], at: object)
      }
      #expect(readOnly?.name == .propertyReadOnly)
      let unknown = await failure { () throws(BusError) in
        _ = try await client.get(BusProperty<String>("Nothing", of: Thing.interface), at: object)
      }
      #expect(unknown?.name == .unknownProperty)
      #expect(unknown?.message == "/org/example/Thing has no property org.example.Thing.Nothing")
      let wrong = await failure { () throws(BusError) in
        try await client.set(BusProperty<Int32>("Colour", of: Thing.interface), to: 1, at: object)
      }
      #expect(wrong?.name == .invalidArgs)
      #expect(wrong?.message == "expected s in the variant, got i")
      let wrongRead = await failure { () throws(BusError) in
        _ = try await client.get(BusProperty<Int32>("Colour", of: Thing.interface), at: object)
      }
      #expect(wrongRead?.name == .invalidArgs)
      let other = await failure { () throws(BusError) in
        _ = try await client.call(Self.getAll, at: object, "org.example.Other")
      }
      #expect(other?.name == .unknownInterface)
      let short = BusMethod<Arguments<String>, Arguments<>>("Set", of: Self.properties, takes: ["a"])
      let incomplete = await failure { () throws(BusError) in try await client.call(short, at: object, "x") }
      #expect(incomplete?.name == .invalidArgs)
      let verb = BusMethod<Arguments<>, Arguments<>>("Burn", of: Self.properties)
      #expect(
        await failure { () throws(BusError) in try await client.call(verb, at: object) }?.name
          == .unknownMethod)
    }
  }

  @Test func `busctl and gdbus read and set properties`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let name = try await fixture.object().name.rawValue
      let place = [name, "/org/example/Thing", "org.example.Thing"]
      try await fixture.command("busctl", ["--user", "set-property"] + place + ["Colour", "s", "green"])
        .orThrow()
      let read = try await fixture.command(
        "busctl", ["--user", "get-property"] + place + ["Colour", "Sizes"])
      #expect(read.output == "s \"green\"\nau 3 1 2 3\n", "\(read)")
      let all = try await fixture.command(
        "gdbus",
        [
          "call", "--session", "-d", name, "-o", "/org/example/Thing", "-m",
          "org.freedesktop.DBus.Properties.GetAll", "org.example.Thing",
        ])
      #expect(
        all.output.contains("'Colour': <'green'>") && all.output.contains("'Sizes': <[uint32 1, 2, 3]>"),
        "\(all)")
    }
  }

  @Test func `Introspection returns the declarations`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      try await fixture.server.export(Thing.object(at: "/org/example/Thing/below/deep"))
      let name = try await fixture.object().name.rawValue
      let xml = try await fixture.command(
        "busctl", ["--user", "introspect", "--xml-interface", name, "/org/example/Thing"]
      ).orThrow().output
      let document = try #require(InterfaceDocument("org.example.Thing", in: xml))
      #expect(
        document.members == [
          "method Echo(in v value, out v same)",
          "method Greet(in s name, in i times, out s text, out a{sv} facts)",
          "method Fail(in s name, in s text)", "method Wait()", "property Colour s readwrite()",
          "property Sizes au read()", "signal Ticked(x n, s text)",
        ], "\(document)")
      #expect(xml.contains("<node name=\"below\"/>"))
      for interface in ["Peer", "Introspectable", "Properties"] {
        #expect(InterfaceDocument("org.freedesktop.DBus.\(interface)", in: xml) != nil)
      }
      let table = try await fixture.command(
        "busctl", ["--user", "introspect", name, "/org/example/Thing", "org.example.Thing"]
      ).orThrow()
      let rows = table.lines.map { $0.split(separator: " ", maxSplits: 4).map(String.init) }
      #expect(rows.contains { $0.prefix(4) == [".Greet", "method", "si", "sa{sv}"] }, "\(table)")
      #expect(rows.contains { $0.prefix(4) == [".Colour", "property", "s", "\"red\""] }, "\(table)")
      let gdbus = try await fixture.command(
        "gdbus", ["introspect", "--session", "-d", name, "-o", "/org/example/Thing"])
      #expect(gdbus.succeeded && gdbus.output.contains("Greet(in  s name,"), "\(gdbus)")
      let tree = try await fixture.command("busctl", ["--user", "tree", "--list", name]).orThrow()
      #expect(tree.lines.contains("/org/example/Thing/below/deep"), "\(tree)")
    }
  }

  @Test func `Every object answers a ping`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      try await fixture.client.call(BusPeer.ping, at: fixture.object())
    }
  }
}
