// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The directories of the XDG Base Directory Specification, as one environment sets them.
///
/// Empty and relative values count as unset ("All paths … must be absolute").
public struct BaseDirectories: Hashable, Sendable {
  /// `$HOME`, otherwise the home directory in the password database, otherwise `/nonexistent`.
  ///
  /// Usher may create the other directories, but not this one: see ``homeRequired(by:)``.
  public let home: String
  /// `$XDG_DATA_HOME`, otherwise `~/.local/share`.
  public let dataHome: String
  /// `$XDG_DATA_DIRS`, otherwise `/usr/local/share` and `/usr/share`; most important first.
  public let dataDirectories: [String]
  /// `$XDG_CONFIG_HOME`, otherwise `~/.config`.
  public let configHome: String
  /// `$XDG_CONFIG_DIRS`, otherwise `/etc/xdg`; most important first.
  public let configDirectories: [String]
  /// `$XDG_STATE_HOME`, otherwise `~/.local/state`.
  public let stateHome: String
  /// `$XDG_RUNTIME_DIR`; `nil` if it is unset, because it has no default.
  public let runtimeDirectory: String?
  /// The items of `$XDG_CURRENT_DESKTOP` in lower case, as in the file names `…-mimeapps.list`.
  ///
  /// Items with characters other than ASCII letters, digits, `-` and `_` are ignored, as GIO ignores them.
  public let currentDesktops: [String]

  /// Reads `environment`, and the password database if `HOME` is not set.
  public init(environment: [String: String]) {
    func directory(_ name: String) -> String? { environment[name].flatMap(Self.absolute) }
    func directories(_ name: String, otherwise defaults: [String]) -> [String] {
      let set = (environment[name] ?? "").split(separator: ":").compactMap { Self.absolute(String($0)) }
      return set.isEmpty ? defaults : set
    }
    home = directory("HOME") ?? Self.homeOfThisUser ?? "/nonexistent"
    dataHome = directory("XDG_DATA_HOME") ?? home + "/.local/share"
    dataDirectories = directories("XDG_DATA_DIRS", otherwise: ["/usr/local/share", "/usr/share"])
    configHome = directory("XDG_CONFIG_HOME") ?? home + "/.config"
    configDirectories = directories("XDG_CONFIG_DIRS", otherwise: ["/etc/xdg"])
    stateHome = directory("XDG_STATE_HOME") ?? home + "/.local/state"
    runtimeDirectory = directory("XDG_RUNTIME_DIR")
    currentDesktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":")
      .filter { $0.utf8.allSatisfy(Self.mayStandInDesktopName) }
      .map { String($0).asciiLowercased }
  }

  /// Returns a copy for another desktop, or for none.
  func on(desktop: String?) -> BaseDirectories {
    BaseDirectories(copying: self, desktops: desktop.map { [$0] } ?? [])
  }

  /// The directories with the user's own replaced by those for all users.
  ///
  /// These are `/usr/local/share` and `/etc/xdg`, or the first directory of each list that does not contain them.
  /// Files that are written to ``dataHome`` and ``configHome`` then apply to all users.
  public var forAllUsers: BaseDirectories {
    func chosen(_ preferred: String, of list: [String]) -> String {
      list.contains(preferred) ? preferred : list.first ?? preferred
    }
    let data = chosen("/usr/local/share", of: dataDirectories)
    let config = chosen("/etc/xdg", of: configDirectories)
    return BaseDirectories(
      copying: self, data: (data, dataDirectories.filter { $0 != data }),
      config: (config, configDirectories.filter { $0 != config }), desktops: currentDesktops)
  }

  /// The directories of a user without files: `XDG_DATA_HOME` and `XDG_CONFIG_HOME` do not exist.
  public var withoutUsersFiles: BaseDirectories {
    BaseDirectories(
      copying: self, data: (Self.nowhere, dataDirectories), config: (Self.nowhere, configDirectories),
      desktops: currentDesktops)
  }

  /// The path of a directory that does not exist.
  public static let nowhere = "/nonexistent/usher"

  private init(copying other: BaseDirectories, desktops: [String]) {
    self.init(
      copying: other, data: (other.dataHome, other.dataDirectories),
      config: (other.configHome, other.configDirectories), desktops: desktops)
  }

  private init(
    copying other: BaseDirectories, data: (home: String, directories: [String]),
    config: (home: String, directories: [String]), desktops: [String]
  ) {
    home = other.home
    (dataHome, dataDirectories) = data
    (configHome, configDirectories) = config
    stateHome = other.stateHome
    runtimeDirectory = other.runtimeDirectory
    currentDesktops = desktops
  }

  /// Returns the home directory if it contains `directory`, which is then created only if the home directory exists; otherwise `nil`.
  public func homeRequired(by directory: String) -> String? {
    directory == home || directory.hasPrefix(home + "/") ? home : nil
  }

  /// The `applications` directories, most important first.
  public var applicationDirectories: [String] {
    ([dataHome] + dataDirectories).map { $0 + "/applications" }
  }

  /// The `applications` directory of the user, to which Usher writes entries.
  public var userApplicationDirectory: String { dataHome + "/applications" }

  /// The user's list of default applications.
  public var userAssociationList: String { configHome + "/mimeapps.list" }

  private static func absolute(_ path: String) -> String? {
    guard path.hasPrefix("/") else { return nil }
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  private static func mayStandInDesktopName(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private static var homeOfThisUser: String? {
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return nil }
    return absolute(String(cString: home))
  }
}
