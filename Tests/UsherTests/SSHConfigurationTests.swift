// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Testing

@testable import UsherCommand

/// The output of `ssh -G`, which decides under which name a host is connected.
@Suite struct `The configuration of ssh for a host` {
  private static func configuration(_ text: String, options: [String] = []) -> SSHConfiguration {
    SSHConfiguration(text, of: "build", options: options)
  }

  /// Returns the reason why no machine has the name of a host; `nil` if one has it.
  private static func refusal(_ text: String) -> String? {
    do throws(RemoteFailure) {
      _ = try configuration(text).machine()
      return nil
    } catch { return error.description }
  }

  @Test(arguments: [
    "stricthostkeychecking true\n", "stricthostkeychecking yes\n", "stricthostkeychecking ask\n",
    "stricthostkeychecking accept-new\n",
    "stricthostkeychecking accept-new\nuserknownhostsfile /home/ada/.ssh/known_hosts /dev/null\n",
    "stricthostkeychecking accept-new\nuserknownhostsfile /dev/null/known_hosts\n",
    // ssh asks the user each time.
    "stricthostkeychecking ask\nuserknownhostsfile /dev/null\n",
    "stricthostkeychecking true\nuserknownhostsfile none\n",
    // The first value counts.
    "stricthostkeychecking ask\nstricthostkeychecking false\n",
    // Another option.
    "checkhostip no\nstricthostkeychecking ask\nverifyhostkeydns false\n",
  ])
  func `is accepted if ssh verifies the host key`(text: String) throws {
    try Self.configuration("\(text)userknownhostsfile /home/ada/.ssh/known_hosts\n").requireVerifiedHostKey()
  }

