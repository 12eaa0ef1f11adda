// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Launching
import OpenSocket
import Systemd
import TestSupport
import Testing

@testable import UsherCommand
@testable import usher

/// Comparisons of the command's front with the complete command.
@Suite struct `The front of the command` {
  private static func plain(_ words: [String], _ variables: [String: String] = [:]) -> OpenPacket? {
    FastPathArguments(words) { variables[$0] }?.packet
  }

  @Test(arguments: [
    (["usher", "open", "notes:1"], nil), (["/usr/bin/usher", "open", "N+o.t-e2s://x?a=b#c"], nil),
    (["usher", "open", "--from-desktop", "notes:1"], "accepted"),
    (["usher", "open", "--wait=accepted", "notes:1"], "accepted"),
    (["usher", "open", "--from-desktop", "--wait=delivered", "notes:1"], nil),
    (["usher", "open", "notes:1", "--from-desktop"], "accepted"),
  ])
  func `sends the same request as the full command`(words: [String], wait: String?) throws {
    let packet = try #require(Self.plain(words))
    let call = try #require(PlainCall(words.dropFirst()).flatMap { OpenInvocation($0) })
    #expect([packet.url] == call.urls.map(\.text))
    #expect(packet.wait == wait)
    #expect((wait.flatMap(OpenOptions.Wait.init) ?? .delivered) == call.options.wait)
    #expect((packet.others["prompt"] == "leave") == (call.options.prompt == .leave))
    #expect(RequestID.isValid(packet.requestID))
    #expect(Self.plain(words)?.requestID != packet.requestID)
  }

  @Test func `wants to know of a prompt only at a terminal, and not for a desktop`() {
    func prompt(_ words: String..., isAtTerminal: Bool = true) -> String? {
      FastPathArguments(words, isAtTerminal: isAtTerminal) { _ in nil }?.packet.others["prompt"]
    }
    #expect(prompt("usher", "open", "notes:1") == "announce")
    #expect(prompt("usher", "open", "notes:1", isAtTerminal: false) == nil)
    #expect(prompt("usher", "open", "--from-desktop", "--wait=delivered", "notes:1") == nil)
    #expect(prompt("usher", "open", "--from-desktop", "notes:1") == "leave")
    #expect(prompt("xdg-open", "notes:1") == "leave")
  }

  @Test func `reads a call by the name of xdg-open as that reads it`() {
    #expect(Self.plain(["/usr/bin/xdg-open", "notes:1"])?.url == "notes:1")
    for words in [
      ["notes:1", "notes:2"], ["--from-desktop", "notes:1"], ["--help"], [], ["open", "notes:1"],
    ] {
      #expect(Self.plain(["xdg-open"] + words) == nil, "\(words)")
    }
  }

