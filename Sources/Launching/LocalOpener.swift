// SPDX-License-Identifier: Apache-2.0
public import BrokerCore
public import BusInterfaces
import Freedesktop
import Systemd

/// An opener of URLs without a broker, with the same decisions, but limited to programs that need no bus.
///
/// It blocks, and retains nothing afterwards: the programs outlive the process.
public struct LocalOpener: Sendable {
  private let rules: PolicySnapshot
  private let environment: [String: String]
  private let obstacle: String
  private let output: Int32?

  /// Creates an opener that decides by `rules`.
  ///
  /// - Parameters:
  ///   - environment: The environment of this process; programs get it without the variables that apply only to this
  ///     process.
  ///   - obstacle: The reason why the broker is not used, for errors of applications that need it.
  ///   - output: The descriptor for the output of programs; `nil` for the output of this process.
  public init(
    rules: PolicySnapshot, environment: [String: String], obstacle: String, output: Int32? = nil
  ) {
    self.rules = rules
    self.environment = environment
    self.obstacle = obstacle
    self.output = output
  }

  /// Opens the URLs of `request`, and `fallback` instead of failed deliveries.
  ///
  /// The receipt contains the errors: `NoHandler`, `Denied`, `Loop`, `LaunchFailed` and `NeedsBus`, and also
  /// `TargetFailed` and `Timeout` if the request waits for the programs to exit.
  public func open(_ request: OpenRequest, fallback: OpenRequest?, _ options: OpenOptions, id: String)
    -> Receipt
  {
    let deadline = ContinuousClock.now + options.timeout
    EnvelopeFile.removeExpired(in: runtimeDirectory)
    let scope = LaunchScope()
    var parts = rules.broker.groups(of: request).map {
      start($0, of: request, options: options, id: id, scope: scope)
    }
    if let fallback, let first = parts.firstIndex(where: { $0.isFailed && $0.delivery.choices == nil }) {
      var plain = options
      (plain.reason, plain.payload, plain.desktopAction) = (.url, nil, nil)
      let substitutes = rules.broker.groups(of: fallback).map {
        start($0, of: fallback, options: plain, id: id, scope: scope)
      }
      let before = parts[..<first]
      parts = before + substitutes + parts[first...].filter { !$0.isFailed }
    }
    // Programs that remain in the service of this process would be terminated with it, so this process waits for them.
    for part in parts where !part.outlivesService { part.waitForEnd() }
    guard options.wait == .handled else { return Receipt(requestID: id, deliveries: parts.map(\.delivery)) }
    return Receipt(requestID: id, deliveries: parts.map { $0.finished(by: deadline) })
  }

  private var runtimeDirectory: String? { BaseDirectories(environment: environment).runtimeDirectory }

  private func start(
    _ group: RequestGroup, of request: OpenRequest, options: OpenOptions, id: String,
    scope: LaunchScope?
  ) -> Part {
    if let delivery = Delivery(unopened: group) { return Part(delivery) }
    if case .run(let command) = group.verdict {
      return run(command, group: group, request: request, options: options, id: id, scope: scope)
    }
    guard case .deliver(let target) = group.verdict else {
      return Part(Delivery(application: nil, outcome: .failed))
    }
    let action = target.desktopAction ?? options.desktopAction
    let purpose = request.purpose
    guard !target.takesEnvelopes, target.entry.exec != nil else {
      return Part(
        failed: target, .needsBus,
        "\(target.id) receives links only from the broker, which cannot be reached: \(obstacle)")
    }
    if case .message? = purpose, let purpose {
      return Part(failed: target, .notHandled, target.refusal(of: purpose))
    }
    do throws(LaunchError) {
      let launches = try EntryLaunch.launches(
        of: target.entry, id: target.programID, opening: group.texts, performing: action,
        programs: rules.launchPrograms)
      var envelope = envelope(for: group, target: target, request: request, options: options, id: id)
      var part = Part(Delivery(application: target.id.rawValue, outcome: .delivered, kind: .launch))
      do throws(LaunchError) {
        for (index, launch) in launches.enumerated() {
          if launches.count > 1, launches.count == group.texts.count { envelope.urls = [group.texts[index]] }
          part.enter(scope, for: launch)
          try start(launch, of: target.entry, with: envelope, in: &part)
        }
      } catch {
        guard !part.programs.isEmpty else { throw error }
        // The outcome is not `failed`, because some programs have received their URLs and the fallback must not be
        // opened.
        part.delivery.outcome = .unknown
        part.delivery.error = BrokerErrorName.launchFailed.errorName
        part.delivery.message = error.message(afterStarting: part.programs.count)
      }
      return part
    } catch {
      return Part(failed: target, .launchFailed, error.description)
    }
  }

