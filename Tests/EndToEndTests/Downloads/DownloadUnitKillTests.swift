// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Downloads under a real `systemd --user`, which starts the next daemon while curl continues in its unit.
@Suite struct `The unit of a download while usher-triggers is killed` {
  private static let id = "org.example.Notes"

  @Test func `delivers each file once, whatever step the daemon is killed at`() async throws {
    // All points take a minute or two.
    let step = ProcessInfo.processInfo.environment["USHER_KILL_SWEEP"] == "all" ? 1 : 4
    try await Session.with { session in
      let desktop = session.desktop
      let (root, log) = (desktop.root, "\(desktop.root)/outcomes")
      // The application writes its requests into a file.
      let application = try desktop.installScript(
        "notes-app",
        """
        #!/usr/bin/python3 -u
        import json, sys
        for line in sys.stdin:
          with open("\(log)", "a") as file: file.write(line)
          print(json.dumps({"request-id": json.loads(line)["request-id"], "handled": True}))

        """)
      try desktop.installDesktopEntry(
        Self.id, exec: "\(desktop.bin)/usher listen \(Self.id) %U -- \(application)",
        lines: ["Implements=org.usher.Application1;"])
      // The first daemon after the file `point` was written is killed.
      let daemon = try desktop.installScript(
        "faulty-triggers",
        """
        #!/bin/sh
        if mv '\(root)/point' '\(root)/used' 2>/dev/null; then
          USHER_TEST_KILL_AT=$(cat '\(root)/used')
          export USHER_TEST_KILL_AT
        fi
        exec '\(desktop.bin)/usher-triggers'

        """)
      try desktop.write(
        """
        [Service]
        ExecStart=
        ExecStart=\(daemon)
        ExecStopPost=/bin/sh -c '[ "$EXIT_STATUS" != KILL ] || : >"\(root)/killed"'

        """,
        to: "\(desktop.systemData)/systemd/user/usher-triggers.service.d/faulty.conf")
      let server = try await FileServer.start(on: desktop)
      let service = "usher-triggers.service"
      let sum = try #require(
        try await session.must(
          "/usr/bin/python3 -c 'import hashlib; print(hashlib.sha256(hashlib.shake_256(b\"1\").digest(\(FileServer.length))).hexdigest())'"
        ).first)
      _ = try await session.must("systemctl --user daemon-reload")
      var (point, wasKilled, names) = (1, true, [String]())
      while wasKilled, point < 100 {
        let (name, file) = ("map\(point)", "\(root)/map\(point)")
        names.append(name)
        _ = try await session.must(
          """
          systemctl --user stop \(service); systemctl --user reset-failed \(service); rm -f '\(root)/killed'; echo \(point) >'\(root)/point'
          add() { usher download \(Self.id) '\(server.url("/first/\(point)"))' --identifier \(name) -o '\(file)'; }
          until add || usher download list | grep -q ' \(name) ' || [ -e '\(file)' ]; do :; done >/dev/null 2>&1
          """)
        // No call starts the next daemon.
        _ = try await session.must(
          "timeout \(timeLimit(240)) sh -c 'until grep -qs \"\\\"\(name)\\\"\" \"\(log)\"; do sleep 0.05; done'"
        )
        #expect(try await session.must("sha256sum '\(file)' | cut -d' ' -f1") == [sum], "killed at \(point)")
        #expect(try await session.run("ls '\(file).part' 2>/dev/null").status != 0, "killed at \(point)")
        wasKilled = FileManager.default.fileExists(atPath: "\(root)/killed")
        point += step
      }
      #expect(point > 10 && point < 100, "\(point) steps")
      // The last outcome follows those that would have been reported again.
      for name in names {
        #expect(try await session.must("grep -c '\"identifier\": *\"\(name)\"' '\(log)'") == ["1"], "\(name)")
      }
      let units = "systemctl --user list-units --all 'usher-download-*' --no-legend --plain"
      #expect(try await session.must(units) == [])
      server.stop()
    }
  }
}
