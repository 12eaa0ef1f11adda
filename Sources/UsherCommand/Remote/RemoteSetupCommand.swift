// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrokerCore
import Glibc
import Launching

/// The command `usher remote setup`, which installs the client for links on a machine or in a container.
struct RemoteSetupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Install the client for links on a machine or in a container, or remove it.",
    usage: """
      usher remote setup [-F <file>] [-o <option> ...] [--undo] <host>
      usher remote setup --container [--undo] <name>
      """,
    discussion: HelpText.discussion(
      """
      Copies usher, or a Python program where another architecture needs it, and links it as usher and xdg-open: in ~/.local on a \
      machine, and in /usr/local in a container. A line in the profile of the login shell sets PATH, and BROWSER in logins by ssh. \
      What exists under these names is left as it is. For a container, the command also starts a relay, now and at each login.
      """,
      exit: [
        0: "success", 1: "the client cannot be installed or removed; the message says why",
        64: "the arguments are wrong",
      ],
      examples: [
        "Prepare a machine": "usher remote setup build.example.org",
        "Prepare a container of Podman, Toolbx, Distrobox or Docker": "usher remote setup --container fedora",
        "Remove everything again": "usher remote setup --undo build.example.org",
      ]))

  @Flag(help: "Prepare the container of this name, instead of a machine.")
  var container = false

  @Flag(help: "Remove what this command has installed.")
  var undo = false

  @OptionGroup var target: RemoteHostArguments

  func run() throws {
    try container ? setUpContainer() : setUpMachine()
  }

  private func setUpMachine() throws {
    try RemoteFailure.reported { () throws(RemoteFailure) in
      let ssh = try target.client()
      // A connection of usher remote connect is shared.
      guard !ssh.sharesConnection else {
        try change(RemoteClientSetup(in: ssh, for: .account))
        return
      }
      let own = ssh.apart()
      let master = try own.connect(asks: true)
      defer {
        own.control("exit")
        master.end()
        own.files.remove()
      }
      try change(RemoteClientSetup(in: own, for: .account))
    }
    if !undo {
      Console.print("log in with: \(Shell.command(["usher", "ssh"] + target.options + [target.host]))")
    }
  }

  private func setUpContainer() throws {
    try RemoteFailure.reported { () throws(RemoteFailure) in
      let environment = LaunchEnvironment.current()
      guard let machine = RemoteMachine(container: target.host.lowercased()) else {
        throw RemoteFailure(
          description:
            "“\(target.host)” is not the name of a container: use letters, digits and . _ -, and not only digits"
        )
      }
      let relay = ContainerRelay(of: machine)
      guard !undo else { return try remove(relay, environment) }
      let shell = try ContainerShell(target.host, environment: environment)
      let setup = RemoteClientSetup(in: shell, for: .system)
      let outcome = try change(setup)
      try relay.enable(environment)
      guard try shell.reachesRelay(with: setup.client, environment["XDG_RUNTIME_DIR"] ?? "") else {
        throw RemoteFailure(
          description:
            "the relay of \(machine.name) runs, but programs in the container do not reach it; create the container again with: "
            + "-v $XDG_RUNTIME_DIR/\(relay.directoryName):/run/usher:ro -e USHER_SOCKET=/run/usher/socket -e BROWSER=xdg-open, and, if its programs "
            + "do not run as root, with podman: --userns=keep-id")
      }
      let opened =
        outcome.leavesOtherOpener
        ? "links that usher open opens in \(machine.title) open on this desktop, now and after each login; xdg-open there is another program"
        : "links of \(machine.name) open on this desktop, now and after each login"
      Console.print(opened)
    }
  }

  private func remove(
    _ relay: ContainerRelay, _ environment: [String: String]
  ) throws(RemoteFailure) {
    // The relay of a container that was removed is removed, too.
    try relay.disable(environment)
    Console.print("disabled \(relay.unit)")
    do throws(RemoteFailure) {
      try change(
        RemoteClientSetup(in: try ContainerShell(target.host, environment: environment), for: .system))
    } catch {
      guard error.isMissingContainer else { throw error }
      Console.print(
        "podman and docker have no container “\(target.host)” from which a client could be removed")
    }
    // They would apply to a new container of this name.
    Console.print(
      "if you have stored answers for it, remove them with: "
        + Shell.command("usher", "grants", "revoke", "--remote", relay.machine.name))
  }

  @discardableResult
  private func change(_ setup: RemoteClientSetup) throws(RemoteFailure) -> RemoteClientSetup.Outcome {
    let outcome = try undo ? setup.remove() : setup.install()
    for step in outcome.steps { Console.print(step) }
    guard outcome.isComplete else {
      throw RemoteFailure(description: "not everything could be changed on \(target.host)")
    }
    return outcome
  }
}
