// SPDX-License-Identifier: Apache-2.0
import DBus
import Glibc
import Launching
import Systemd
import Triggers

/// A `curl` that receives a file.
struct CurlRun: Sendable {
  /// Stops it; its end is reported as usual.
  let stop: @Sendable () async -> Void
  /// Waits for its end.
  let end: @Sendable () async -> TransferAttempt.End
}

/// Starts `curl`: as a confined unit of the user's service manager, which outlives this process; without a service manager as a
/// child of this process.
struct CurlRunner: Sendable {
  /// The files of a run.
  struct Files: Sendable {
    /// The partial file, to which curl appends.
    var output: UnixFD
    /// The configuration.
    var configuration: UnixFD
    /// The file of the response headers.
    var headers: UnixFD
    /// Its path.
    var headersPath: String
  }

  let bus: BusConnection
  /// The values of `PATH` in which curl is searched.
  let searchPath: String

  /// The absolute path of curl; `nil` if it is not installed.
  var executable: String? {
    searchPath.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/curl" }
      .first { access($0, X_OK) == 0 }
  }

  private static func unitName(_ id: String) -> String { "usher-download-\(id).service" }

  /// Starts the curl of the download with an ID.
  ///
  /// - Throws: A failure if it cannot be started.
  func start(
    _ id: String, of application: String, _ files: Files, limit: Int64?
  ) async throws(DownloadFailure) -> CurlRun {
    guard let executable else { throw Self.missing }
    guard await ConfinedService.hasManager(bus) else {
      return try startChild(executable, files, limit: limit)
    }
    let service = ConfinedService(name: Self.unitName(id), on: bus)
    // The descriptor is reopened by its number, because the unit cannot reach the path.
    var configuration = ConfinedService.Configuration(
      executable: executable, arguments: CurlConfiguration.arguments(dumpingTo: "/proc/self/fd/2"),
      description: "A download of \(application)", input: files.configuration, output: files.output,
      error: files.headers)
    configuration.maximumFileSize = limit
    do throws(BusError) {
      try await service.start(configuration)
    } catch {
      throw DownloadFailure(.program, "curl cannot be started as a unit of the user: \(error.message)")
    }
    return Self.run(of: service)
  }

  /// Returns the curl that an earlier daemon has started for the download; `nil` if none runs.
  func running(_ id: String) async -> CurlRun? {
    guard await ConfinedService.hasManager(bus) else { return nil }
    let service = ConfinedService(name: Self.unitName(id), on: bus)
    return await service.isRunning() ? Self.run(of: service) : nil
  }

  /// The failure if curl is not installed.
  static let missing = DownloadFailure(
    .program, "the program curl is not installed; install the package curl")

  private static func run(of service: ConfinedService) -> CurlRun {
    CurlRun(stop: { await service.stop() }, end: { attemptEnd(await service.exitStatus()) })
  }

  private static func attemptEnd(_ status: ExitStatus?) -> TransferAttempt.End {
    switch status {
    case .exited(let code): .exited(code)
    case .signalled(let number): .signalled(number)
    case nil: .unknown
    }
  }

  /// Starts curl as a child, which the kernel kills when this process exits.
  private func startChild(
    _ executable: String, _ files: Files, limit: Int64?
  ) throws(DownloadFailure) -> CurlRun {
    var program = ProcessConfiguration(
      executable: executable, arguments: CurlConfiguration.arguments(dumpingTo: files.headersPath),
      environment: LaunchEnvironment.own(), workingDirectory: "/")
    program.input = files.configuration.rawValue
    program.output = files.output.rawValue
    program.isMute = true
    program.isBoundToThread = true
    do throws(SystemdError) {
      let child = try ChildProcess(program, on: bus.loop)
      if let limit { try? child.handle.limitFileSize(to: limit) }
      return CurlRun(
        stop: { try? child.handle.send(signal: SIGTERM) },
        end: { Self.attemptEnd(await child.exitStatus()) })
    } catch {
      throw DownloadFailure(.program, "curl cannot be started: \(error)")
    }
  }
}
