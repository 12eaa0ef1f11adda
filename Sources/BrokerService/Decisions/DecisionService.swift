import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import RouteTables
import Systemd

/// Decides requests with all facts that a decision needs, and prompts the user for the answers that it needs.
@BrokerActor
final class DecisionService {
  /// The time after which requests behind a slow file system or store are overtaken by later ones.
  private static let reorderDelay = Duration.milliseconds(100)

  private let bus: BusConnection
  private let policy: PolicyService
  private let environment: SessionEnvironment
  private let files: FileThread
  private let fileTypes: FileTypeProbe
  private let grants: GrantRepository
  private let prompts: PromptService

  init(
    on bus: BusConnection, policy: PolicyService, environment: SessionEnvironment, files: FileThread,
    fileTypes: FileTypeProbe, grants: GrantRepository, prompts: PromptService
  ) {
    self.bus = bus
    self.policy = policy
    self.environment = environment
    self.files = files
    self.fileTypes = fileTypes
    self.grants = grants
    self.prompts = prompts
  }

  /// Returns the request for a decision by `policy`, without the facts that only some routes need.
  func openRequest(
    _ urls: [URLString], from source: SourceApplication, _ options: OpenOptions, by policy: PolicySnapshot
  ) async throws(BusError) -> OpenRequest {
    var request = OpenRequest(urls: urls, source: source, hops: options.hops)
    _ = try RequestDecoder.target(of: options)
    request.target = await self.policy.id(spelled: options.target, in: policy)
    request.reason = options.reason.rawValue
    request.isUniversalLinksOnly = options.universalLinksOnly
    request.origin = options.origin
    request.answer = options.answer
    request.isByClick = options.activationToken != nil
    request.desktopAction = options.desktopAction
    return request
  }

  /// Decides a request.
  ///
  /// The facts are the running applications if a route has a condition on them, the MIME types of the local files, and
  /// the grants.
  ///
  /// - Parameter willWait: Called if they take longer than `reorderDelay`, so that later requests can proceed.
  func decide(
    _ request: OpenRequest, by policy: PolicySnapshot, willWait: @escaping @BrokerActor () -> Void = {}
  ) async -> PlannedRequest {
    var request = request
    let needsRunning = policy.broker.asksWhatRuns
    if needsRunning { request.running = await runningApplications() }
    var types = request.fileTypes ?? [:]
    var known: Set<GrantScope> = []
    // Conditions on running applications need the handler of a file, so the MIME types are determined before the
    // decision.
    var paths =
      needsRunning ? request.urls.compactMap(\.localPath).filter { types[$0] == nil } : []
    while true {
      if !paths.isEmpty {
        let timer = callLater(willWait)
        types.merge(await fileTypes.types(of: paths)) { $1 }
        timer.cancel()
      }
      request.fileTypes = types
      // Each pass knows more files, and `rewrite` routes add only a few others, so the loop terminates.
      let groups: [RequestGroup]
      (groups, paths) = await self.groups(of: request, by: policy)
      let scopes = Set(groups.lazy.compactMap(\.question?.scope)).subtracting(known)
      if paths.isEmpty, scopes.isEmpty { return PlannedRequest(request: request, groups: groups) }
      if !scopes.isEmpty {
        let timer = callLater(willWait)
        request.grants += await grants.grants(of: scopes)
        timer.cancel()
      }
      known.formUnion(scopes)
    }
  }

  /// Returns the decision for one URL of a request with its facts.
  func decide(
    _ url: URLString, of request: OpenRequest, by policy: PolicySnapshot, tellsWhy: Bool = false
  ) async -> Decision {
    await files.run { policy.broker.decide(url, of: request, tellsWhy: tellsWhy) }
  }

