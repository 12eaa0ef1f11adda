// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The real Firefox and Chromium under Xvfb, with two profiles each that run at the same time.
///
/// A server sets a cookie at the first visit of each profile, so that later requests show which profile made them.
@Suite(.serialized) struct `A link in the running profile of a real browser` {
  private static func isInstalled(_ program: String) -> Bool {
    Command.defaultPath.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  private static let server = """
    import http.server
    class Handler(http.server.BaseHTTPRequestHandler):
      def do_GET(self):
        print("GET", self.path, self.headers.get("Cookie"), flush=True)
        self.send_response(200)
        if self.path.startswith("/first-"): self.send_header("Set-Cookie", "profile=" + self.path[7:] + "; Max-Age=9999")
        self.send_header("Content-Length", "0")
        self.end_headers()
      def log_message(self, *words): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  /// A desktop with a display, on which a browser is the default for web links.
  private struct Rig: Sendable {
    let desk: InstalledDesktop
    let visits: RunningProgram
    let address: String

    /// Opens a page, and returns the cookie that the browser sent for it.
    ///
    /// - Parameter isForwarded: Whether the started program must exit, because it passes the link to a running instance.
    func cookie(of path: String, in application: String? = nil, isForwarded: Bool = true) async throws
      -> String
    {
      let words = application.map { ["--app", $0] } ?? []
      let wait = isForwarded ? "handled" : "delivered"
      let report = try OpenReport(
        try await desk.run("usher", ["open", "--json", "--wait", wait] + words + ["\(address)\(path)"]))
      #expect(report.status == 0 && report.outcome == wait, "\(report)")
      let line = try await visits.line { $0.hasPrefix("GET \(path) ") }
      return String(line.split(separator: " ", maxSplits: 2)[2])
    }
  }

  private static func with(
    _ id: String, exec: String, routes: String, _ body: @Sendable (Rig) async throws -> Void
  ) async throws {
    let display = try await RunningProgram.start(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"])
    let number = try await display.line { !$0.isEmpty }
    try await ThrowAwayDesktop.withBus(extra: ["DISPLAY": ":\(number)"]) { desktop, bus in
      try desktop.installUsher()
      // Firefox calls the portal, which would mount a file system in the runtime directory.
      try desktop.installActivation("org.freedesktop.portal.Documents", exec: "/bin/false")
      try desktop.installDesktopEntry(id, exec: exec, schemes: ["http", "https"])
      try desktop.setDefaults(["http": ["org.usher.Handler", id], "https": ["org.usher.Handler", id]])
      let visits = try await RunningProgram.start(
        "/usr/bin/python3", ["-u", "-c", server], environment: desktop.environment)
      let port = try await visits.line { !$0.isEmpty }
      try desktop.writeRoutes("rules.toml", routes.replacing("PORT", with: port))
      let desk = InstalledDesktop(desktop: desktop, bus: bus)
      try await body(Rig(desk: desk, visits: visits, address: "http://localhost:\(port)"))
    }
    display.kill()
    _ = await display.waitUntilExit()
  }

  @Test(.enabled(if: isInstalled("firefox-esr"), "firefox-esr is not installed"))
  func `of Firefox arrives there`() async throws {
    let routes = """
      [route.work]
      match = "http://localhost:PORT/work/{r...?}"
      open  = { browser = "firefox", profile = "Work" }
      [route.window]
      match = "http://localhost:PORT/window/{r...?}"
      open  = { browser = "firefox", profile = "Home", new-window = true }
      [route.private]
      match = "http://localhost:PORT/private/{r...?}"
      open  = { browser = "firefox", profile = "Home", private = true }
      """
    try await Self.with("firefox-esr", exec: "firefox-esr %u", routes: routes) { rig in
      for name in ["Work", "Home"] {
        try await rig.desk.run("firefox-esr", ["--headless", "-CreateProfile", name]).orThrow()
      }
      for name in ["Work", "Home"] {
        _ = try await rig.cookie(of: "/first-\(name)", in: "firefox-esr@\(name)", isForwarded: false)
      }
      #expect(try await rig.cookie(of: "/work/1") == "profile=Work")
      #expect(try await rig.cookie(of: "/home/1", in: "firefox-esr@Home") == "profile=Home")
      #expect(try await rig.cookie(of: "/work/2") == "profile=Work")
      #expect(try await rig.cookie(of: "/window/1") == "profile=Home")
      #expect(try await rig.cookie(of: "/private/1") == "None")
    }
  }

  @Test(.enabled(if: isInstalled("chromium"), "chromium is not installed"))
  func `of Chromium arrives there`() async throws {
    let routes = """
      [route.work]
      match = "http://localhost:PORT/work/{r...?}"
      open  = { browser = "chromium", profile = "Profile 1" }
      [route.window]
      match = "http://localhost:PORT/window/{r...?}"
      open  = { browser = "chromium", profile = "Default", new-window = true }
      [route.private]
      match = "http://localhost:PORT/private/{r...?}"
      open  = { browser = "chromium", profile = "Default", private = true }
      """
    // Chromium has no sandbox for root, and asks for a password of a keyring.
    let exec = "chromium --no-sandbox --no-first-run --disable-gpu --password-store=basic %U"
    try await Self.with("chromium", exec: exec, routes: routes) { rig in
      // Chromium creates its profiles at the first start.
      let first = try await RunningProgram.start(
        "chromium",
        exec.split(separator: " ").dropFirst().dropLast().map(String.init)
          + ["--profile-directory=Default", "\(rig.address)/first-Default"],
        environment: rig.desk.desktop.environment)
      _ = try await rig.visits.line { $0.hasPrefix("GET /first-Default ") }
      try await rig.desk.run(
        "chromium",
        exec.split(separator: " ").dropFirst().dropLast().map(String.init)
          + ["--profile-directory=Profile 1", "\(rig.address)/first-Profile1"]
      ).orThrow()
      _ = try await rig.visits.line { $0.hasPrefix("GET /first-Profile1 ") }
      // It writes the list of profiles some seconds later.
      let list = "\(rig.desk.desktop.configHome)/chromium/Local State"
      try await withDeadline(Command.defaultDeadline, "the list of Chromium's profiles") {
        while (try? String(contentsOfFile: list, encoding: .utf8))?.contains("\"Profile 1\":{") != true {
          try await Task.sleep(for: .milliseconds(100))
        }
      }
      #expect(try await rig.cookie(of: "/work/1") == "profile=Profile1")
      #expect(try await rig.cookie(of: "/home/1", in: "chromium@Default") == "profile=Default")
      #expect(try await rig.cookie(of: "/work/2") == "profile=Profile1")
      #expect(try await rig.cookie(of: "/window/1") == "profile=Default")
      #expect(try await rig.cookie(of: "/private/1") == "None")
      first.kill()
      _ = await first.waitUntilExit()
    }
  }
}
