// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
import RouteTables

/// Another machine, or a container, from which a request came through a relay (`usher-remote`).
///
/// The relay gives the name under which this desktop knows the machine. The machine itself cannot choose it.
public struct RemoteMachine: Hashable, Sendable, CustomStringConvertible {
  /// The name: 1 to 255 lower-case ASCII letters, digits and `. _ : -`, of which the first is a letter or a digit.
  ///
  /// For a machine that is reached by ssh it is the name whose host key OpenSSH has verified, such as `build.example.org`.
  public let name: String
  /// The name.
  public var description: String { name }

  /// Creates the machine of a name; `nil` if the name is invalid.
  public init?(_ name: String) {
    guard RouteCondition.Name.isMachine(name) else { return nil }
    self.name = name
  }

  /// Creates the machine that has registered the scheme of a temporary desktop entry; `nil` for every other entry.
  public init?(registering entry: DesktopEntry) {
    guard entry.id?.isOfOtherMachine == true, let remote = RemoteEntry(entry) else { return nil }
    self.init(remote.machine)
  }
}

extension RemoteMachine {
  /// The start of the name of a container as a machine.
  private static let containerPrefix = "container:"

  /// The rule for names, as the end of a sentence.
  public static let rule =
    "write lower-case letters, digits and . _ : -, such as build.example.org or container:work"

  /// Creates the machine of a container; `nil` if the name cannot be used, as with capital letters.
  ///
  /// It cannot equal the name of a host with a port, because a port is a number.
  public init?(container name: some StringProtocol) {
    guard !name.isEmpty, !name.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      !name.contains(":")
    else { return nil }
    self.init(Self.containerPrefix + name)
  }

  /// The name of the container; `nil` if it is another machine.
  public var container: Substring? {
    name.hasPrefix(Self.containerPrefix) ? name.dropFirst(Self.containerPrefix.count) : nil
  }

  /// The machine in a sentence, such as “the container work”.
  public var title: String { container.map { "the container \($0)" } ?? "the machine \(name)" }

  /// The machine after a preposition of a sentence: “the container work”, or the name alone, such as “build.example.org”.
  public var shortTitle: String { container == nil ? name : title }

  /// The machine as the place of a program: “in the container work”, or “on build.example.org”.
  public var location: String { "\(preposition) \(shortTitle)" }

  /// The machine as the place of a program, with its kind: “in the container work”, or “on the machine build.example.org”.
  public var place: String { "\(preposition) \(title)" }

  /// The preposition of a place: a program is in a container, and on another machine.
  var preposition: String { container == nil ? "on" : "in" }

  /// Returns a machine in a sentence, given its name.
  public static func title(ofMachineNamed name: String) -> String {
    RemoteMachine(name)?.title ?? "the machine \(name)"
  }

  /// Returns a machine as the place of a program, given its name.
  public static func place(ofMachineNamed name: String) -> String {
    RemoteMachine(name)?.place ?? "on the machine \(name)"
  }
}

extension RemoteMachine {
  /// The schemes whose URLs name something of the machine on which they are opened.
  ///
  /// They come from GVfs and from KDE's KIO; `man`, `info` and `help` name documentation that is installed there.
  private static let localSchemes: Set<String> = [
    "file", "admin", "afc", "applications", "burn", "cdda", "computer", "desktop", "devices", "ghelp",
    "gphoto2",
    "help", "info", "man", "mtp", "programs", "recent", "settings", "system", "tags", "trash",
  ]

  /// Returns the reason why a URL of this scheme from another machine is not opened here; `nil` if it may be.
  static func refusal(of scheme: String) -> String? {
    guard localSchemes.contains(scheme) else { return nil }
    let reason = "\(scheme): links of another machine name something of that machine, which is not here"
    guard scheme == "file" else { return reason }
    return
      "\(reason); a route with source.remote can rewrite them to sftp:, or, if this desktop has the same file, to its path here"
  }
}