  /// Starts a program and adds it to `part`, with the file of its envelope.
  ///
  /// - Parameter entry: The desktop entry of the program; `nil` for a program that a route runs.
  private func start(
    _ launch: Launch, of entry: DesktopEntry?, with envelope: Envelope, in part: inout Part
  ) throws(LaunchError) {
    var launch = launch
    let file = launch.pass(envelope, to: entry, in: runtimeDirectory)
    var program = launch.program(environment: LaunchEnvironment.clean(environment))
    program.output = output
    do throws(SystemdError) {
      part.programs.append(try SpawnedProcess(program))
      if let file { part.files.append(file) }
    } catch {
      file?.remove()
      throw LaunchError(program, error)
    }
  }

  private func run(
    _ command: RouteCommand, group: RequestGroup, request: OpenRequest, options: OpenOptions,
    id: String, scope: LaunchScope?
  ) -> Part {
    let envelope = envelope(for: group, target: nil, request: request, options: options, id: id)
    let launch = Launch(command)
    var part = Part(Delivery(application: nil, outcome: .delivered, kind: .launch))
    part.enter(scope, for: launch)
    do throws(LaunchError) {
      try start(launch, of: nil, with: envelope, in: &part)
      return part
    } catch {
      return Part(
        Delivery(
          application: nil, outcome: .failed, error: BrokerErrorName.launchFailed.errorName,
          message: error.description))
    }
  }

  private func envelope(
    for group: RequestGroup, target: TargetApplication?, request: OpenRequest, options: OpenOptions,
    id: String
  ) -> Envelope {
    var envelope = Envelope(requestID: id, callerRequestID: id, group, of: request, options)
    envelope.application = target?.id.rawValue
    envelope.desktopAction = target?.desktopAction ?? options.desktopAction
    envelope.delivery = .launch
    return envelope
  }
}

/// The state of one group of URLs: its delivery so far, and its running programs.
private struct Part {
  var delivery: Delivery
  var programs: [SpawnedProcess] = []
  var files: [EnvelopeFile] = []
  /// A Boolean value that indicates whether the programs survive the end of the service that this process belongs to.
  var outlivesService = true
  var isFailed: Bool { delivery.outcome == .failed }

  init(_ delivery: Delivery) { self.delivery = delivery }

  init(failed target: TargetApplication, _ error: BrokerErrorName, _ message: String) {
    self.init(
      Delivery(
        application: target.id.rawValue, outcome: .failed, error: error.errorName, message: message))
  }

  /// Enters a separate scope for the program that is started next, if this process is in a service.
  mutating func enter(_ scope: LaunchScope?, for launch: Launch) {
    guard let scope, !scope.enter(for: launch.application, title: launch.title) else { return }
    outlivesService = false
  }

  private func removeFiles() { for file in files { file.remove() } }

  func waitForEnd() {
    for program in programs { program.waitForEnd() }
  }

  func finished(by deadline: ContinuousClock.Instant) -> Delivery {
    guard delivery.error == nil else { return delivery }
    let name = delivery.application ?? "the application"
    var result = delivery
    for program in programs {
      guard let status = program.exitStatus(by: deadline) else {
        result.error = BrokerErrorName.timeout.errorName
        result.message = "\(name) was started, but did not exit in time"
        return result
      }
      guard status.isSuccess else {
        result.outcome = .failed
        result.error = BrokerErrorName.targetFailed.errorName
        result.message = "\(name) exited with \(status)"
        removeFiles()
        return result
      }
    }
    removeFiles()
    result.outcome = .handled
    return result
  }
}