  /// The output of an ssh that was ended before it had printed everything.
  @Test(arguments: [
    "", "host build\nport 22\n", "stricthostkeychecking accept-new\n",
    "stricthostkeychecking ask\nuser ada\n",
    "userknownhostsfile /home/ada/.ssh/known_hosts\n", "stricthostkeychecking\nuserknownhostsfile none\n",
    "stricthostkeychecking accept-new\nuserknownhostsfile",
  ])
  func `is refused if ssh does not say how it verifies the host key`(text: String) {
    let failure = #expect(throws: RemoteFailure.self) {
      try Self.configuration(text, options: ["-p", "2222"]).requireVerifiedHostKey()
    }
    #expect(
      failure?.description.hasPrefix("ssh does not say how it verifies the host key of build, ") == true
        && failure?.description.hasSuffix(": ssh -N -G -p 2222 build") == true,
      "\(String(describing: failure))")
  }

  @Test(arguments: ["false", "no", "off"])
  func `is refused if ssh does not verify the host key`(value: String) {
    for text in [
      "stricthostkeychecking \(value)\n", "host build\nport 22\nstricthostkeychecking \(value)\nuser ada\n",
      "stricthostkeychecking \(value)\nstricthostkeychecking true\n",
      "userknownhostsfile /home/ada/.ssh/known_hosts\nstricthostkeychecking \(value)\n",
      // The key of the jump host is not that of the host.
      "proxyjump bastion.example.org\nstricthostkeychecking \(value)\n",
    ] {
      let failure = #expect(throws: RemoteFailure.self) {
        try Self.configuration(text).requireVerifiedHostKey()
      }
      #expect(
        failure?.description.hasPrefix(
          "ssh does not verify the host key of build (StrictHostKeyChecking \(value)), ") == true, "\(text)")
    }
  }

  @Test(arguments: ["/dev/null", "none", "/dev/null none", "none /dev/null /dev/null"])
  func `is refused if ssh accepts new host keys and forgets them`(files: String) {
    let failure = #expect(throws: RemoteFailure.self) {
      try Self.configuration("stricthostkeychecking accept-new\nuserknownhostsfile \(files)\n")
        .requireVerifiedHostKey()
    }
    #expect(
      failure?.description.hasPrefix("ssh accepts every host key of build and forgets it ") == true,
      "\(String(describing: failure))")
  }

  @Test(arguments: [
    ([], "ssh build"), (["-o", "Port=2222"], "ssh -o Port=2222 build"),
    (
      [
        "-F", "/home/ada/config", "-o", "StrictHostKeyChecking=no", "-o", "userknownhostsfile /dev/null",
        "-o", "User=ada",
      ], "ssh -F /home/ada/config -o User=ada build"
    ),
  ])
  func `is refused with a command that verifies the host key, with the user's other options`(
    options: [String], command: String
  ) {
    for text in [
      "stricthostkeychecking false\n", "stricthostkeychecking accept-new\nuserknownhostsfile none\n",
    ] {
      let failure = #expect(throws: RemoteFailure.self) {
        try Self.configuration(text, options: options).requireVerifiedHostKey()
      }
      #expect(
        failure?.description.hasSuffix("connect once with: \(command)") == true,
        "\(String(describing: failure))")
    }
  }

  @Test(arguments: [
    ("hostname build.example.org\nport 22\n", "build.example.org"),
    ("hostname build.example.org\nport 2222\n", "build.example.org:2222"),
    ("hostname Build.Example.ORG\nport 22\n", "build.example.org"),
    ("hostname build.example.org\nport 2222\nhostkeyalias Other.example.org\n", "other.example.org"),
    ("hostname build.example.org\nport 2222\nhostkeyalias none\n", "none"),
    ("hostname 2001:db8::1\nport 2222\nhostkeyalias none\n", "none"),
    ("hostname Container\nport 2222\nhostkeyalias none\n", "none"),
    ("hostname 192.0.2.1\nport 2222\n", "192.0.2.1:2222"),
    ("hostname 2001:db8::1\nport 22\n", "2001:db8::1"),
    ("hostname 2001:db8::1\nport 2222\nhostkeyalias build.example.org\n", "build.example.org"),
    ("hostname 2001:db8::1\n", "2001:db8::1"),
    // The first value counts; without a value, the name is the host that the user states.
    ("hostname build.example.org\nhostname other.example.org\n", "build.example.org"),
    ("hostkeyalias build.example.org\nhostkeyalias other.example.org\n", "build.example.org"),
    ("host other\nport 22\n", "build"), ("", "build"),
    // Programs and hosts on the path to the host.
    ("hostname build.example.org\nport 22\nproxyjump bastion.example.org\n", "build.example.org"),
    ("hostname build.example.org\nport 22\nproxyjump ada@[2001:db8::1]:2222\n", "build.example.org"),
    ("hostname build.example.org\nport 2222\nproxycommand nc %h %p\n", "build.example.org:2222"),
    // Names that are similar to those of containers.
    ("hostname container\nport 22\n", "container"), ("hostkeyalias container\nport 2222\n", "container"),
    ("hostkeyalias containers:work\n", "containers:work"),
    ("hostkeyalias my-container:1\n", "my-container:1"),
  ])
  func `is that of the machine with the name of the host key`(text: String, name: String) throws {
    #expect(try Self.configuration(text).machine().name == name)
  }

  @Test(arguments: [
    "hostname 2001:db8::1\nport 2222\n",
    "hostname ::1\nport 1\n", "hostname fe80::1%eth0\nport 2222\n", "port 222\nhostname 2001:db8::1\n",
    "hostname container:work\nport 2222\n",
  ])
  func `is refused for an IPv6 address and a port that together could be another address`(text: String) {
    #expect(
      Self.refusal(text)
        == "the IPv6 address of build and its port together could be another address; "
        + "set HostKeyAlias for it in ~/.ssh/config")
  }

  @Test(arguments: [
    ("hostkeyalias container:work\n", "container:work"), ("hostkeyalias Container:Work\n", "container:work"),
    ("hostkeyalias container:\n", "container:"),
    ("hostkeyalias container:work\nhostname build.example.org\nport 2222\n", "container:work"),
    ("hostname container:work\nport 22\n", "container:work"),
    ("hostname container\nport 2222\n", "container:2222"),
    ("hostname Container\nport 2222\n", "container:2222"),
  ])
  func `is refused if its name is that of a container`(text: String, name: String) {
    #expect(
      Self.refusal(text)
        == "\(name) is the name of a container, but build is not a container; "
        + "set another HostKeyAlias for it in ~/.ssh/config")
  }

  @Test(arguments: [
    "hostname büild.example.org\n", "hostname -build\n", "hostname .example.org\n", "hostname build/a\n",
    "hostname build.example.org\nhostkeyalias [build.example.org]:2222\n", "hostkeyalias a b\n",
    "hostkeyalias build,other\n", "hostkeyalias *\n", "hostname fe80::1%eth0\nport 22\n",
    "hostname build.example.org\nport 22 \n", "hostname \(String(repeating: "a", count: 256))\n",
    // The lower-case form of the Kelvin sign is “k”, and an accent after a space is one character with it.
    "hostname \u{212A}elvin.example.org\n", "hostname build.example.org\nhostkeyalias \u{301}other\n",
  ])
  func `is refused if its name has unusual characters or is too long`(text: String) {
    #expect(
      Self.refusal(text)
        == "the host name of build has unusual characters; set HostKeyAlias for it in ~/.ssh/config")
  }

  private static let verified =
    "stricthostkeychecking ask\nuserknownhostsfile /home/ada/.ssh/known_hosts\nuser ada\n"

  /// Returns the refusal of a further connection to `build.example.org`, to which `ada` was connected.
  private static func refusal(ofAnotherConnectionBy text: String) throws -> SSHClient.Refusal? {
    let machine = try #require(RemoteMachine("build.example.org"))
    return configuration(text).refusal(of: machine, user: "ada")
  }

  @Test(arguments: [
    "hostname build.example.org\nport 22\n", "hostname Build.Example.ORG\nport 22\n",
    // Another address with the same host key.
    "hostname 192.0.2.1\nport 2222\nhostkeyalias build.example.org\n",
    "hostname build.example.org\nport 22\ncanonicalizehostname true\nproxyjump bastion.example.org\n",
  ])
  func `permits another connection to the same machine`(text: String) throws {
    #expect(try Self.refusal(ofAnotherConnectionBy: Self.verified + text) == nil)
  }

  @Test(arguments: [
    ("hostname other.example.org\nport 22\n", "other.example.org"),
    ("hostname build.example.org\nport 2222\n", "build.example.org:2222"),
    ("hostname build.example.org\nhostkeyalias other\n", "other"),
    // Without a name server, ssh takes the name of the host as it is.
    ("hostname build\ncanonicalizehostname true\n", "build"),
  ])
  func `permits no other connection to another machine at the moment`(
    text: String, name: String
  ) throws {
    #expect(
      try Self.refusal(ofAnotherConnectionBy: Self.verified + text)
        == .temporary(
          "the configuration of ssh for build names the machine \(name) instead of build.example.org at the moment"
        ))
  }

  @Test func `permits no connection at the moment if the name of the machine cannot be used`() throws {
    #expect(
      try Self.refusal(ofAnotherConnectionBy: Self.verified + "hostname büild\n")
        == .temporary(
          "the host name of build has unusual characters; set HostKeyAlias for it in ~/.ssh/config"))
  }

  @Test func `permits no other connection as another user, or without a verified host key`() throws {
    let same = "hostname build.example.org\nport 22\n"
    #expect(
      try Self.refusal(ofAnotherConnectionBy: "user grace\n" + Self.verified + same)
        == .temporary(
          "the configuration of ssh for build names the user grace instead of ada at the moment"))
    let unverified = try Self.refusal(
      ofAnotherConnectionBy: "stricthostkeychecking false\n" + Self.verified + same)
    guard case .final(let reason)? = unverified else {
      Issue.record("\(String(describing: unverified))")
      return
    }
    #expect(reason.hasPrefix("ssh does not verify the host key of build "), "\(reason)")
  }

  @Test func `names the user`() {
    #expect(Self.configuration("host build\nuser ada\nuser grace\n").user == "ada")
    #expect(Self.configuration("host build\n").user.isEmpty)
  }

  @Test func `allows no questions for a jump host in a file that includes that of the user`() {
    let jump = "proxyjump bastion.example.org\n"
    let path = "/run/user/1000/usher/remote/build.conf"
    #expect(
      Self.configuration(jump, options: ["-F", "/dev/null", "-o", "Port=2222"]).withoutQuestions(at: path)
        == "BatchMode yes\nInclude /dev/null\n")
    let usual = Self.configuration(jump).withoutQuestions(at: path)
    #expect(
      usual?.hasPrefix("BatchMode yes\nInclude ~/.ssh/config\n") == true, "\(String(describing: usual))")
  }

  /// ssh passes the path on to a shell, without quotes.
  @Test(arguments: [
    ("proxyjump bastion\n", "/missing/config", "/run/build.conf"),
    ("proxyjump bastion\n", "/dev/null", "/run/a b"),
    ("proxyjump bastion\n", "/dev/null", "/run/%h"),
    ("proxycommand nc %h %p\n", "/dev/null", "/run/build.conf"), ("", "/dev/null", "/run/build.conf"),
  ])
  func `is not replaced without a jump host, or by a file that ssh cannot pass on`(
    text: String, file: String, path: String
  ) {
    #expect(Self.configuration(text, options: ["-F", file]).withoutQuestions(at: path) == nil)
  }

  @Test func `gets options against a lost network that the user has not set, and no others`() {
    let unset = Self.configuration("serveraliveinterval 0\nconnecttimeout none\n")
    #expect(
      unset.keepAlive == ["-o", "ServerAliveInterval=15"] && unset.limit == ["-o", "ConnectTimeout=30"])
    let set = Self.configuration("serveraliveinterval 60\nconnecttimeout 5\n")
    #expect(set.keepAlive.isEmpty && set.limit.isEmpty)
  }

  @Test func `gets options for a command whatever the user has set, if ssh knows them`() {
    // An earlier ssh does not print the options that it does not know.
    let set = Self.configuration("serveraliveinterval 60\nconnecttimeout 5\n")
    #expect(set.foreground.isEmpty && set.input.isEmpty && set.session.isEmpty)
    let tunnel = Self.configuration("forkafterauthentication yes\nstdinnull yes\nsessiontype none\n")
    #expect(tunnel.foreground == ["-o", "ForkAfterAuthentication=no"])
    #expect(tunnel.input == ["-o", "StdinNull=no"] && tunnel.session == ["-o", "SessionType=default"])
    #expect(tunnel.keepAlive.isEmpty && tunnel.limit.isEmpty)
  }
}
