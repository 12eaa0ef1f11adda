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
    var parts = rules.broker.shares(of: request).map { start($0, of: request, options, id, scope) }
    if let fallback, let first = parts.firstIndex(where: { $0.isFailed && $0.delivery.choices == nil }) {
      var plain = options
      (plain.reason, plain.payload, plain.desktopAction) = (.url, nil, nil)
      let substitutes = rules.broker.shares(of: fallback).map { start($0, of: fallback, plain, id, scope) }
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
    _ share: RequestGroup, of request: OpenRequest, _ options: OpenOptions, _ id: String,
    _ scope: LaunchScope?
  ) -> Part {
    if let delivery = Delivery(unopened: share) { return Part(delivery) }
    if case .run(let command) = share.verdict { return run(command, share, request, options, id, scope) }
    guard case .deliver(let target) = share.verdict else {
      return Part(Delivery(application: nil, outcome: .failed))
    }
    let action = target.desktopAction ?? options.desktopAction
    let errand = request.errand
    guard !target.takesEnvelopes, target.entry.exec != nil else {
      return Part(
        failed: target, .needsBus, "\(target.id) can be reached only through the broker, but \(obstacle)")
    }
    if case .message? = errand, let errand {
      return Part(failed: target, .notHandled, target.refusal(of: errand))
    }
    do throws(LaunchError) {
      let launches = try EntryLaunch.launches(
        of: target.entry, id: target.id, opening: share.texts, performing: action, programs: rules.programs)
      let envelope = envelope(for: share, target, request, options, id)
      let file = envelopeFile(for: envelope, target)
      var part = Part(Delivery(application: target.id.rawValue, outcome: .delivered, kind: .launch))
      part.file = file
      do throws(LaunchError) {
        for launch in launches {
          part.enter(scope, for: launch)
          part.programs.append(try start(launch, target, envelope, file))
        }
      } catch {
        guard !part.programs.isEmpty else {
          file?.remove()
          throw error
        }
        // The outcome is not `failed`, because some programs have received their URLs and the fallback must not be
        // opened.
        part.delivery.outcome = .unknown
        part.delivery.error = BrokerErrorName.launchFailed.errorName
        part.delivery.message = "\(error); \(part.programs.count) of its links were passed to it before"
      }
      return part
    } catch {
      return Part(failed: target, .launchFailed, error.description)
    }
  }

  private func start(
    _ launch: Launch, _ target: TargetApplication, _ envelope: Envelope, _ file: EnvelopeFile?
  ) throws(LaunchError) -> SpawnedProcess {
    var launch = launch
    launch.variables.merge(EnvelopeFile.variables(for: envelope, in: file)) { $1 }
    if target.entry.startupNotify == true, let token = envelope.activationToken {
      launch.variables["XDG_ACTIVATION_TOKEN"] = token
      launch.variables["DESKTOP_STARTUP_ID"] = token
    }
    var program = launch.program(environment: LaunchEnvironment.clean(environment))
    program.output = output
    do throws(SystemdError) {
      return try SpawnedProcess(program)
    } catch {
      throw LaunchError(program, error)
    }
  }

  private func run(
    _ command: RouteCommand, _ share: RequestGroup, _ request: OpenRequest, _ options: OpenOptions,
    _ id: String, _ scope: LaunchScope?
  ) -> Part {
    let envelope = envelope(for: share, nil, request, options, id)
    let file = EnvelopeFile(envelope, in: runtimeDirectory)
    let launch = Launch(command)
    var program = launch.program(environment: LaunchEnvironment.clean(environment))
    program.environment.merge(EnvelopeFile.variables(for: envelope, in: file)) { $1 }
    program.output = output
    do throws(SystemdError) {
      var part = Part(Delivery(application: nil, outcome: .delivered, kind: .launch))
      part.file = file
      part.enter(scope, for: launch)
      part.programs = [try SpawnedProcess(program)]
      return part
    } catch {
      file?.remove()
      return Part(
        Delivery(
          application: nil, outcome: .failed, error: BrokerErrorName.launchFailed.errorName,
          message: LaunchError(program, error).description))
    }
  }

  private func envelopeFile(for envelope: Envelope, _ target: TargetApplication) -> EnvelopeFile? {
    // The path does not exist inside a sandbox.
    guard target.entry["X-Flatpak"] == nil, target.entry["X-SnapInstanceName"] == nil else { return nil }
    return EnvelopeFile(envelope, in: runtimeDirectory)
  }

  private func envelope(
    for group: RequestGroup, _ target: TargetApplication?, _ request: OpenRequest, _ options: OpenOptions,
    _ id: String
  ) -> Envelope {
    var envelope = Envelope(requestID: id, group, of: request, options)
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
  var file: EnvelopeFile?
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
        file?.remove()
        return result
      }
    }
    file?.remove()
    result.outcome = .handled
    return result
  }
}
