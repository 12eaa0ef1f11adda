// SPDX-License-Identifier: Apache-2.0
public import DBus
public import Systemd

/// A transient service of the user's service manager that runs one program with restrictions, and outlives this process.
///
/// The program reads and writes nothing but its standard streams: the file system is read-only, the home directories are
/// empty, and it gains no permissions. It may use the network.
public struct ConfinedService: Sendable {
  /// The program of a service.
  public struct Configuration: Sendable {
    /// The absolute path of the program.
    public var executable: String
    /// `argv`, starting with the program's own name.
    public var arguments: [String]
    /// The description, which every program of the user can read.
    public var description: String
    /// The standard input.
    public var input: UnixFD
    /// The standard output.
    public var output: UnixFD
    /// The standard error.
    public var error: UnixFD
    /// The maximum length of a file that the program writes; `nil` for no limit.
    public var maximumFileSize: Int64?

    /// Creates a configuration without a limit.
    public init(
      executable: String, arguments: [String], description: String, input: UnixFD, output: UnixFD,
      error: UnixFD
    ) {
      self.executable = executable
      self.arguments = arguments
      self.description = description
      self.input = input
      self.output = output
      self.error = error
    }
  }

  private let unit: TransientUnit

  /// The service with a name, which ends in `.service`.
  public init(name: String, on bus: BusConnection) { unit = TransientUnit(name: name, bus: bus) }

  /// Returns whether a service manager is on the bus.
  public static func hasManager(_ bus: BusConnection) async -> Bool {
    await SystemdManagerInterface.isServed(on: bus)
  }

  /// Starts the service.
  ///
  /// - Throws: `BusError` if the service manager rejects the unit, or could not execute the program.
  public func start(_ configuration: Configuration) async throws(BusError) {
    // Namespaces of users may be forbidden on this machine, and then the service manager cannot isolate the file system.
    if try await attempt(configuration, isolated: true) == nil { return }
    guard let status = try await attempt(configuration, isolated: false) else { return }
    throw BusError(
      .failed,
      "the user manager could not start \(unit.name) (status \(status)); run: journalctl --user -u '\(unit.name)'"
    )
  }

  /// Starts the service, and returns the exit status of a program that was not executed; `nil` if it was.
  private func attempt(_ configuration: Configuration, isolated: Bool) async throws(BusError) -> Int32? {
    let result = try await unit.start(Self.properties(of: configuration, isolated: isolated))
    guard result != "done" else { return nil }
    // systemd.exec(5), "Process Exit Codes". A program that exits at once may let the job fail, too.
    guard case .exited(let status)? = await unit.exitStatusNow(), (200...243).contains(status) else {
      return nil
    }
    await unit.release()
    return status
  }

  /// Returns whether the service exists and its program runs.
  public func isRunning() async -> Bool { await unit.isActive() }

  /// Waits for the program to exit and returns its status; `nil` if the status is lost.
  public func exitStatus() async -> ExitStatus? {
    try? await unit.subscribe()
    return await unit.exitStatus()
  }

  /// Stops the service; one that has ended already is not affected.
  public func stop() async { await unit.stop() }

  private static func properties(
    of configuration: Configuration, isolated: Bool
  ) -> [BusStruct<String, Variant>] {
    let command = Variant.structure([
      .string(configuration.executable), .strings(configuration.arguments), .strings(["no-env-expand"]),
    ])
    var properties: [(String, Variant)] = [
      ("Description", .string(configuration.description)),
      ("Type", "exec"),
      ("Slice", "background.slice"),
      ("CollectMode", "inactive-or-failed"),
      ("AddRef", true),
      ("WorkingDirectory", "/"),
      ("ExecStartEx", .array(of: "(sasas)", [command])),
      ("StandardInputFileDescriptor", .unixFD(configuration.input)),
      ("StandardOutputFileDescriptor", .unixFD(configuration.output)),
      ("StandardErrorFileDescriptor", .unixFD(configuration.error)),
      ("TimeoutStopUSec", .uint64(5_000_000)),
      ("UMask", .uint32(0o077)),
      ("LimitCORE", .uint64(0)),
      ("NoNewPrivileges", true),
      ("RestrictNamespaces", .uint64(0)),
      ("RestrictRealtime", true),
      ("RestrictSUIDSGID", true),
      ("LockPersonality", true),
      ("MemoryDenyWriteExecute", true),
      ("SystemCallArchitectures", .strings(["native"])),
      // The local sockets and the routing tables serve the resolution of names.
      (
        "RestrictAddressFamilies",
        .structure([true, .strings(["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"])])
      ),
      ("SystemCallFilter", .structure([true, .strings(["@system-service"])])),
    ]
    if let size = configuration.maximumFileSize {
      properties.append(("LimitFSIZE", .uint64(UInt64(clamping: size))))
    }
    if isolated {
      // Not ProtectKernelTunables: a container may forbid to mount /proc again, and a user cannot change the tunables anyway.
      properties += [
        ("PrivateUsers", true), ("PrivateTmp", true), ("PrivateDevices", true), ("ProtectSystem", "strict"),
        ("ProtectHome", "tmpfs"), ("ProtectKernelModules", true),
        ("ProtectControlGroups", true), ("ProtectClock", true),
      ]
    }
    return properties.map { BusStruct($0.0, $0.1) }
  }
}
