// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher open fails by name` {
  private func open(
    _ arguments: String..., in desktop: ThrowAwayDesktop
  ) async throws -> (status: Int32?, error: String?, message: String) {
    let result = try await Command.run(
      BuiltProducts.usher, ["open", "--json"] + arguments, environment: desktop.environment)
    let object = try JSONObject(result.output)
    #expect(object.keys == ["deliveries", "error", "message", "outcome", "request-id"], "\(result)")
    return (result.status, object["error"], object["message"] ?? "")
  }

  @Test func `2, no application opens the scheme`() async throws {
    let failure = try await open("nothing:1", in: try ThrowAwayDesktop(hasBus: false))
    #expect(failure.status == 2 && failure.error == "org.usher.Error.NoHandler")
    #expect(failure.message.contains("usher register"))
  }

  @Test func `3, a route denies it`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    _ = try desktop.installPlayer()
    try desktop.installRoutes(
      "deny", "format = 1\nowner = \"user\"\n[route.no]\nmatch = \"play:secret\"\ndeny = \"not today\"\n")
    let failure = try await open("play:secret", in: desktop)
    #expect(failure.status == 3 && failure.error == "org.usher.Error.Denied")
    #expect(failure.message.contains("not today"))
  }

  @Test func `4, the program is missing`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installDesktopEntry("gone", exec: "/nowhere/gone %u", schemes: ["gone"])
    let failure = try await open("--app", "gone", "gone:1", in: desktop)
    #expect(failure.status == 4 && failure.error == "org.usher.Error.LaunchFailed")
    #expect(failure.message.contains("/nowhere/gone"))
  }

  @Test func `4, the program cannot be executed`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let script = try desktop.installScript("broken", "#!/nowhere/interpreter\n")
    try desktop.installDesktopEntry("broken", exec: "\(script) %u")
    try desktop.setDefaults(["broken": ["broken"]])
    let failure = try await open("broken:1", in: desktop)
    #expect(failure.status == 4 && failure.error == "org.usher.Error.LaunchFailed")
  }

  @Test(arguments: [["Implements=org.usher.Application1;"], ["DBusActivatable=true"]])
  func `69, only the bus can start the application`(lines: [String]) async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let exec = lines[0].hasPrefix("Implements") ? ["Exec=/bin/true"] : []
    let text = ["[Desktop Entry]", "Type=Application", "Name=Notes"] + exec + lines
    try desktop.installDesktopEntry("org.example.Notes", text: text.joined(separator: "\n") + "\n")
    try desktop.setDefaults(["notes": ["org.example.Notes"]])
    let failure = try await open("notes:1", in: desktop)
    #expect(failure.status == 69 && failure.error == "org.usher.Error.NeedsBus")
    #expect(failure.message.contains("cannot connect to a session bus"))
  }

  @Test func `A standard D-Bus application is run by its Exec line`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer(id: "org.example.Player", lines: ["DBusActivatable=true"])
    #expect(try await desktop.usher("open", "play:1").succeeded)
    #expect(try await player.nextStart().arguments == ["play:1"])
  }

  @Test(arguments: ["no-scheme", "x y", "play:a\nb", "play:a %00", "play:%00", "", "1:2", "play:\u{1}"])
  func `65, the argument is not a URL`(text: String) async throws {
    let failure = try await open("--", text, in: try ThrowAwayDesktop(hasBus: false))
    #expect(failure.status == 65 && failure.error == "org.usher.Error.InvalidURL")
  }

  @Test(arguments: [
    ["open"], ["open", "--wait", "soon", "x:"], ["open", "--timeout", "0", "x:"],
    ["open", "--timeout", "1e9", "x:"],
    ["open", "--annotation", "{", "x:"], ["open", "--app", "a/b", "x:"], ["register", "--scheme", "x"],
    ["register", "a"], ["explain"], ["unregister"], ["no-such-command"],
  ])
  func `64, a wrong call`(arguments: [String]) async throws {
    let result = try await Command.run(BuiltProducts.usher, arguments)
    #expect(result.status == 64 && result.output.isEmpty && !result.errorOutput.isEmpty, "\(result)")
  }

  @Test func `Errors are for people on standard error`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let result = try await desktop.usher("open", "nothing:1")
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errorOutput.hasPrefix("usher: no application opens nothing: links"))
  }

  @Test func `An opener tries the next program only without a decision`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    _ = try desktop.installPlayer()
    try desktop.installRoutes(
      "deny", "format = 1\nowner = \"user\"\n[route.no]\nmatch = \"play:secret\"\ndeny = \"not today\"\n")
    #expect(try await desktop.usher("open", "--from-desktop", "play:1").status == 0)
    #expect(try await desktop.usher("open", "--from-desktop", "play:secret").status == 0)
    #expect(try await desktop.usher("open", "--from-desktop", "play:\\").status == 0)
    #expect(try await desktop.usher("open", "--from-desktop", "nothing:1").status == 2)
  }
}
