// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A mock of a service of the desktop, which reports each call that it receives.
///
/// The portal and the file manager of a desktop need a display and a user. This program owns their name, has the methods
/// of one interface, and answers at once.
struct DesktopService: Sendable {
  private let program: RunningProgram

  private static let script = """
    import os, sys, dbus, dbus.service
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    name, path, interface, methods = sys.argv[1:5]
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    def shown(value):
        if isinstance(value, dbus.types.UnixFd):
            descriptor = value.take()
            return os.readlink('/proc/self/fd/%d' % descriptor)
        if isinstance(value, list):
            return '[' + ','.join(map(str, value)) + ']'
        if isinstance(value, dict):
            return '{' + ','.join('%s=%s' % pair for pair in value.items()) + '}'
        return str(value)
    body = {}
    for method in methods.split(' '):
        member, takes, gives = method.split(':')
        arguments = ', '.join('a%d' % index for index in range(int(takes[0])))
        scope = {}
        exec('def call(self, %s): print("%s", *map(shown, [%s]), sep="|", flush=True); return %s'
             % (arguments, member, arguments, gives or 'None'), globals(), scope)
        call = scope['call']
        call.__name__ = member
        body[member] = dbus.service.method(interface, in_signature=takes[1:],
            out_signature='o' if gives else '')(call)
    owned = dbus.service.BusName(name, bus)
    service = type('Service', (dbus.service.Object,), body)(bus, path)
    print('ready', flush=True)
    GLib.MainLoop().run()
    """

  private static func start(_ desktop: ThrowAwayDesktop, _ arguments: String...) async throws
    -> DesktopService
  {
    let program = try await RunningProgram.start(
      "/usr/bin/python3", ["-c", script] + arguments, environment: desktop.environment)
    _ = try await program.line { $0 == "ready" }
    return DesktopService(program: program)
  }

  /// Starts a portal with `org.freedesktop.portal.OpenURI`.
  static func portal(on desktop: ThrowAwayDesktop) async throws -> DesktopService {
    try await start(
      desktop, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
      "org.freedesktop.portal.OpenURI",
      "OpenURI:3ssa{sv}:'/foo' OpenFile:3sha{sv}:'/foo' OpenDirectory:3sha{sv}:'/foo'")
  }

  /// Starts a portal that exits when it has received a call, without a reply.
  static func exitingPortal(on desktop: ThrowAwayDesktop) async throws -> DesktopService {
    try await start(
      desktop, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
      "org.freedesktop.portal.OpenURI", "OpenURI:3ssa{sv}:os._exit(0)")
  }

  /// Starts a file manager with `org.freedesktop.FileManager1`.
  static func fileManager(on desktop: ThrowAwayDesktop) async throws -> DesktopService {
    try await start(
      desktop, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
      "org.freedesktop.FileManager1",
      "ShowItems:2ass:")
  }

  /// Returns the next call: the name of the method and its arguments, with `|` between them.
  func nextCall() async throws -> String { try await program.line { _ in true } }
}