  /// Prompts the user for the questions of a decision while its caller waits, and decides again with the answers.
  ///
  /// A question that cannot be shown stays in the decision and is returned to the caller.
  ///
  /// - Parameter willWait: Called before each prompt.
  func answer(
    _ planned: PlannedRequest, for active: ActiveRequest, by policy: PolicySnapshot,
    willWait: @BrokerActor () -> Void = {}
  ) async -> (PlannedRequest, PolicySnapshot) {
    guard !planned.isSettled else { return (planned, policy) }
    var (planned, policy) = (planned, policy)
    // Answers that the caller reports.
    await grants.keep(planned.groups.flatMap(\.answered).map { ($0.answer, $0.question) })
    var asked: Set<Question.Identity> = []
    // Prompts are shown one at a time for each program, because a program can invent any number of origins.
    let questioner = planned.request.questioner?.rawValue ?? active.charged.text
    while let question = planned.groups.compactMap(\.question).first(where: { !asked.contains($0.identity) })
    {
      asked.insert(question.identity)
      willWait()
      let query = await query(question, of: planned.request, by: policy)
      let prompt = BrokerActor.loop.start { [prompts] in
        await prompts.ask(query, for: questioner, timeout: BootClock.until(active.deadline))
      }
      active.prompt = prompt
      let response = await prompt.value
      // A caller that cancelled the request needs no further answers.
      guard !active.isWithdrawn else { break }
      var request = planned.request
      switch response {
      case .answered(let answer): request.answers[question.identity] = answer
      case .silent(let reason): request.unanswered[question.identity] = reason
      case .noWay: continue
      }
      // Files may have changed while the user was prompted.
      policy = await self.policy.current()
      planned = await decide(request, by: policy)
    }
    return (planned, policy)
  }

  /// Returns the groups of a request's URLs, and the files whose MIME types are missing for a final decision.
  private func groups(
    of request: OpenRequest, by policy: PolicySnapshot
  ) async -> (groups: [RequestGroup], paths: [[UInt8]]) {
    let broker = policy.broker
    if policy.remembersChoices(for: request) {
      let groups = broker.groups(of: request)
      return (groups, broker.filesToLookAt(for: groups))
    }
    let groups = await broker.groups(of: request, urlsPerTurn: PolicySnapshot.urlsPerTurn) {
      await files.run($0)
    }
    return (groups, await files.run { broker.filesToLookAt(for: groups) })
  }

  /// Returns the running applications, which own their bus names.
  private func runningApplications() async -> Set<ApplicationID> {
    // If the bus does not reply, no application can be called either.
    let names = (try? await bus.call(BusDaemon.listNames, at: .bus)) ?? []
    return Set(names.compactMap { ApplicationID(rawValue: $0) })
  }

  private func callLater(_ willWait: @escaping @BrokerActor () -> Void) -> Task<Void, Never> {
    BrokerActor.loop.start {
      if (try? await BrokerActor.loop.sleep(for: Self.reorderDelay)) != nil { willWait() }
    }
  }

  private func query(
    _ question: Question, of request: OpenRequest, by policy: PolicySnapshot
  ) async -> PromptService.Query {
    let (opener, text) = await files.run {
      let opener = Self.opener(of: question, request, by: policy)
      let text = QuestionText(question, opener: opener) { id in
        policy.catalog.load(id, programs: policy.programs).entry?.name()
      }
      return (opener, text)
    }
    return PromptService.Query(
      question: question, text: text,
      candidates: question.choices.isEmpty ? opener.map { [$0] } ?? [] : question.choices,
      environment: await environment.current())
  }

  /// Returns the application that would open the URL with consent; `nil` if none would.
  private nonisolated static func opener(
    of question: Question, _ request: OpenRequest, by policy: PolicySnapshot
  ) -> ApplicationID? {
    guard question.choices.isEmpty else { return nil }
    var request = request
    request.answers[question.identity] = .yes
    guard case .deliver(let target) = policy.broker.decide(question.url, of: request).verdict else {
      return nil
    }
    return target.id
  }
}

/// A request with the facts for its decision, and the decision.
struct PlannedRequest: Sendable {
  let request: OpenRequest
  let groups: [RequestGroup]

  /// A Boolean value that indicates whether no question is open and no answer must be stored.
  var isSettled: Bool { groups.allSatisfy { $0.question == nil && $0.answered.isEmpty } }
}

extension URLString {
  /// The path of a `file:` URL on this machine; `nil` for other URLs.
  fileprivate var localPath: [UInt8]? {
    if case .path(let path)? = FileURL.place(of: text) { path } else { nil }
  }
}