  @Test(arguments: [
    [], ["usher"], ["usher", "open"], ["usher", "explain", "notes:1"],
    ["usher", "open", "notes:1", "notes:2"],
    ["usher", "open", "--json", "notes:1"], ["usher", "open", "--wait=handled", "notes:1"],
    ["usher", "open", "--", "notes:1"], ["usher", "open", "-h"], ["usher", "open", ""],
    ["usher", "open", "file:///etc/passwd"], ["usher", "open", "FILE:x"], ["usher", "open", "/etc/passwd"],
    ["usher", "open", "no scheme:1"], ["usher", "open", "notes:a b"], ["usher", "open", "notes:ä"],
    ["usher", "open", "notes:\u{7F}"], ["usher", "open", "1notes:x"], ["usher", "open", ":x"],
    ["usher", "open", "note\u{1}s:x"], ["usher", "open", "notes"],
  ])
  func `leaves all other calls to the full command`(words: [String]) { #expect(Self.plain(words) == nil) }

  @Test func `leaves the only command of a remote login with a display to the full command`() {
    let words = ["usher", "open", "notes:1"]
    let login = ["SSH_CONNECTION": "::1 1 ::1 22", "DISPLAY": "localhost:10.0"]
    #expect(Self.plain(words, login) == nil)
    for (name, value) in [
      ("SSH_TTY", "/dev/pts/1"), ("DISPLAY", ":1"), ("DISPLAY", ""), ("WAYLAND_DISPLAY", "wayland-1"),
    ] {
      #expect(Self.plain(words, login.merging([name: value]) { $1 }) != nil, "\(name)=\(value)")
    }
  }

  @Test func `passes the launcher's token on, and leaves a token that needs inspection to the full command`()
  {
    let words = ["usher", "open", "notes:1"]
    #expect(Self.plain(words)?.activationToken == nil)
    #expect(
      Self.plain(words, ["XDG_ACTIVATION_TOKEN": "a", "DESKTOP_STARTUP_ID": "b"])?.activationToken == "a")
    #expect(
      Self.plain(words, ["XDG_ACTIVATION_TOKEN": "", "DESKTOP_STARTUP_ID": "b"])?.activationToken == "b")
    #expect(
      Self.plain(words, ["XDG_ACTIVATION_TOKEN": "a", "DESKTOP_STARTUP_ID": "b"])?.others == [
        "startup-id": "b"
      ])
    #expect(Self.plain(words, ["XDG_ACTIVATION_TOKEN": "a", "DESKTOP_STARTUP_ID": "a"])?.others == [:])
    for token in ["a\nb", "ä", String(repeating: "a", count: 4_097)] {
      #expect(Self.plain(words, ["XDG_ACTIVATION_TOKEN": token]) == nil)
    }
  }

  @Test func `sends the session's variables, and no others`() {
    let session = [
      "DISPLAY": ":7", "XAUTHORITY": "/h/.Xauthority", "XDG_CURRENT_DESKTOP": "sway", "LANG": "de_DE.UTF-8",
    ]
    let others = [
      "PATH": "/p", "LD_PRELOAD": "/x", "DBUS_SESSION_BUS_ADDRESS": "unix:", "APPDIR": "/a", "SNAP": "/s",
    ]
    let packet = Self.plain(["usher", "open", "notes:1"], session.merging(others) { $1 })
    #expect(
      packet?.others == Dictionary(uniqueKeysWithValues: session.map { ("session/\($0.key)", $0.value) }))
  }

  /// A process that was started for a request must count a hop, which only the complete command does.
  @Test(arguments: [EnvelopeFile.variable, EnvelopeFile.hopsVariable])
  func `leaves calls of a program that was started for a request to the full command`(variable: String) {
    #expect(Self.plain(["usher", "open", "notes:1"], [variable: "1"]) == nil)
  }

  @Test func `passes its result to the full command in a value that no user types`() {
    #expect(HandedOffRequest("--sent=1a").map { [$0.id, "\($0.status)"] } == ["1a", "sent"])
    #expect(HandedOffRequest("--resume-uncertain=1a")?.status == .uncertain)
    #expect(HandedOffRequest("--opened=")?.status == .opened)
    for status in HandedOffRequest.Status.allCases {
      let sent = HandedOffRequest("1a", status)
      #expect(HandedOffRequest(sent.word) == sent)
    }
    for word in ["--sent", "sent=1a", "--json", ""] { #expect(HandedOffRequest(word) == nil) }
  }
}

@Suite struct `A link for another desktop` {
  private static func isRemote(_ words: [String], _ variables: [String: String], isAlone: Bool = false)
    -> Bool
  {
    RemoteCall(["usher", "open"] + words, isAlone: isAlone) { variables[$0] } != nil
  }

  @Test func `has no options of the full command, which opens it on this machine unless a socket is chosen`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let socket = "\(try directory.makeDirectory("usher-remote"))/socket"
    try await Command.run(
      "/usr/bin/python3",
      ["-c", "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", socket]
    ).orThrow()
    let login = ["SSH_CONNECTION": "1 2 3 4", "XDG_RUNTIME_DIR": directory.path]
    let chosen = ["USHER_SOCKET": socket]
    for words in [["notes:1"], ["--wait", "handled", "notes:1"], ["--app=--dry-run", "notes:1"], []] {
      #expect(Self.isRemote(words, login) && Self.isRemote(words, chosen), "\(words)")
    }
    for words in [
      ["--dry-run", "notes:1"], ["notes:1", "--callback"], ["--reason", "activate", "--app", "a"],
    ] {
      #expect(!Self.isRemote(words, login) && Self.isRemote(words, chosen), "\(words)")
      #expect(Self.isRemote(words, login, isAlone: true), "\(words)")
    }
  }

  @Test(arguments: ["--help", "-h", "--version"])
  func `leaves the help and the version to the full command`(word: String) async throws {
    let chosen = ["USHER_SOCKET": "/nowhere"]
    #expect(!Self.isRemote([word], chosen) && !Self.isRemote(["notes:1", word], chosen))
    #expect(Self.isRemote(["--fallback", word, "notes:1"], chosen))
    #expect(Self.isRemote(["--", word], chosen))
    let printed = try await Command.run(
      BuiltProducts.usher, ["open", word],
      environment: ["PATH": "/usr/bin:/bin", "HOME": "/nowhere"].merging(chosen) { $1 })
    #expect(
      printed.status == 0 && printed.output.contains(word == "--version" ? "usher 0." : "--dry-run"),
      "\(printed)")
  }
}

