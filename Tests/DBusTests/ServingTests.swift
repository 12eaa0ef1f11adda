// SPDX-License-Identifier: Apache-2.0
import DBus
import Systemd
import TestSupport
import Testing

@Suite struct `Served objects` {
  @Test func `busctl and gdbus call methods`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let name = try await fixture.object().name.rawValue
      let busctl = try await fixture.command(
        "busctl",
        ["--user", "call", name, "/org/example/Thing", "org.example.Thing", "Greet", "si", "Ä b", "2"])
      #expect(
        busctl.output.hasPrefix(#"sa{sv} "Hello \303\204 b. Hello \303\204 b. " 1 "sender" s ":1."#),
        "\(busctl)")
      let gdbus = try await fixture.command(
        "gdbus",
        [
          "call", "--session", "-d", name, "-o", "/org/example/Thing", "-m", "org.example.Thing.Echo",
          "<(1, ['a'], {'k': <2.5>})>",
        ])
      #expect(gdbus.output == "(<(1, ['a'], {'k': <2.5>})>,)\n", "\(gdbus)")
    }
  }

  @Test func `Wrong arguments are InvalidArgs with the expected and the received types`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      let wrong = BusMethod<Arguments<Int32, [String]>, Arguments<>>(
        "Greet", of: Thing.interface, takes: ["a", "b"])
      let error = await #expect(throws: BusError.self) {
        try await fixture.client.call(wrong, at: object, 1, ["x"])
      }
      #expect(error?.name == .invalidArgs)
      #expect(error?.message == "wrong arguments of Greet: expected the D-Bus signature (si), got (ias)")
      let none = BusMethod<Arguments<>, Arguments<>>("Greet", of: Thing.interface)
      let missing = await #expect(throws: BusError.self) { try await fixture.client.call(none, at: object) }
      #expect(missing?.message == "wrong arguments of Greet: expected the D-Bus signature (si), got ()")
      // A reply with another type leads to this error on the caller's side.
      let reply = BusMethod<Arguments<Variant>, Arguments<String>>(
        "Echo", of: Thing.interface, takes: ["a"], returns: ["b"])
      let unexpected = await #expect(throws: BusError.self) {
        try await fixture.client.call(reply, at: object, "x")
      }
      #expect(unexpected?.name == .invalidArgs)
      #expect(unexpected?.message == "wrong reply: expected the D-Bus signature (s), got (v)")
    }
  }

  @Test func `An object can reject a call before its arguments are read`() async throws {
    try await BusFixture.run { fixture in
      let other = try await BusConnection.open(fixture.address)
      let unwanted = try await other.uniqueName()
      let log = Log()
      let served = BusObject(
        Thing.path,
        [
          .method(Thing.echo) { _, value in
            log.add("\(value)")
            return value
          }
        ]
      ) { sender, member in
        sender == unwanted && member == Thing.echo.name ? BusError("org.example.Error.Enough", "enough") : nil
      }
      try await fixture.server.export(served)
      let object = try await fixture.object()
      let error = await #expect(throws: BusError.self) {
        try await other.call(Thing.echo, at: object, "no")
      }
      #expect(error?.name == "org.example.Error.Enough" && error?.message == "enough")
      let answer = try await fixture.client.call(Thing.echo, at: object, "yes")
      #expect(answer == "yes")
      #expect(await log.finish().count == 1)
      await other.close()
    }
  }

  @Test func `Errors carry name, text, details and the call that was attempted`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      let error = await #expect(throws: BusError.self) {
        try await fixture.client.call(Thing.fail, at: object, "org.example.Error.Odd", "so it is é")
      }
      #expect(error?.name == "org.example.Error.Odd")
      #expect(error?.message == "so it is é")
      #expect(error?.details == ["code": .int32(7), "text": "é"])
      #expect(
        error?.description
          == "org.example.Thing.Fail on \(object): so it is é (org.example.Error.Odd)")
      let bare = await #expect(throws: BusError.self) {
        try await fixture.client.call(Thing.fail, at: object, "org.example.Error.Odd", "")
      }
      #expect(bare?.details == [:])
      #expect(bare?.message == "")
    }
  }

  @Test func `An error that D-Bus cannot carry still answers the caller`() async throws {
    try await BusFixture.run { fixture in
      let bad = BusMethod<Arguments<>, Arguments<>>("Bad", of: Thing.interface)
      let worse = BusMethod<Arguments<>, Arguments<Variant>>("Worse", of: Thing.interface, returns: ["v"])
      try await fixture.server.export(
        BusObject(
          Thing.path,
          [
            .method(Thing.fail) { _, name, text throws(BusError) in
              throw BusError(ErrorName(unchecked: name), text)
            },
            .method(bad) { _ throws(BusError) in
              throw BusError(.failed, "told", details: ["nul": "a\0b"])
            },
            .method(worse) { _ in .objectPath(ObjectPath(unchecked: "no path")) },
          ]))
      let object = try await fixture.object()
      let unnamed = await #expect(throws: BusError.self) {
        try await fixture.client.call(Thing.fail, at: object, "no error name", "told")
      }
      #expect(unnamed?.name == .failed && unnamed?.message == "told")
      let undetailed = await #expect(throws: BusError.self) { try await fixture.client.call(bad, at: object) }
      #expect(undetailed?.message == "told" && undetailed?.details == [:])
      let unwritten = await #expect(throws: BusError.self) {
        try await fixture.client.call(worse, at: object)
      }
      #expect(unwritten?.name == .invalidArgs)
    }
  }

  @Test(arguments: [ErrorName.serviceUnknown, .nameHasNoOwner, .noReply, .timeout, .disconnected, .cancelled])
  func `An error of the bus in a reply proves nothing`(name: ErrorName) async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(
        BusObject(
          Thing.path,
          [.method(Thing.fail) { _, _, text throws(BusError) in throw BusError(name, text) }]))
      let object = try await fixture.object()
      let error = await #expect(throws: BusError.self) {
        try await fixture.client.call(Thing.fail, at: object, "", "of another call")
      }
      #expect(error?.name == name && error?.message == "of another call")
      #expect(error?.isOfCalledProgram == true && error?.busFailure == nil)
      #expect(error?.withoutDetails.busFailure == nil)
    }
  }

  @Test func `Unknown methods, interfaces, objects and names have errors of their own`() async throws {
    try await BusFixture.run { fixture in
      try await fixture.server.export(Thing.object())
      let object = try await fixture.object()
      func failure(_ member: MemberName, _ interface: InterfaceName, _ addressee: RemoteObject) async
        -> BusError?
      {
        let method = BusMethod<Arguments<>, Arguments<>>(member, of: interface)
        do throws(BusError) { try await fixture.client.call(method, at: addressee) } catch { return error }
        return nil
      }
      let method = await failure("Nothing", Thing.interface, object)
      #expect(method?.name == .unknownMethod)
      #expect(method?.message == "org.example.Thing has no method Nothing")
      let interface = await failure("Greet", "org.example.Other", object)
      #expect(interface?.name == .unknownInterface)
      #expect(interface?.message == "/org/example/Thing has no interface org.example.Other")
      let nowhere = await failure("Greet", Thing.interface, RemoteObject(object.name, "/nowhere"))
      #expect(nowhere?.name == .unknownObject)
      let standard = await failure("Nothing", "org.freedesktop.DBus.Introspectable", object)
      #expect(standard?.name == .unknownMethod)
      // A signal or property cannot be called.
      #expect(await failure("Ticked", Thing.interface, object)?.name == .unknownMethod)
      #expect(await failure("Colour", Thing.interface, object)?.name == .unknownMethod)
      let absent = await failure("Greet", Thing.interface, RemoteObject("org.example.Absent", "/"))
      #expect(absent?.name == .serviceUnknown && absent?.busFailure == .serviceUnknown)
      let gone = await failure("Greet", Thing.interface, RemoteObject(":1.999", "/"))
      #expect(gone?.name == .serviceUnknown)
    }
  }

  @Test func `A name is not started if the call excludes it`() async throws {
    try await BusFixture.run { fixture in
      let recorder = try Recorder("starter", in: fixture.desktop, .exits(1))
      try fixture.desktop.installActivation("org.example.Started", exec: recorder.execWord)
      let started = RemoteObject("org.example.Started", Thing.path)
      let error = await #expect(throws: BusError.self) {
        try await fixture.client.call(Thing.wait, at: started, autoStart: false)
      }
      #expect(
        error?.name == .nameHasNoOwner || error?.name == .serviceUnknown, "\(String(describing: error))")
      // The calls before have started no program: this start is the first.
      await #expect(throws: BusError.self) { try await fixture.client.call(Thing.wait, at: started) }
      _ = try await recorder.nextStart()
    }
  }

  @Test func `Calls start in message order, and slow calls delay no others`() async throws {
    try await BusFixture.run { fixture in
      let gate = Gate()
      let seen = Shared<[Int32]>([])
      let number = BusMethod<Arguments<Int32>, Arguments<>>("Number", of: Thing.interface, takes: ["n"])
      let slow = BusMethod<Arguments<>, Arguments<>>("Slow", of: Thing.interface)
      let log = Log()
      try await fixture.server.export(
        BusObject(
          Thing.path,
          [
            .method(number) { _, number in seen.value.append(number) },
            .method(slow) { _ in
              log.add("slow")
              await gate.pass()
            },
          ]))
      let object = try await fixture.object()
      async let waiting: Void = fixture.client.call(slow, at: object)
      #expect(try await log.next() == "slow")
      let sender = Sender(connection: fixture.client)
      try await sender.send(200, number, to: object)
      #expect(seen.value == Array(0..<200))
      await gate.open()
      try await waiting
    }
  }

  @Test func `An object can be replaced and removed`() async throws {
    try await BusFixture.run { fixture in
      let object = try await fixture.object()
      let name = BusMethod<Arguments<>, Arguments<String>>("Name", of: Thing.interface, returns: ["name"])
      for text in ["first", "second"] {
        try await fixture.server.export(BusObject(Thing.path, [.method(name) { _ in text }]))
        #expect(try await fixture.client.call(name, at: object) == text)
      }
      await fixture.server.unexport(Thing.path)
      let error = await #expect(throws: BusError.self) { try await fixture.client.call(name, at: object) }
      #expect(error?.name == .unknownObject)
    }
  }
}

/// A sender of calls that does not wait for replies, in order.
actor Sender {
  nonisolated let connection: BusConnection
  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }
  init(connection: BusConnection) { self.connection = connection }

  func send(
    _ count: Int32, _ method: BusMethod<Arguments<Int32>, Arguments<>>, to object: RemoteObject
  ) async throws {
    let tasks = (0..<count).map { number in
      Task {
        _ = self
        try await connection.call(method, at: object, number)
      }
    }
    for task in tasks { try await task.value }
  }
}
