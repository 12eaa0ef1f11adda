// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// A desk on which links of the web open in a program that plays the browser.
struct SignInRig: Sendable {
  let desk: InstalledDesktop
  /// A port of the loopback interface that was free.
  let port: Int
  private let visits: ReportPipe

  /// Installs the browser.
  ///
  /// - Parameter follows: Whether it fetches the pages with curl, follows redirects, and has cookies.
  static func install(on desk: InstalledDesktop, follows: Bool = false) async throws -> SignInRig {
    let visits = try await ReportPipe("browser", in: desk.desktop)
    let program = try desk.desktop.installScript(
      "browser",
      """
      #!/usr/bin/python3 -IS
      import json, os, subprocess, sys
      page = ""
      if \(follows ? "True" : "False"):
        jar = "\(desk.desktop.root)/cookies"
        page = subprocess.run(
          ["curl", "-sS", "-L", "-c", jar, "-b", jar, "-w", "\\n%{http_code}", sys.argv[1]], stdout=subprocess.PIPE,
          stderr=subprocess.STDOUT, text=True).stdout
      pipe = os.open("\(visits.path)", os.O_RDWR)
      os.write(pipe, json.dumps({"url": sys.argv[1], "page": page}).encode() + b"\\n")

      """)
    try desk.desktop.installDesktopEntry(
      "org.example.Browser", exec: "\(program) %u", schemes: ["http", "https"])
    let ids = ["org.usher.Handler", "org.example.Browser"]
    try desk.desktop.setDefaults(["http": ids, "https": ids])
    return SignInRig(desk: desk, port: try await freePort(), visits: visits)
  }

  /// Returns a port of the loopback interface that is free, and that the kernel gives to no outgoing connection (32768 to 60999).
  static func freePort() async throws -> Int {
    let output = try await Command.run(
      "/usr/bin/python3",
      [
        "-c",
        """
        import random, socket
        while True:
          port = random.randrange(20000, 32768)
          try:
            socket.create_server(("127.0.0.1", port)).close()
          except OSError:
            continue
          break
        print(port)
        """,
      ]
    ).orThrow().output
    return Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  /// Expects that the program of a provider has its token, and got the answer without the fields of the browser.
  static func expectToken(_ result: CommandResult, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(result.status == 0, "\(result)", sourceLocation: sourceLocation)
    let report = try PropertyList(json: result.output)
    #expect(report["token"]?.string == "token-of-ada", "\(result)", sourceLocation: sourceLocation)
    // The browser had a cookie for the address, which the program must not have.
    #expect(
      report["headers"]?.dictionary?.keys.sorted() == ["Connection", "Host"], "\(result)",
      sourceLocation: sourceLocation)
  }

  /// Waits for the next page that the browser has opened: its URL, and with curl the last page, with its status on the last line.
  func visit() async throws -> (url: String, page: String) {
    let line = try await visits.next()
    return (line["url"]?.string ?? "", line["page"]?.string ?? "")
  }

  /// The link of an authorization request with a redirect to the port.
  func link(state: String = "s1", port: Int? = nil, host: String = "localhost") -> String {
    "https://accounts.example/authorize?response_type=code&client_id=cli&code_challenge=x&state=\(state)"
      + "&redirect_uri=http%3A%2F%2F\(host)%3A\(port ?? self.port)%2Fcb"
  }

  /// Sends a request to the port with curl, and returns its output with the status on the last line; the exit status is 7 if nothing
  /// listens, and 56 or 52 if the connection is closed.
  func request(
    _ target: String = "/cb?code=c1&state=s1", _ options: String..., port: Int? = nil,
    host: String = "localhost"
  ) async throws -> CommandResult {
    try await Command.run(
      "curl", ["-sS", "-w", "\n%{http_code}"] + options + ["http://\(host):\(port ?? self.port)\(target)"])
  }

  /// Starts a program that listens at the port.
  func occupy(_ address: String = "127.0.0.1") async throws -> RunningProgram {
    let program = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-u", "-c",
        """
        import socket, sys
        listener = socket.create_server((sys.argv[1], int(sys.argv[2])), family=socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET)
        print("listening")
        while True:
          peer, _ = listener.accept()
          print("connected")
        """, address, "\(port)",
      ])
    _ = try await program.line { $0 == "listening" }
    return program
  }
}

extension CommandResult {
  /// The status of the response to a request with ``SignInRig/request(_:_:port:host:)``.
  var httpStatus: Int? { output.split(separator: "\n").last.flatMap { Int($0) } }
}
