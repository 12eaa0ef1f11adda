// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Glibc

/// The configuration of OpenSSH's client for one host, and the rules about hosts that it decides.
///
/// A machine is known by the name whose host key ssh verifies, so that a host is refused if no key is verified, or if its name could be
/// that of another machine. A jump host is no part of the name: ssh verifies the key of the host behind it.
struct SSHConfiguration {
  /// The host as the user names it.
  let host: String
  /// The further options of ssh(1) with which the configuration was read.
  let options: [String]
  /// The values, by the names of the options in lower case.
  private let values: [String: String]

  /// Reads the output of `ssh -G`: a line for each option, of which the first one counts.
  init(_ text: String, of host: String, options: [String]) {
    var values: [String: String] = [:]
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1).map { String(Substring($0)) }
      if parts.count == 2, values[parts[0]] == nil { values[parts[0]] = parts[1] }
    }
    self.host = host
    self.options = options
    self.values = values
  }

  /// The user as whom ssh logs in.
  var user: String { values["user"] ?? "" }

  /// A Boolean value that indicates whether ssh starts another ssh for a jump host.
  var hasJumpHost: Bool { values["proxyjump"] != nil }

  /// A Boolean value that indicates whether ssh starts a program for the connection, which can be another ssh.
  var hasProxy: Bool { hasJumpHost || values["proxycommand"] != nil }

  /// The file that the user has named instead of those of the user and of the system; `nil` if there is none.
  private var file: String? { options.count > 1 && options[0] == "-F" ? options[1] : nil }

  /// Returns the configuration in a form that does not allow questions, neither to ssh nor to the ssh of a jump host; `nil` if the host has
  /// no jump host, or ssh cannot pass the file on.
  ///
  /// ssh passes `-F` on to the ssh of a jump host, without quotes, and no other option. ssh built for another directory than `/etc/ssh`
  /// ignores the settings of its system then, and a relative path of an `Include` in the file of the system begins in `~/.ssh`.
  ///
  /// - Parameter path: The path of the file for it.
  func withoutQuestions(at path: String) -> String? {
    func isPassedOn(_ path: String) -> Bool {
      Shell.word(path) == path && !path.utf8.contains(UInt8(ascii: "%"))
    }
    // Without a file that is missing, ssh would connect to another host; it reports that itself.
    guard hasJumpHost, isPassedOn(path), isPassedOn(file ?? path), access(file ?? "/", R_OK) == 0 else {
      return nil
    }
    // The second is that of openSUSE.
    let system: [String] = ["/etc/ssh/ssh_config", "/usr/etc/ssh/ssh_config"]
    let included = file.map { [$0] } ?? ["~/.ssh/config"] + system.filter { access($0, R_OK) == 0 }.prefix(1)
    // The first value counts, and a block of an included file ends with the file.
    return (["BatchMode yes"] + included.map { "Include \($0)" }).map { "\($0)\n" }.joined()
  }

  /// Throws if ssh accepts every host key of the host, or does not say which ones it accepts.
  func requireVerifiedHostKey() throws(RemoteFailure) {
    let checking = values["stricthostkeychecking"]
    guard !["false", "no", "off"].contains(checking) else {
      throw RemoteFailure(
        description:
          "ssh does not verify the host key of \(host) (StrictHostKeyChecking \(checking ?? "")), so nothing shows which "
          + "machine its links come from; remove this option, and connect once with: \(firstLogin)")
    }
    // ssh prints both for every host.
    guard let checking, let knownHosts = values["userknownhostsfile"]?.split(separator: " ") else {
      throw RemoteFailure(
        description:
          "ssh does not say how it verifies the host key of \(host), so nothing shows which machine its links come from; "
          + "StrictHostKeyChecking and UserKnownHostsFile are missing in: "
          + Shell.command(["ssh", "-N", "-G"] + options + [host]))
    }
    guard
      checking != "accept-new" || !knownHosts.allSatisfy({ ["/dev/null", "none"].contains($0) })
    else {
      throw RemoteFailure(
        description:
          "ssh accepts every host key of \(host) and forgets it (UserKnownHostsFile), so nothing shows which machine its links "
          + "come from; remove this option, and connect once with: \(firstLogin)")
    }
  }

  /// Returns the machine for which the requests of the host count, named as its host key stands in known_hosts.
  ///
  /// - Throws: `RemoteFailure` if the name could be that of another machine or a container, or cannot be used.
  func machine() throws(RemoteFailure) -> RemoteMachine {
    // “none” is a name like others for ssh.
    let alias = values["hostkeyalias"]
    let address = values["hostname"] ?? host
    let port = values["port"].flatMap { $0 == "22" || alias != nil ? nil : ":\($0)" } ?? ""
    // known_hosts has brackets around the address, which a name has not.
    guard alias != nil || port.isEmpty || !address.utf8.contains(UInt8(ascii: ":")) else {
      throw RemoteFailure(
        description:
          "the IPv6 address of \(host) and its port together could be another address; set HostKeyAlias for it in ~/.ssh/config"
      )
    }
    let name = (alias ?? address) + port
    // The lower-case form of the Kelvin sign is an ASCII letter, and ssh keeps the sign.
    guard name.utf8.allSatisfy({ $0 < 0x80 }), let machine = RemoteMachine(name.lowercased()) else {
      throw RemoteFailure(
        description:
          "the host name of \(host) has unusual characters; set HostKeyAlias for it in ~/.ssh/config")
    }
    guard machine.container == nil else {
      throw RemoteFailure(
        description:
          "\(machine.name) is the name of a container, but \(host) is not a container; set another HostKeyAlias for it in ~/.ssh/config"
      )
    }
    return machine
  }

  /// Returns the reason why no further connection to a machine is made with this configuration; `nil` if one is made.
  ///
  /// - Parameter user: The user of the earlier connections, as whom their description names the login.
  func refusal(of machine: RemoteMachine, user: String) -> SSHClient.Refusal? {
    do throws(RemoteFailure) { try requireVerifiedHostKey() } catch { return .final(error.description) }
    // The names can depend on the network (`Match exec`, `Match localnetwork`, `CanonicalizeHostname`), which is lost at this time or
    // has no address yet, as after a suspend. They can be those of the earlier connections again a moment later.
    let current: RemoteMachine
    do throws(RemoteFailure) { current = try self.machine() } catch { return .temporary(error.description) }
    let subject = "the configuration of ssh for \(host) names"
    guard current == machine else {
      return .temporary("\(subject) the machine \(current) instead of \(machine) at the moment")
    }
    guard self.user.utf8.elementsEqual(user.utf8) else {
      return .temporary("\(subject) the user \(self.user) instead of \(user) at the moment")
    }
    return nil
  }

  /// The command with which the user verifies the host key, with the options that the user has given for other purposes.
  ///
  /// The options are pairs of a flag and its value.
  private var firstLogin: String {
    let pairs = stride(from: 0, to: options.count, by: 2).map { options[$0..<min($0 + 2, options.count)] }
    let others = pairs.filter { pair in
      !["stricthostkeychecking", "userknownhostsfile"].contains {
        pair.last?.lowercased().hasPrefix($0) == true
      }
    }
    return Shell.command(["ssh"] + others.joined() + [host])
  }
}

/// Options of ssh(1) for the calls of this program; there are none without a configuration.
extension SSHConfiguration {
  /// The options with which ssh notices a lost network, unless the user has set them; 0, the default, counts as not set.
  var keepAlive: [String] { values["serveraliveinterval"] == "0" ? ["-o", "ServerAliveInterval=15"] : [] }

  /// The options that limit an attempt to connect again, unless the user has set a limit.
  var limit: [String] { values["connecttimeout"] == "none" ? ["-o", "ConnectTimeout=30"] : [] }

  /// The option that keeps ssh from going to the background, where it would outlive this process.
  var foreground: [String] { known("ForkAfterAuthentication", "no") }

  /// The option with which ssh reads its input, whatever the user has set for a tunnel.
  var input: [String] { known("StdinNull", "no") }

  /// The option with which ssh runs a command, whatever the user has set for a tunnel.
  var session: [String] { known("SessionType", "default") }

  /// Returns an option if ssh knows it.
  ///
  /// OpenSSH before 8.7 does not know all, and IgnoreUnknown would replace that of the user's configuration.
  private func known(_ option: String, _ value: String) -> [String] {
    values[option.lowercased()] == nil ? [] : ["-o", "\(option)=\(value)"]
  }
}
