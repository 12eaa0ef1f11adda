// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// Links of a machine that is reached over a network by real OpenSSH.
@Suite struct `A machine in another network` {
  /// The forms of the client, by their words on the machine.
  private static let clients = [
    ["usher", "open"], ["/usr/bin/python3", "\(BuiltProducts.repository)/desktop/remote/usher-open"],
  ]

  @Test(arguments: clients)
  func `opens a link here with its annotation, and receives the receipt and the value`(client: [String])
    async throws
  {
    try await TwoMachines.with { machines in
      let opened = try await machines.usher(
        "ssh",
        words: client + [
          "--wait=handled", "--timeout=\(timeLimit(240))", "--annotation", #"'{"from":"ci"}'"#,
          "notes://note/7?tab=edit",
        ])
      #expect(opened.status == 0 && !opened.output.isEmpty, "\(opened)")
      let arrival = try await machines.target.next()
      #expect(arrival.urls == ["notes://note/7?tab=edit"] && arrival.envelope["annotation"]?["from"] == "ci")
      let history = try await machines.desk.usher("history").output
      #expect(history.contains("the machine \(SSHServer.machine)"), "\(history)")
      let json = try OpenReport(
        try await machines.usher(
          "ssh", words: client + ["--json", "--timeout=\(timeLimit(240))", "notes://note/8"]))
      #expect(json.status == 0 && json.first?["application"]?.string == machines.target.kind.id, "\(json)")
      #expect(try await machines.target.next().urls == ["notes://note/8"])
      let missing = try await machines.usher(
        "ssh", words: client + ["--timeout=\(timeLimit(240))", "nobody:1"])
      #expect(missing.status == 2 || missing.status == 3, "\(missing)")
      #expect(!missing.errorOutput.isEmpty, "\(missing)")
    }
  }

  @Test func `is denied by a route for its name`() async throws {
    let routes = """
      [route.no-builds]
      scheme = "notes"
      source = { remote = "\(SSHServer.machine)" }
      deny   = "no notes of builds"
      """
    try await TwoMachines.with(routes: routes) { machines in
      for client in Self.clients {
        let denied = try await machines.usher(
          "ssh", words: client + ["--timeout=\(timeLimit(240))", "notes://note/1"])
        #expect(denied.status == 3 && denied.errorOutput.contains("no notes of builds"), "\(denied)")
      }
      // The route is about links of the machine alone.
      #expect(try await machines.desk.open("notes://note/2").status == 0)
      #expect(try await machines.target.next().urls == ["notes://note/2"])
    }
  }

  @Test func `is asked about once`() async throws {
    try await TwoMachines.with(routes: "") { machines in
      let notifications = try await NotificationServer.start(on: machines.desk)
      async let opened = machines.usher(
        "ssh", words: ["usher", "open", "--timeout=\(timeLimit(240))", "notes://note/1"])
      let shown = try await notifications.next(1)
      #expect(shown.text.contains("The machine \(SSHServer.machine) wants"), "\(shown)")
      try await notifications.press(0, of: 1)
      let first = try await opened
      #expect(first.status == 0, "\(first)")
      #expect(try await machines.target.next().urls == ["notes://note/1"])
      let grants = try await machines.desk.usher("grants", "list")
      #expect(grants.output.contains("from the machine \(SSHServer.machine)"), "\(grants)")
      let second = try await machines.usher(
        "ssh", words: ["usher", "open", "--timeout=\(timeLimit(240))", "notes://note/2"])
      #expect(second.status == 0, "\(second)")
      #expect(try await machines.target.next().urls == ["notes://note/2"])
    }
  }

  @Test func `prints the link to copy while no desktop is connected`() async throws {
    try await TwoMachines.with { machines in
      for client in Self.clients {
        let failed = try await machines.usher("ssh", words: ["true"])
        #expect(failed.status == 0, "\(failed)")
        let printed = try await machines.network(.machine).run(
          client + ["notes://note/1?a=b"], environment: machines.server.environment)
        #expect(
          printed.status == 69 && printed.errorOutput.contains("open this yourself:\n  notes://note/1?a=b"),
          "\(printed)")
      }
      let opener = try await machines.onMachine("xdg-open", "notes://note/2")
      #expect(opener.status == 3 && opener.errorOutput.contains("notes://note/2"), "\(opener)")
    }
  }

  @Test(arguments: TwoMachines.End.allCases)
  func `is connected again after its network was lost, and no link is opened twice`(end: TwoMachines.End)
    async throws
  {
    try await TwoMachines.with { machines in
      // ssh notices after three of these intervals that the other end is gone.
      let connection = try await machines.connect("ServerAliveInterval=4")
      let first = try await machines.onMachine(
        "usher", "open", "--timeout=\(timeLimit(240))", "notes://note/1")
      #expect(first.status == 0, "\(first)")
      #expect(try await machines.target.next().urls == ["notes://note/1"])

      try await machines.unplug(end)
      // sshd accepts the connection of the client, which then waits for its relay as long as its caller says.
      let meanwhile = try await machines.onMachine("usher", "open", "--timeout=1", "notes://note/2")
      #expect(meanwhile.status == 69 && meanwhile.errorOutput.contains("notes://note/2"), "\(meanwhile)")
      _ = try await connection.line { $0.contains("was lost") }
      try await machines.plug(end)
      _ = try await connection.line { $0.contains("connected to build again") }

      let next = try await machines.onMachine(
        "usher", "open", "--timeout=\(timeLimit(240))", "notes://note/3")
      #expect(next.status == 0, "\(next)")
      #expect(try await machines.target.next().urls == ["notes://note/3"])
      let history = try await machines.desk.usher("history").output
      #expect(!history.contains("notes://note/2"), "\(history)")
      let ended = try await machines.usher("remote", "disconnect")
      #expect(ended.status == 0, "\(ended)")
      #expect(await connection.waitUntilExit().status == 0)
    }
  }

  @Test func `opens a link once that was sent shortly before its network returned`() async throws {
    try await TwoMachines.with { machines in
      let connection = try await machines.connect()
      try await machines.unplug(.machine)
      async let opened = machines.onMachine("usher", "open", "--timeout=\(timeLimit(240))", "notes://note/1")
      try await machines.waitForClients(1)
      try await machines.plug(.machine)
      let result = try await opened
      #expect(result.status == 0, "\(result)")
      #expect(try await machines.target.next().urls == ["notes://note/1"])
      let next = try await machines.onMachine(
        "usher", "open", "--timeout=\(timeLimit(240))", "notes://note/2")
      #expect(next.status == 0, "\(next)")
      #expect(try await machines.target.next().urls == ["notes://note/2"])
      connection.terminate()
      let ending = await connection.waitUntilExit()
      #expect(ending.status == 0, "\(ending)")
    }
  }
}
