// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// Pages and files from another device, with a stand-in for KDE Connect and a real user manager.
@Suite struct `What the user sends from another device` {
  private static let list = "org.example.ReadingList"
  private static let pages = "https://pages.example.com"

  /// Runs `body` with the stand-in and the example application of `Examples/handoff`, to which a route assigns its pages.
  private func with(
    requestsActivities: Bool = true,
    _ body: @Sendable (Session, KDEConnectStandIn, ReportPipe) async throws -> Void
  ) async throws {
    try await Session.with { session in
      let desktop = session.desktop
      let pipe = try await ReportPipe(Self.list, in: desktop)
      let example = "\(BuiltProducts.repository)/Examples/handoff"
      let script = try desktop.installScript(
        "reading-list", "#!/bin/sh\nexec '\(example)/reading-list' 2<>'\(pipe.path)'\n")
      try desktop.install("Examples/handoff/\(Self.list).desktop", exec: script)
      let path = "\(desktop.dataHome)/applications/\(Self.list).desktop"
      // Programs that the user manager starts do not have the PATH of the test.
      var entry = try String(contentsOfFile: path, encoding: .utf8)
        .replacing("Exec=usher ", with: "Exec=\(desktop.bin)/usher ")
      if !requestsActivities { entry.replace("X-Usher-UserActivityTypes=", with: "X-Other=") }
      try desktop.write(entry, to: path)
      try desktop.installMimeApps(
        """
        [Default Applications]
        x-scheme-handler/https=org.usher.Handler.desktop;
        text/plain=\(Self.list).desktop;

        """)
      symlink("/usr/share/mime", "\(desktop.systemData)/mime")
      try desktop.write(
        """
        format = 1
        owner  = "user"
        [route.pages]
        match = "\(Self.pages)/{page...}"
        open  = "\(Self.list)"
        """, to: "\(desktop.configHome)/usher/routes/pages.toml")
      try await body(session, try await .start(in: session), pipe)
    }
  }

  private func expectSource(_ line: PropertyList, _ source: String, delivery: String) {
    #expect(line["source-application"]?.string == source, "\(line.json)")
    #expect(line["assurance"] == "unit" && line["delivery"]?.string == delivery, "\(line.json)")
  }

  @Test func `is an activity for an application that requests it, cold and warm`() async throws {
    try await with { session, device, pipe in
      for (page, delivery) in [("1?tab=2#end", "launch"), ("2", "running")] {
        let url = "\(Self.pages)/\(page)"
        try await device.receive(url: url)
        let line = try await pipe.next()
        #expect(line["reason"] == "user-activity", "\(line.json)")
        #expect(
          line["payload"] == ["type": "NSUserActivityTypeBrowsingWeb", "webpage-url": .string(url)],
          "\(line.json)")
        #expect(line["urls"] == [.string(url)])
        expectSource(line, KDEConnectStandIn.id, delivery: delivery)
      }
      // A program of this computer opens the page as a URL.
      _ = try await session.must("usher open \(Self.pages)/3")
      let own = try await pipe.next()
      #expect(own["reason"] == nil && own["payload"] == nil, "\(own.json)")
      #expect(own["urls"] == [.string("\(Self.pages)/3")])
      let history = try await session.must("usher history")
      #expect(history.contains { $0.contains(KDEConnectStandIn.id) && $0.contains("(unit)") }, "\(history)")
      #expect(!history.contains { $0.contains("tab=2") || $0.contains("#end") }, "\(history)")
    }
  }

  @Test func `is the URL that it is for any other application, cold and warm`() async throws {
    try await with(requestsActivities: false) { session, device, pipe in
      for (page, delivery) in [("1", "launch"), ("2", "running")] {
        try await device.receive(url: "\(Self.pages)/\(page)")
        let line = try await pipe.next()
        #expect(line["urls"] == [.string("\(Self.pages)/\(page)")], "\(line.json)")
        #expect(line["reason"] == nil && line["payload"] == nil, "\(line.json)")
        expectSource(line, KDEConnectStandIn.id, delivery: delivery)
      }
    }
  }

  /// `xdg-open` asks Usher about a file only where it is Usher itself (`make install-opener`).
  @Test func `opens as a document if the sender asks for that`() async throws {
    try await with { session, device, pipe in
      let opener = "\(session.desktop.bin)/xdg-open"
      try FileManager.default.createSymbolicLink(atPath: opener, withDestinationPath: BuiltProducts.usher)
      let file = try session.desktop.write("Dear Ann", to: "home/Downloads/a letter.txt")
      for delivery in ["launch", "running"] {
        try await device.receive(file: file, opens: true)
        let line = try await pipe.next()
        #expect(line["urls"] == [.string("file://\(file.replacing(" ", with: "%20"))")], "\(line.json)")
        expectSource(line, KDEConnectStandIn.id, delivery: delivery)
      }
    }
  }

  @Test func `opens as a document with source and annotation by the example's program`() async throws {
    try await with { session, device, pipe in
      let program = try session.desktop.installScript(
        "open-received-files",
        "#!/bin/sh\nexec '\(BuiltProducts.repository)/Examples/handoff/open-received-files' 2<>'\(pipe.path)'\n"
      )
      try session.desktop.install("Examples/handoff/org.example.ReceivedFiles.desktop", exec: program)
      _ = try await session.must(
        "systemd-run --user --quiet --collect -E PATH -p ExitType=cgroup --unit='app-org.example.ReceivedFiles@autostart.service' \(program)"
      )
      _ = try await pipe.line("Monitoring bus message stream")
      let file = try session.desktop.write("Dear Ann", to: "home/Downloads/letter.txt")
      for delivery in ["launch", "running"] {
        try await device.receive(file: file, opens: false)
        let line = try await pipe.next()
        #expect(line["urls"] == [.string("file://\(file)")], "\(line.json)")
        #expect(line["annotation"] == ["device": "Ann’s telephone"], "\(line.json)")
        expectSource(line, "org.example.ReceivedFiles", delivery: delivery)
      }
    }
  }
}
