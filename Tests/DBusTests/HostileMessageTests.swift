// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport
import Testing

extension SeededGenerator {
  /// Returns a random value that a message can contain.
  fileprivate mutating func value(depth: Int = 0) -> Variant {
    switch Int.random(in: 0..<(depth < 5 ? 16 : 11), using: &self) {
    case 0: .byte(.random(in: .min ... .max, using: &self))
    case 1: .boolean(.random(using: &self))
    case 2: .int16(.random(in: .min ... .max, using: &self))
    case 3: .int32(.random(in: .min ... .max, using: &self))
    case 4: .uint64(.random(in: .min ... .max, using: &self))
    case 5: .double(Double(sign: .plus, exponent: Int.random(in: -99..<99, using: &self), significand: 1.5))
    case 6: .string(["", "é", "org.example.Thing", "Colour", ":1.1"].randomElement(using: &self) ?? "")
    case 7: .objectPath(["/", "/org/example/Thing"].randomElement(using: &self) ?? "/")
    case 8: .signature(["", "a{sv}", "(((y)))"].randomElement(using: &self) ?? "")
    case 9: .bytes([UInt8](repeating: 7, count: Int.random(in: 0..<40, using: &self)))
    case 10: .array(of: "a(sv)", [])
    case 11: .variant(value(depth: depth + 1))
    case 12:
      .structure((0..<Int.random(in: 1..<4, using: &self)).map { _ in value(depth: depth + 1) })
    case 13:
      .array(
        of: "v", (0..<Int.random(in: 0..<4, using: &self)).map { _ in .variant(value(depth: depth + 1)) })
    case 14: .dictionary(["a": value(depth: depth + 1), "b": value(depth: depth + 1)])
    default:
      .dictionary(key: "u", value: "v", [.uint32(1): .variant(value(depth: depth + 1))])
    }
  }
}

@Suite struct `Hostile messages` {
  /// The methods that another connection may call, including standard ones.
  static let members: [(InterfaceName, MemberName)] = [
    (Thing.interface, "Echo"), (Thing.interface, "Greet"), (Thing.interface, "Fail"),
    ("org.freedesktop.DBus.Properties", "Get"), ("org.freedesktop.DBus.Properties", "Set"),
    ("org.freedesktop.DBus.Properties", "GetAll"), ("org.freedesktop.DBus.Introspectable", "Introspect"),
  ]

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `Random arguments get a reply and block no other call`(seed: UInt64) async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<150 {
        let (interface, member) = Self.members.randomElement(using: &generator) ?? Self.members[0]
        let (one, two) = (generator.value(), generator.value())
        let values = [one, two]
        for shape in 0..<5 {
          do throws(BusError) {
            switch shape {
            case 0:
              try await fixture.client.call(
                BusMethod<Arguments<Variant>, Arguments<>>(member, of: interface, takes: ["a"]), at: object,
                one)
            case 1:
              try await fixture.client.call(
                BusMethod<Arguments<String, String, Variant>, Arguments<>>(
                  member, of: interface, takes: ["a", "b", "c"]), at: object, "org.example.Thing", "Colour",
                two)
            case 2:
              try await fixture.client.call(
                BusMethod<Arguments<[Variant], String>, Arguments<>>(
                  member, of: interface, takes: ["a", "b"]),
                at: object, values, "x")
            case 3:
              try await fixture.client.call(
                BusMethod<Arguments<String, Variant>, Arguments<>>(member, of: interface, takes: ["a", "b"]),
                at: object, "Sizes", one)
            default:
              try await fixture.client.call(
                BusMethod<Arguments<>, Arguments<>>(member, of: interface), at: object)
            }
          } catch {
            #expect(
              error.name != .noReply && error.name != .timeout && error.name != .disconnected, "\(error)")
          }
        }
      }
      #expect(try await fixture.client.call(Thing.echo, at: object, "whole") == "whole")
    }
  }

  @Test func `Variants as deep as the bus allows can be read`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      var value: Variant = "core"
      for _ in 0..<40 { value = .variant(value) }
      #expect(try await fixture.client.call(Thing.echo, at: object, value) == value)
      for _ in 0..<200 { value = .variant(value) }
      let error = await #expect(throws: BusError.self) {
        try await fixture.client.call(Thing.echo, at: object, value, timeout: .seconds(5) * timeoutFactor)
      }
      #expect(error != nil)
    }
  }

  @Test func `Random calls of busctl get named errors`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      for (method, signature, arguments) in [
        ("Greet", "ss", ["x", "y"]), ("Greet", "", []),
        ("Properties.Set", "ssv", ["org.example.Thing", "Colour", "ai", "0"]),
        ("Properties.Get", "ii", ["1", "2"]), ("Properties.Set", "s", ["org.example.Thing"]),
      ] {
        let interface = method.contains(".") ? "org.freedesktop.DBus.Properties" : "org.example.Thing"
        let member = method.split(separator: ".").last.map(String.init) ?? method
        let result = try await fixture.command(
          "busctl",
          ["--user", "call", object.name.rawValue, object.path.rawValue, interface, member]
            + (signature.isEmpty ? [] : [signature]) + arguments)
        #expect(result.status == 1)
        #expect(result.errorOutput.contains("expected "), "\(result)")
      }
    }
  }
}