@Suite struct `The broker's socket` {
  @Test func `Packets are read as they were written`() {
    for packet in [
      OpenPacket(url: "a:1", requestID: "i"),
      OpenPacket(url: "b:ä", requestID: "i", wait: "accepted"),
      OpenPacket(url: "a:", requestID: "i", activationToken: "t"),
      OpenPacket(url: "a:", requestID: "i", others: ["org.example.later": "1", "later/DISPLAY": ":7"]),
    ] {
      #expect(packet.bytes.flatMap { OpenPacket($0) } == packet)
    }
    #expect(OpenPacket(url: "a:\0", requestID: "i").bytes == nil)
    #expect(
      OpenPacket(url: "a:" + String(repeating: "1", count: OpenPacket.limit), requestID: "i").bytes == nil)
  }

  @Test func `A truncated or altered packet never contains another link`() throws {
    let whole = try #require(OpenPacket(url: "play:1", requestID: "i", wait: "accepted").bytes)
    for length in 0..<whole.count {
      #expect(OpenPacket(whole.prefix(length)) == nil || whole[length - 1] == 0)
    }
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      var bytes = whole
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      // Any bytes are parsed without a trap, and a parsed packet is written unchanged.
      if let packet = OpenPacket(bytes) { #expect(packet.bytes.flatMap { OpenPacket($0) } == packet) }
    }
  }

  @Test(
    arguments: [
      ("/run/user/7", nil, true), ("/run/user/7", "", true),
      ("/run/user/7", "unix:path=/run/user/7/bus", true),
      ("/run/user/7", "unix:path=/run/user/7/bus,guid=12", true),
      ("/run/user/7", "unix:path=/run/user/8/bus", false),
      ("/run/user/7", "unix:path=/run/user/7/bus;unix:path=/tmp/b", false),
      ("/run/user/7", "unix:path=/run/user/7/bus2", false),
      ("/run/user/7", "unix:abstract=/run/user/7/bus", false), ("", nil, false), ("run", nil, false),
      (nil, nil, false),
    ] as [(String?, String?, Bool)])
  func `It belongs to the broker of the user's own bus`(directory: String?, address: String?, isThere: Bool) {
    let path = OpenSocket.path(runtimeDirectory: directory, busAddress: address)
    #expect(path == (isThere ? "/run/user/7/usher/open" : nil))
  }
}

@Suite struct `The front without standard descriptors` {
  /// A socket that got the number of a closed descriptor would receive the messages.
  @Test func `connects by another number than theirs`() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(try directory.makeDirectory("usher"))/open"
    let (files, came) = AsyncStream<[String]>.makeStream()
    let (made, listeners) = AsyncStream<SeqPacketListener?>.makeStream()
    EventLoop.shared.submit {
      listeners.yield(
        try? SeqPacketListener(
          at: path, on: .shared, mostConnections: 8, longestPacket: OpenPacket.limit,
          question: OpenAnswer.identify.rawValue
        ) { peer, _ in
          // The command waits for the answer, so that its descriptors are still open.
          came.yield(
            [STDIN_FILENO, STDERR_FILENO].map { number in
              let link = "/proc/\(peer.process?.pid ?? 0)/fd/\(number)"
              return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? "closed"
            })
          peer.send(OpenAnswer.done.rawValue)
        })
    }
    let listener = try #require(await made.first { _ in true } ?? nil)
    let result = try await Command.run(
      "sh", ["-c", "exec \"$0\" open notes:1 <&- 2>&-", BuiltProducts.usher],
      environment: [
        "PATH": Command.defaultPath, "HOME": "/nowhere", "XDG_RUNTIME_DIR": directory.path,
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory.path)/bus",
      ])
    came.finish()
    #expect(result.status == 0, "\(result)")
    #expect(await files.first { _ in true } == ["/dev/null", "/dev/null"])
    EventLoop.shared.submit { listener.end() }
  }
}

@Suite struct `A broker before Linux 6.5, where the socket does not identify the peer` {
  /// Simulates Linux before 6.5, where the kernel provides no pidfd of the peer.
  @Test func `sends a challenge to the command, whose reply proves its identity`() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/open"
    let (packets, came) = AsyncStream<(peer: SeqPacketConnection, packet: OpenPacket?)>.makeStream()
    let (made, listeners) = AsyncStream<SeqPacketListener?>.makeStream()
    EventLoop.shared.submit {
      listeners.yield(
        try? SeqPacketListener(
          at: path, on: .shared, mostConnections: 8, longestPacket: OpenPacket.limit,
          question: OpenAnswer.identify.rawValue, asksKernel: false
        ) { peer, packet in
          // The answers do not wait until the test has a thread: the client waits 25 s for them.
          peer.send(OpenAnswer.prompting.rawValue)
          peer.send(OpenAnswer.done.rawValue)
          came.yield((peer, OpenPacket(packet)))
        })
    }
    let listener = try #require(await made.first { _ in true } ?? nil)
    let call = OpenPacket(url: "notes:1", requestID: "1")
    async let outcome = withCheckedContinuation { done in
      Thread.detachNewThread {
        var prompts = 0
        let outcome = OpenSocketClient(call).carryOut(at: path) { prompts += 1 }
        done.resume(returning: (outcome, prompts))
      }
    }
    let (peer, packet) = try #require(await packets.first { _ in true })
    #expect(packet == call)
    #expect(peer.process?.pid == getpid())
    let (reached, prompts) = await outcome
    #expect(reached == .done && prompts == 1)
    EventLoop.shared.submit { listener.end() }
  }
}
