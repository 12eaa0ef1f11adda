// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The part of GLib that runs a main loop.
///
/// It is loaded at run time, like libgio, because no program here links it.
public struct GLibLibrary: Sendable {
  /// A `GUnixFDSourceFunc`: it receives the descriptor, the condition and its data, and returns 1 to be called again.
  public typealias Callback = @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Int32
  private typealias New = @convention(c) @Sendable () -> OpaquePointer?
  private typealias NewLoop = @convention(c) @Sendable (OpaquePointer?, Int32) -> OpaquePointer?
  private typealias NewSource = @convention(c) @Sendable (Int32, UInt32) -> OpaquePointer?
  private typealias SetCallback =
    @convention(c) @Sendable (
      OpaquePointer, Callback, UnsafeMutableRawPointer?, OpaquePointer?
    ) -> Void
  private typealias Attach = @convention(c) @Sendable (OpaquePointer, OpaquePointer?) -> UInt32
  private typealias Depth = @convention(c) @Sendable () -> Int32
  private typealias Use = @convention(c) @Sendable (OpaquePointer) -> Void

  /// `G_IO_IN`.
  private static let readable: UInt32 = 1

  private let newContext: New
  private let newLoop: NewLoop
  private let newSource: NewSource
  private let setCallback: SetCallback
  private let attach: Attach
  private let pushContext: Use
  private let popContext: Use
  private let runLoop: Use
  private let quitLoop: Use
  private let destroySource: Use
  private let releaseSource: Use
  private let releaseLoop: Use
  private let releaseContext: Use
  private let depth: Depth

  /// Loads the library.
  public init() throws(TestSupportError) {
    guard let library = dlopen("libglib-2.0.so.0", RTLD_NOW | RTLD_LOCAL) else {
      throw TestSupportError("there is no libglib-2.0.so.0: install Debian's libglib2.0-0")
    }
    func symbol<Function>(_ name: String, _ type: Function.Type) throws(TestSupportError) -> Function {
      guard let symbol = dlsym(library, name) else { throw TestSupportError("GLib has no \(name)") }
      return unsafeBitCast(symbol, to: type)
    }
    newContext = try symbol("g_main_context_new", New.self)
    newLoop = try symbol("g_main_loop_new", NewLoop.self)
    newSource = try symbol("g_unix_fd_source_new", NewSource.self)
    setCallback = try symbol("g_source_set_callback", SetCallback.self)
    attach = try symbol("g_source_attach", Attach.self)
    pushContext = try symbol("g_main_context_push_thread_default", Use.self)
    popContext = try symbol("g_main_context_pop_thread_default", Use.self)
    runLoop = try symbol("g_main_loop_run", Use.self)
    quitLoop = try symbol("g_main_loop_quit", Use.self)
    destroySource = try symbol("g_source_destroy", Use.self)
    releaseSource = try symbol("g_source_unref", Use.self)
    releaseLoop = try symbol("g_main_loop_unref", Use.self)
    releaseContext = try symbol("g_main_context_unref", Use.self)
    depth = try symbol("g_main_depth", Depth.self)
  }

  /// A Boolean value that is `true` in a call of a main loop.
  public var isDispatching: Bool { depth() > 0 }

  /// Runs a main loop with its own context on this thread, which calls `callback` while `descriptor` is readable.
  ///
  /// `started` receives a function that quits the loop from any thread; returns when the loop has quit.
  public func run(
    watching descriptor: Int32, _ callback: Callback, _ data: UnsafeMutableRawPointer?,
    started: (@escaping @Sendable () -> Void) -> Void
  ) throws(TestSupportError) {
    guard let context = newContext(), let loop = newLoop(context, 0),
      let source = newSource(descriptor, Self.readable)
    else { throw TestSupportError("GLib gives no main loop") }
    pushContext(context)
    setCallback(source, callback, data, nil)
    _ = attach(source, context)
    let (quit, address) = (quitLoop, UInt(bitPattern: loop))
    started { OpaquePointer(bitPattern: address).map(quit) }
    runLoop(loop)
    destroySource(source)
    releaseSource(source)
    popContext(context)
    releaseLoop(loop)
    releaseContext(context)
  }
}
