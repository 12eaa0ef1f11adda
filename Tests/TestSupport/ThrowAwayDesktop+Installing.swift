// SPDX-License-Identifier: Apache-2.0
import Foundation

extension ThrowAwayDesktop {
  /// The owner of files: the user, or the machine for all users.
  public enum Domain: Sendable {
    /// Below `XDG_DATA_HOME` and `XDG_CONFIG_HOME`.
    case user
    /// Below `XDG_DATA_DIRS` and `XDG_CONFIG_DIRS`.
    case system
  }

  private func data(_ domain: Domain) -> String { domain == .user ? dataHome : systemData }
  private func configuration(_ domain: Domain) -> String { domain == .user ? configHome : systemConfig }

  /// Writes `ID.desktop` with the given text.
  ///
  /// Returns its path.
  @discardableResult
  public func installDesktopEntry(
    _ id: String, text: String, in domain: Domain = .user
  ) throws(TestSupportError) -> String {
    try write(text, to: "\(data(domain))/applications/\(id).desktop")
  }

  /// Writes an application's entry: `exec` as given, `schemes` as `MimeType`, and further lines as given.
  @discardableResult
  public func installDesktopEntry(
    _ id: String, exec: String, schemes: [String] = [], lines: [String] = [], in domain: Domain = .user
  ) throws(TestSupportError) -> String {
    let types = schemes.map { "x-scheme-handler/\($0);" }.joined()
    let text =
      ["[Desktop Entry]", "Type=Application", "Name=\(id)", "Exec=\(exec)"]
      + (types.isEmpty ? [] : ["MimeType=\(types)"]) + lines
    return try installDesktopEntry(id, text: text.joined(separator: "\n") + "\n", in: domain)
  }

  /// Writes `mimeapps.list`, or with a `desktop` such as `gnome` the file `gnome-mimeapps.list`, with the given text.
  @discardableResult
  public func installMimeApps(
    _ text: String, desktop: String? = nil, in domain: Domain = .user
  ) throws(TestSupportError) -> String {
    try write(text, to: "\(configuration(domain))/\(desktop.map { "\($0)-" } ?? "")mimeapps.list")
  }

  /// Writes the user's `mimeapps.list` with these defaults: the scheme, and the IDs in order.
  @discardableResult
  public func setDefaults(_ defaults: [String: [String]]) throws(TestSupportError) -> String {
    let lines = defaults.sorted { $0.key < $1.key }.map { scheme, ids in
      "x-scheme-handler/\(scheme)=" + ids.map { "\($0).desktop;" }.joined()
    }
    return try installMimeApps((["[Default Applications]"] + lines).joined(separator: "\n") + "\n")
  }

  /// Writes the activation file with which the bus starts `exec` for `busName`.
  ///
  /// A running bus detects the file by itself.
  @discardableResult
  public func installActivation(
    _ busName: String, exec: String, systemdService: String? = nil, in domain: Domain = .user
  ) throws(TestSupportError) -> String {
    let text =
      ["[D-BUS Service]", "Name=\(busName)", "Exec=\(exec)"]
      + (systemdService.map { ["SystemdService=\($0)"] } ?? [])
    return try write(
      text.joined(separator: "\n") + "\n", to: "\(data(domain))/dbus-1/services/\(busName).service")
  }

  /// Writes a route file.
  ///
  /// The user's files are in `XDG_CONFIG_HOME/usher/routes`, the administrator's in `XDG_CONFIG_DIRS`.
  @discardableResult
  public func installRoutes(
    _ name: String, _ toml: String, in domain: Domain = .user
  ) throws(TestSupportError) -> String {
    try write(toml, to: "\(configuration(domain))/usher/routes/\(name).toml")
  }

  /// Writes an executable script into `bin`; its name may contain spaces.
  ///
  /// Returns its path.
  @discardableResult
  public func installScript(_ name: String, _ text: String) throws(TestSupportError) -> String {
    try write(text, to: "\(bin)/\(name)", permissions: 0o755)
  }

  /// Links a program under another name, in a directory outside `PATH`, and returns the path of the link.
  public func link(_ name: String, to program: String) throws(TestSupportError) -> String {
    let link = "\(home)/under-another-name/\(name)"
    guard access(link, F_OK) != 0 else { return link }
    try write("", to: "\(home)/under-another-name/.folder")
    guard symlink(program, link) == 0 || errno == EEXIST else {
      throw TestSupportError("\(link) cannot be made: \(String(cString: strerror(errno)))")
    }
    return link
  }

  /// Rebuilds the `mimeinfo.cache` of both domains.
  public func updateDesktopDatabase() async throws(TestSupportError) {
    for domain in [Domain.user, .system] {
      try await Command.run(
        "update-desktop-database", ["\(data(domain))/applications"], environment: environment
      )
      .orThrow()
    }
  }

  /// Installs Usher as a package would: its programs in `bin`, and the files of `desktop/` from their templates.
  public func installUsher() throws(TestSupportError) {
    for program in [BuiltProducts.usher, BuiltProducts.usherd, BuiltProducts.usherTriggers] {
      do {
        try FileManager.default.createSymbolicLink(
          atPath: "\(bin)/\((program as NSString).lastPathComponent)", withDestinationPath: program)
      } catch {
        throw TestSupportError("cannot install \(program): \(error)")
      }
    }
    let places = [
      "org.usher.Handler.desktop": "applications",
      "org.usher.Broker1.service": "dbus-1/services",
      "org.usher.Handler.service": "dbus-1/services",
      "org.usher.Triggers1.service": "dbus-1/services",
      "usherd.service": "systemd/user",
      "usher-triggers.service": "systemd/user",
      "usher-remote@.service": "systemd/user",
    ]
    for (file, directory) in places {
      let text = try BuiltProducts.template(
        "desktop/\(file).in", ["bindir": bin, "libexecdir": BuiltProducts.directory])
      try write(text, to: "\(systemData)/\(directory)/\(file)")
    }
  }

  /// Installs the entry that passes answers to `usher open --callback`, as `make install` does.
  public func installCallback() async throws(TestSupportError) {
    let file = "org.usher.Callback.desktop"
    let text = try BuiltProducts.template("desktop/\(file).in", ["bindir": bin])
    try write(text, to: "\(systemData)/applications/\(file)")
    try await updateDesktopDatabase()
  }

  /// Installs the GApplication example: its entry, its activation file, and itself as the default of `gtk-notes:`.
  public func installGtkNotes() throws(TestSupportError) {
    for (suffix, directory) in [("desktop", "applications"), ("service", "dbus-1/services")] {
      let file = "org.example.GtkNotes.\(suffix)"
      let text = try BuiltProducts.template("Examples/gtk-notes/\(file).in", ["exec": BuiltProducts.gtkNotes])
      try write(text, to: "\(dataHome)/\(directory)/\(file)")
    }
  }
}
