// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport

/// A stand-in for a backend of the desktop portal, such as those of GNOME and KDE.
enum PortalBackend {
  static let name: BusName = "org.freedesktop.impl.portal.desktop.mock"
  static let path = "/org/freedesktop/portal/desktop"
  static let chooser = "org.freedesktop.impl.portal.AppChooser"

  /// Describes a backend with one interface, which the test runs itself.
  static func install(for interface: String, on desktop: ThrowAwayDesktop) throws {
    try desktop.write(
      "[portal]\nDBusName=\(name)\nInterfaces=\(interface);\nUseIn=mock\n",
      to: "share/xdg-desktop-portal/portals/mock.portal")
  }
}
