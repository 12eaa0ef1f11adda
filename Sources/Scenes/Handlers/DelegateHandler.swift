// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Triggers

/// A handler that follows UIKit's flow without scenes: the launch options first, then the delegate method of the launch reason.
actor DelegateHandler: RequestHandler {
  private let application: Application
  private let delegate: any ApplicationDelegate
  private var launch: Task<Launch.Answers, Never>?
  /// The launch without a request, until the application is active; `nil` before it begins.
  private var directLaunch: Task<Void, Never>?
  private var isTerminated = false
  private var handoff = Handoff()

  init(_ application: Application, _ delegate: any ApplicationDelegate) {
    self.application = application
    self.delegate = delegate
  }

  func prepare(hasReason: Bool) async throws {
    if !hasReason { await launchDirectly() }
  }

  private func launchDirectly() async {
    guard launch == nil, !isTerminated else { return }
    let methods = startLaunch(nil)
    let task = Task {
      _ = await methods.value
      guard !isTerminated else { return }
      await application.move(to: .foregroundActive, from: [.foregroundInactive])
    }
    directLaunch = task
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Starts to launch the application once, with `options`; the task returns the delegate's answers from that launch.
  private func startLaunch(_ options: LaunchOptions?) -> Task<Launch.Answers, Never> {
    if let launch { return launch }
    let methods = Task { [application, delegate] in
      let will = await delegate.application(application, willFinishLaunchingWithOptions: options)
      let did = await delegate.application(application, didFinishLaunchingWithOptions: options)
      return Launch.Answers(
        willFinishLaunching: will, didFinishLaunching: did,
        areImplemented: application.update { $0.missingLaunchMethods } < 2)
    }
    launch = methods
    return methods
  }

  func handle(_ request: SceneRequest) async throws -> SceneResult {
    if let directive = request.directive {
      switch directive {
      case .start: await launchDirectly()
      case .report(let result): await delegate.report(result, application)
      default: throw NoScenes(applicationID: application.id)
      }
      return .handled
    }
    let isLaunch = launch == nil
    guard let parts = request.separateWebLinks(application) else {
      return try await handle(request, isLaunch: isLaunch)
    }
    return try await .combining(parts) { try await handle($0, isLaunch: isLaunch) }
  }

  private func handle(_ request: SceneRequest, isLaunch: Bool) async throws -> SceneResult {
    let content = RequestContent(request, for: application)
    // The launch options have the first of several web links.
    let isInOptions = launch == nil && (content != .other || request.reason.isOfLaunchOptions)
    if launch == nil { application.recordLaunch(request) }
    // Requests without a user action launch the program in the background. The state is set before the launching methods, in which the
    // toolkit may report another one.
    let isSeen = content.isForScene
    if isLaunch, !isSeen { application.withActivation { $0.start(in: .background) } }
    let answers = await startLaunch(LaunchOptions(request, content)).value
    guard !isLaunch || Launch.delivers(content, of: request.reason, after: answers) else {
      await application.move(to: .foregroundActive, from: [.foregroundInactive])
      return Launch.resultWithoutDelivery(content)
    }
    // For a request with a user action, the application enters the foreground before delivery.
    let before = application.withActivation(\.goal)
    if !isLaunch, isSeen {
      await application.move(to: before == .foregroundActive ? before : .foregroundInactive, from: [before])
    }
    let result: Result<SceneResult, any Error>
    do {
      result = .success(try await deliver(content, request, isLaunch: isLaunch))
    } catch is NotImplemented {
      // The launch options have already delivered the reason.
      result = .success(isInOptions && answers.areImplemented ? .handled : .notHandled)
    } catch {
      result = .failure(error)
    }
    // A state that the toolkit has reported during the call remains.
    if isSeen, before != .foregroundActive {
      await application.move(to: .foregroundActive, from: [.foregroundInactive])
    }
    return try result.get()
  }

  private func deliver(
    _ content: RequestContent, _ request: SceneRequest, isLaunch: Bool
  ) async throws -> SceneResult {
    if let type = handoff.announce(content) {
      _ = await delegate.application(application, willContinueUserActivityWithType: type)
    }
    switch content {
    case .activate, .handoff: return .handled
    case .urls(let contexts):
      return try await .combining(contexts) { try await delegate.application(application, open: $0) }
    case .shortcutItem(let item):
      return try await delegate.application(application, performActionFor: item) ? .handled : .notHandled
    case .userActivity(let activity):
      return try await delegate.application(application, continue: activity) ? .handled : .notHandled
    case .handoffFailed(let type, let reason):
      await delegate.application(
        application, didFailToContinueUserActivityWithType: type, error: HandoffError(description: reason))
      return .handled
    case .notification(let notification):
      return try await delegate.present(notification, isLaunch: isLaunch, application)
    case .notificationResponse(let response):
      guard let action = response.otherAction else {
        return try await delegate.receive(response.notification, application)
      }
      try await delegate.application(
        application, handleActionWithIdentifier: action, for: response.notification)
      return .handled
    case .cloudKitShare(let metadata):
      try await delegate.application(application, userDidAcceptCloudKitShareWith: metadata)
      return .handled
    case .other: return try await delegate.receiveOther(request, application)
    }
  }

  func explain(_ request: SceneRequest) async -> SceneExplanation {
    let start = launch == nil ? "the application is launched with it" : "the application is already launched"
    return SceneExplanation(steps: ["\(application.id) has no scenes, so its delegate receives it; \(start)"])
  }

  func terminate() async {
    guard launch != nil, !isTerminated else { return isTerminated = true }
    isTerminated = true
    // The server waits only for requests, and the launching methods must not continue after the call about the end.
    await directLaunch?.value
    await application.move(to: .background)
    await delegate.applicationWillTerminate(application)
  }
}

extension ApplicationDelegate {
  /// Delivers a notification to which the user has not responded, and returns the delegate's result; throws
  /// ``NotImplemented`` without a method for it.
  ///
  /// In the foreground, the delegate decides how a notification is shown. A remote notification that is to be shown is not
  /// delivered in the background.
  ///
  /// - Parameter isLaunch: Whether the program was started for the notification, which is then for the background.
  nonisolated(nonsending) func present(
    _ notification: UserNotification, isLaunch: Bool, _ application: Application
  ) async throws -> SceneResult {
    if notification.isRemote {
      guard !isLaunch, !notification.isForBackground else {
        return try await receive(notification, application)
      }
      guard application.isInForeground else { return .notHandled }
    } else if !application.isInForeground {
      return try await receive(notification, application)
    }
    do {
      let options = try await self.application(application, willPresent: notification)
      return .handled(["presentation": .array(options.names.map(PropertyList.string))])
    } catch is NotImplemented {
      // The delegate receives it by its request for the background.
      guard !notification.isRemote || !notification.isAlsoForBackground else { return .notHandled }
      return try await receive(notification, application)
    }
  }

  /// Delivers a request whose reason UIKit assigns to other frameworks, or that is unknown; throws ``NotImplemented`` without a method.
  ///
  /// Events of `usher-triggers` are for the managers, and downloads for the delegate's method for them. Requests without such a receiver
  /// are for `application(_:didReceive:)`.
  nonisolated(nonsending) func receiveOther(
    _ request: SceneRequest, _ application: Application
  ) async throws -> SceneResult {
    nonisolated(nonsending) func receiveAny() async throws -> SceneResult {
      try await self.application(application, didReceive: request)
    }
    if try await deliverDownload(request, application) { return .handled }
    if request.reason == .location, let event = request.payload.flatMap(LocationEvent.init) {
      return try await application.locationEvents.deliver(event, or: receiveAny)
    }
    guard let event = BluetoothRequest(request) else { return try await receiveAny() }
    return try await application.bluetoothEvents.deliver(event, canWait: event.canWait, or: receiveAny)
  }

  /// Delivers a notification to the delegate, and returns its result; throws ``NotImplemented`` without a method for it.
  nonisolated(nonsending) func receive(_ notification: UserNotification, _ application: Application)
    async throws -> SceneResult
  {
    guard notification.isRemote else {
      try await self.application(application, didReceive: notification)
      return .handled
    }
    let result = try await self.application(application, didReceiveRemoteNotification: notification)
    guard result != .failed else { throw FetchError() }
    return .handled(["fetch-result": .string(result.rawValue)])
  }
}

/// The error for a remote notification whose content the delegate could not fetch.
struct FetchError: Error, CustomStringConvertible {
  let description = "the content of the notification could not be fetched"
}

extension LaunchReason {
  /// A Boolean value that is `true` if UIKit reports the reason by a launch option alone.
  var isOfLaunchOptions: Bool {
    [.location, .bluetoothCentrals, .bluetoothPeripherals, .newsstandDownloads].contains(self)
  }
}
