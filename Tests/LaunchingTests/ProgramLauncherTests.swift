// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `Launched programs` {
  static let awkward = [
    "$HOME ${x} $$ % \"", "%u %% %h", "", "two words", "a\tb\nc", "'single' \\ \\x41 \\n", "é e\u{301} 🧷",
    "-n",
    ";", "&", "~", "*", "$", "${", "@x", ":x", "+x", "!x",
  ]

  @Test(arguments: Place.allCases)
  func `Arguments, variables and directory arrive byte for byte`(place: Place) async throws {
    let desktop = try ThrowAwayDesktop()
    let recorder = try Recorder("a program", in: desktop)
    let directory = "\(desktop.root)/a folder %h"
    try desktop.write("", to: "\(directory)/x")
    let variables = [
      "USHER_ENVELOPE": "/run/x y", "V1": "$HOME ${x} $$ % \"", "V2": "", "V3": "a\nb\tc", "V4": "é'\\x41\\",
      "XDG_ACTIVATION_TOKEN": "%h%i",
    ]
    let outcomes = try await place.start(
      [
        Order(arguments: [recorder.path] + Self.awkward, variables: variables, directory: directory),
        Order(arguments: [recorder.path]),
      ], desktop)
    #expect(outcomes.map(\.failed) == [nil, nil])
    #expect(outcomes.map(\.ended) == ["exit status 0", "exit status 0"])
    let start = try await recorder.nextStart()
    #expect(start.arguments.map { Array($0.utf8) } == Self.awkward.map { Array($0.utf8) })
    for (name, value) in variables { #expect(start.environment[name] == value, "\(name)") }
    #expect(start.directory == directory)
    // The variables of a launch do not affect later ones.
    let second = try await recorder.nextStart()
    #expect(second.environment["USHER_ENVELOPE"] == nil && second.environment["V1"] == nil)
    #expect(second.arguments == [])
    #expect(
      outcomes.allSatisfy {
        $0.started?.hasPrefix(place == .child ? "process " : "systemd unit app-usher-org.example.App\\x2d1@")
          == true
      })
  }

  @Test(arguments: Place.allCases)
  func `Failure to execute is distinguished from an immediate exit`(place: Place) async throws {
    let desktop = try ThrowAwayDesktop()
    let script = try desktop.installScript("seven", "#!/bin/sh\nexit 7\n")
    let unreadable = try desktop.write("#!/bin/sh\n", to: "bin/plain")
    let uninterpreted = try desktop.installScript("nobody", "#!/no/such/interpreter\n")
    let outcomes = try await place.start(
      [
        Order(arguments: ["\(desktop.bin)/missing"]), Order(arguments: [unreadable]),
        Order(arguments: [uninterpreted]),
        Order(arguments: ["/bin/true"], directory: "/no/such/folder"),
      ] + [Order](repeating: Order(arguments: [script]), count: 8) + [
        .shell("kill -KILL $$"), .shell("exit 0"),
      ],
      desktop)
    for outcome in outcomes[..<4] {
      #expect(outcome.started == nil)
      #expect(outcome.failed != nil)
    }
    #expect(outcomes[0].failed?.hasPrefix("\(desktop.bin)/missing cannot be started: ") == true)
    #expect(
      outcomes[3].failed?.hasPrefix("/bin/true cannot be started: its working directory cannot be entered")
        == true,
      "\(outcomes[3])")
    for outcome in outcomes[4..<12] {
      #expect(outcome.failed == nil)
      #expect(outcome.ended == "exit status 7", "\(outcome)")
    }
    #expect(outcomes[12].ended == "signal 9 (Killed)", "\(outcomes[12])")
    #expect(outcomes[13].ended == "exit status 0")
  }

  /// systemd reports status 203 for all of these, without a reason.
  @Test(arguments: Place.allCases)
  func `A program that cannot be executed has the reason`(place: Place) async throws {
    let desktop = try ThrowAwayDesktop()
    let bin = desktop.bin
    let program = try desktop.installScript("program", "#!/bin/sh\n")
    let plain = try desktop.write("#!/bin/sh\n", to: "bin/plain")
    let bare = try desktop.installScript("bare", "exit 0\n")
    let orphan = try desktop.installScript("orphan", "#!/no/such/interpreter -x\n")
    let dull = try desktop.installScript("dull", "#!\(plain)\n")
    let dos = try desktop.installScript("dos", "#!/bin/sh\r\nexit 0\r\n")
    symlink("\(bin)/loop", "\(bin)/loop")
    let link = "play:" + String(repeating: "x", count: 200_000)
    let cases = [
      ("\(bin)/missing", [], "it is missing"), (plain, [], "it is not executable"),
      (bin, [], "it is not executable"),
      ("\(bin)/loop", [], "Too many levels of symbolic links"),
      (bare, [], "it is neither a program nor a script with an interpreter line (#!)"),
      (orphan, [], "its interpreter /no/such/interpreter is missing"),
      (dos, [], "its interpreter /bin/sh\\r is missing"),
      (dull, [], "its interpreter \(plain) is not executable"),
      (
        program, [link],
        "an argument has 200005 bytes, but the limit of Linux is 131071; only an application that accepts links over "
          + "D-Bus can receive a longer link"
      ),
      // 4 MiB of arguments; with the usual stack of 8 MiB, the limit is 2 MiB.
      (
        program, [String](repeating: String(repeating: "x", count: 1 << 16), count: 64),
        "open fewer links at a time"
      ),
    ]
    let outcomes = try await place.start(cases.map { Order(arguments: [$0.0] + $0.1) }, desktop)
    for (outcome, (path, _, reason)) in zip(outcomes, cases) {
      #expect(outcome.failed?.hasPrefix("\(path) cannot be started: ") == true, "\(outcome)")
      #expect(outcome.failed?.hasSuffix(reason) == true, "\(outcome)")
    }
  }

  @Test(arguments: Place.allCases)
  func `It ends when it is asked to`(place: Place) async throws {
    let desktop = try ThrowAwayDesktop()
    let outcomes = try await place.start(
      [Order(arguments: ["/bin/sleep", "86400"], terminates: true)], desktop)
    #expect(outcomes[0].ended == "signal 15 (Terminated)", "\(outcomes[0])")
  }

  @Test(arguments: Place.allCases)
  func `It outlives the launcher`(place: Place) async throws {
    if place == .userManager, let reason = await UserManagerRig.unavailableReason() {
      try Test.cancel("\(reason)")
    }
    try await Semaphore.userManagers.withPermit { try await outlives(place) }
  }

  private func outlives(_ place: Place) async throws {
    let desktop = try ThrowAwayDesktop()
    let recorder = try Recorder("survivor", in: desktop, .held)
    let program = "\(BuiltProducts.directory)/LaunchProbe"
    let order = String(
      decoding: try JSONEncoder().encode(Order(arguments: [recorder.path], waits: false)), as: UTF8.self)
    // The shell keeps the rig alive after the probe has exited.
    let script = #"printf '%s\n' "$1" | "$2" $3; echo gone; read -r _"#
    let shell: RunningProgram
    switch place {
    case .userManager:
      shell = try await UserManagerRig.start(
        "sh", ["-c", script, "sh", order, program, ""], environment: desktop.environment)
    case .child:
      shell = try await RunningProgram.start(
        "sh", ["-c", script, "sh", order, program, "--no-bus"], environment: desktop.environment)
    }
    let start = try await recorder.nextStart()
    _ = try await shell.line { $0 == "gone" }
    // The program is still running, which its own record proves independently of the rig's process IDs.
    start.release()
    shell.closeInput()
    _ = await shell.waitUntilExit()
  }

  @Test func `A finished unit is removed, and its name identifies the application`() async throws {
    let desktop = try ThrowAwayDesktop()
    let file = "\(desktop.root)/units"
    let outcomes = try await Place.userManager.start(
      [
        .shell("exit 7"),
        Order(
          arguments: ["/bin/sleep", "86400"], waits: true, terminates: true,
          then: "systemctl --user --no-legend --plain list-units --all 'app-usher*' >\(file)"),
      ], desktop)
    #expect(outcomes[0].ended == "exit status 7")
    let units = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(units.count == 1, "\(units)")
    #expect(units.first?.hasPrefix(#"app-usher-org.example.App\x2d1@"#) == true)
    #expect(units.first?.contains("A title: 100 % “ü”") == true)
  }

  @Test func `When the user manager exits the exit status is unknown, and no task waits forever`()
    async throws
  {
    let desktop = try ThrowAwayDesktop()
    let outcomes = try await Place.userManager.start(
      [
        Order(
          arguments: ["/bin/sleep", "86400"], waits: true,
          then: "pkill -KILL -f -x '/lib/systemd/systemd --user'")
      ], desktop)
    #expect(outcomes[0].started != nil)
    #expect(outcomes[0].ended == "unknown", "\(outcomes[0])")
  }
}
