// SPDX-License-Identifier: Apache-2.0
public import BrokerCore
public import DBus
public import Freedesktop
public import Logging
import Systemd

/// The identification of callers and applications for another service of Usher, by the rules of the broker.
@BrokerActor
public final class SourceIdentification {
  /// An identified caller.
  public struct Caller: Sendable {
    /// The application that calls.
    public let source: SourceApplication
    /// Its program; `nil` if it cannot be read.
    public let program: CallerCredentials.Program?
  }

  private let bus: BusConnection
  private let identification: CallerIdentification
  private let policy: PolicyService
  /// A thread that only reads entries, so that a file that does not respond delays only other calls of ``entry(of:)``.
  private let entryFiles = FileThread()

  /// The longest time in which a desktop entry is read.
  private static let readTimeout = Duration.seconds(5)

  /// Creates an identification of the callers on `bus`.
  ///
  /// - Parameter environment: The environment of the service, which leads to the desktop entries.
  public convenience init(on bus: BusConnection, environment: [String: String], log: Logger) {
    self.init(on: bus, environment: environment, files: LocalFiles(), log: log)
  }

  /// Creates an identification that reads desktop entries through `files`.
  package init(
    on bus: BusConnection, environment: [String: String], files: some FileReading, log: Logger
  ) {
    self.bus = bus
    let directories = BaseDirectories(environment: environment)
    identification = CallerIdentification(
      .init(bus, runtimeDirectory: directories.runtimeDirectory), on: BrokerActor.loop)
    policy = PolicyService(
      in: SessionEnvironment(ofBroker: environment, bus: bus), cache: PolicyCache(files),
      files: FileThread(), log: log)
  }

  /// Returns the caller behind a connection.
  ///
  /// - Throws: `AccessDenied` if the caller is another user, or may be one.
  public func caller(_ sender: BusName) async throws(BusError) -> Caller {
    let facts = try await identification.facts(of: sender)
    let source = await policy.source(of: facts, in: await policy.current())
    return Caller(source: source, program: facts?.program)
  }

  /// Returns whether the process of a connection may be in a sandbox; `true` if nothing is known about it.
  public func mayBeSandboxed(_ connection: BusName) async -> Bool {
    await identification.mayBeSandboxed(connection)
  }

  /// Returns the connection that owns an application's bus name; `nil` if there is none, or if its process may be in a sandbox that is
  /// not certainly the application's.
  ///
  /// What is sent to it may be secret, and a sandboxed program can own any name.
  public func instance(of application: ApplicationID) async -> BusName? {
    guard let name = application.busName.flatMap({ BusName($0) }),
      let owner = try? await bus.owner(of: name),
      let source = try? await caller(owner).source
    else { return nil }
    guard source.mayBeSandboxed else { return owner }
    guard let entry = await entry(of: application),
      !TargetApplication(id: application, entry: entry).isImpostor(source)
    else { return nil }
    return owner
  }

  /// Returns the application that a text names; `nil` if no application can have that ID.
  public func application(spelled text: String) async -> ApplicationID? {
    await policy.id(spelled: text, in: await policy.current())
  }

  /// Returns whether an applications directory has the desktop entry of an application, readable or not.
  public func isInstalled(_ id: ApplicationID) async -> Bool { await policy.current().isInstalled(id) }

  /// Returns the desktop entry of an application; `nil` if it is not installed, or cannot be read within five seconds.
  ///
  /// The file of another entry that does not respond delays the call, too.
  public func entry(of id: ApplicationID) async -> DesktopEntry? {
    let catalog = await policy.current().catalog
    return await BrokerActor.result(within: Self.readTimeout, otherwise: nil) { [entryFiles] in
      await entryFiles.run { try? catalog.entry(id) }
    }
  }
}
