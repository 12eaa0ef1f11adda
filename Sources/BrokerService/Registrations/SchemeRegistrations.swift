// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Logging
import Systemd

/// The schemes that programs on other machines have registered, each for as long as its relay owns the bus name.
///
/// While a scheme is registered, a temporary desktop entry leads links to the broker, which decides them as all links, and delivers them to
/// the relay as to an application. A relay that exits, or is killed, loses the name, so that nothing of it remains.
@BrokerActor
final class SchemeRegistrations {
  /// A registration that the user is asked about, or has allowed.
  private final class Active {
    let registration: SchemeRegistration
    /// The question, while the user is asked.
    var prompt: Task<PromptResponse, Never>?
    /// The task that waits until the relay loses the name.
    var watch: Task<Void, Never>?
    /// The relay, as soon as its bus name is watched.
    var relay: BusName?
    /// A Boolean value that indicates whether the desktop entry exists.
    var hasEntry: Bool

    init(_ registration: SchemeRegistration, hasEntry: Bool) {
      self.registration = registration
      self.hasEntry = hasEntry
    }
  }

  /// The number of attempts to change files that another program changes at the same time.
  private nonisolated static let attempts = 5

  private let bus: BusConnection
  private let identification: CallerIdentification
  private let policy: PolicyService
  private let environment: SessionEnvironment
  private let prompts: PromptService
  private let former: FormerRegistrations
  private let fileReader: any FileReading
  private let timeout: Duration
  private let log: Logger
  /// The thread that writes the entries in the order of the calls, so that a lock of another program delays no decision.
  private let files = FileThread()
  private var active: [URLScheme: Active] = [:]
  /// Fulfilled when the registrations of an earlier broker are continued or have ended.
  private let recovered = Promise<Void>()

  init(
    on bus: BusConnection, identifyingBy identification: CallerIdentification, policy: PolicyService,
    environment: SessionEnvironment, prompts: PromptService, former: FormerRegistrations,
    reading fileReader: any FileReading, timeout: Duration, log: Logger
  ) {
    self.bus = bus
    self.identification = identification
    self.policy = policy
    self.environment = environment
    self.prompts = prompts
    self.former = former
    self.fileReader = fileReader
    self.timeout = timeout
    self.log = log
  }

  /// Registers a scheme for a machine after the user has allowed it.
  ///
  /// - Parameters:
  ///   - text: The scheme.
  ///   - options: `remote`: the machine; `timeout`: the time in microseconds that the user has to answer.
  ///   - sender: The relay, which owns the bus name of the registration.
  ///   - caller: The credentials of that connection; `nil` if they cannot be read safely.
  /// - Returns: The bus name.
  func register(
    _ text: String, _ options: [String: Variant], for sender: BusName, calledBy caller: CallerCredentials?
  ) async throws(BusError) -> String {
    guard caller?.isRelay == true else {
      throw BusError(
        .accessDenied, "only usher-remote may register schemes of other machines; use: usher register")
    }
    guard let machine = options["remote"]?.string.flatMap({ RemoteMachine($0) }) else {
      throw BusError(.invalidRequest, "remote must name the machine, such as build.example.org")
    }
    guard let registration = SchemeRegistration(of: text, for: machine) else {
      throw BusError(.invalidRequest, "scheme: write a scheme without a colon, such as com.example.tool")
    }
    let timeout = options["timeout"]?.integer.map { Duration.microseconds(min(max($0, 0), 86_400_000_000)) }
    // Another machine may have had the scheme until the earlier broker ended.
    await recovered.value
    // A relay that registers a scheme does not have it: the entry may be that of one that ended with the earlier broker.
    if let earlier = active[registration.scheme], earlier.registration == registration,
      earlier.relay == sender
    {
      end(earlier)
    }
    if let refusal = await refusal(of: registration) { throw refusal }
    if let obstacle = obstacle(to: registration) { throw obstacle }
    let new = Active(registration, hasEntry: false)
    active[registration.scheme] = new
    do throws(BusError) {
      try await watch(new, ownedBy: sender)
      try await ask(new, timeout: timeout ?? BrokerLimits.prompt)
      // Files may have changed while the user was asked.
      if let refusal = await refusal(of: registration) { throw refusal }
      try await addEntry(of: new)
    } catch {
      end(new)
      throw error
    }
    log.notice("\(registration.scheme): links are sent to \(machine.title) while it is connected")
    return registration.busName
  }

  /// Ends the registration of a scheme, as the user requests; returns the machine.
  func unregister(_ text: String) async throws(BusError) -> String {
    guard let scheme = URLScheme(text) else {
      throw BusError(.invalidRequest, "scheme: write a scheme without a colon, such as com.example.tool")
    }
    guard let former = active[scheme], former.hasEntry else {
      throw BusError(.noHandler, "no machine has registered \(scheme)")
    }
    // Links are not sent there any more even if the relay does not answer.
    end(former)
    let machine = former.registration.machine
    // The program could ask the user again at once.
    prompts.pauseQuestions(of: machine)
    guard let relay = former.relay else { return machine.name }
    do throws(BusError) {
      try await bus.call(
        RelayInterface.endRegistration, at: RemoteObject(relay, RelayInterface.path), scheme.rawValue,
        timeout: BrokerLimits.relay)
    } catch {
      log.warning("the relay of \(machine) does not end the registration of \(scheme): \(error)")
    }
    return machine.name
  }

  /// Continues the registrations of an earlier broker whose relays still own their names, and removes the entries of all others.
  ///
  /// Returns after the timeout if the home directory does not respond; the rest follows when it does, and new registrations wait for it.
  func recover() async {
    await BrokerActor.result(within: timeout, otherwise: ()) {
      await self.recoverAll()
      self.recovered.fulfil(())
    }
  }

  private func recoverAll() async {
    let desktop = await registration()
    for entry in await files.run({ desktop.remoteEntries }) {
      guard let machine = RemoteMachine(entry.machine) else { continue }
      let earlier = Active(SchemeRegistration(of: entry.scheme, for: machine), hasEntry: true)
      guard let other = active[entry.scheme] else {
        active[entry.scheme] = earlier
        if await !isAlive(earlier) { end(earlier) }
        continue
      }
      // Only one machine can have the scheme.
      if other.registration.entry != entry { removeEntry(of: earlier) }
    }
  }

  /// Returns whether a relay owns the name of an earlier registration, and watches it then.
  private func isAlive(_ earlier: Active) async -> Bool {
    guard let name = BusName(earlier.registration.busName), let owner = try? await bus.owner(of: name),
      (try? await identification.facts(of: owner))?.isRelay == true
    else { return false }
    return (try? await watch(earlier, ownedBy: owner)) != nil
  }

  /// Returns whether a target may not know that it has received a request already, because it is not the only relay that had its name lately.
  ///
  /// A relay knows all deliveries to itself. An application of this desktop stores them, and gets each repetition.
  func mayForget(_ id: ApplicationID) -> Bool {
    !id.isOfOtherMachine || former.contains(id)
  }

  // MARK: Conditions

  /// Returns the error for a registration that the policy rejects; `nil` if the user is to be asked.
  private func refusal(of registration: SchemeRegistration) async -> BusError? {
    let policy = await policy.current()
    return await files.run { policy.broker.refusal(of: registration) }.map {
      BusError(.denied, $0.description)
    }
  }

  /// Returns the error for a registration that other registrations exclude.
  private func obstacle(to registration: SchemeRegistration) -> BusError? {
    let (scheme, machine) = (registration.scheme, registration.machine)
    if let other = active[scheme]?.registration.machine {
      let owner = other == machine ? "another program of this machine" : "the machine \(other)"
      return BusError(.denied, "\(owner) has registered \(scheme); a scheme has one program at a time")
    }
    if let former = former.last(of: scheme), former.registration.machine != machine {
      return BusError(
        .denied,
        "the machine \(former.registration.machine) had registered \(scheme) a short time ago, and answers for it may still arrive; try again in \((former.end - .now).components.seconds + 1) s"
      )
    }
    guard active.values.count(where: { $0.registration.machine == machine }) < SchemeRegistration.maximumCount
    else {
      return BusError(
        .tooMany,
        "\(machine) has registered \(SchemeRegistration.maximumCount) schemes; end one of the programs that wait for links"
      )
    }
    return nil
  }

  private func ask(_ new: Active, timeout: Duration) async throws(BusError) {
    let query = PromptService.Query(
      question: .registration(new.registration), text: QuestionText(new.registration), candidates: [],
      environment: await environment.current(), session: .unknown, tokens: nil)
    let questioner = "machine \(new.registration.machine)"
    let prompt = BrokerActor.loop.start { [prompts] in
      await prompts.ask(query, for: questioner, timeout: { timeout })
    }
    new.prompt = prompt
    if active[new.registration.scheme] !== new { prompt.cancel() }
    let response = await prompt.value
    new.prompt = nil
    guard active[new.registration.scheme] === new else { throw Self.withdrawn }
    switch response {
    case .answered(.yes, _): return
    case .answered: throw BusError(.denied, "the user refused it", details: Self.asked)
    case .silent(let reason): throw BusError(.denied, reason, details: Self.asked)
    case .unavailable:
      throw BusError(
        .denied,
        "the user is asked about each registration, but no prompt can be shown; start a notification server that supports buttons, or install zenity"
      )
    }
  }

  /// The details of an error after a question, so that the relay does not ask again at once.
  private static let asked = ["asked": Variant.boolean(true)]
  private static let withdrawn = BusError(
    .cancelled, "the program on the machine has disconnected while the user was asked")

  // MARK: Lifetime

  /// Ends a registration when its relay loses the name.
  private func watch(_ new: Active, ownedBy relay: BusName) async throws(BusError) {
    guard let name = BusName(new.registration.busName) else {
      throw BusError(.invalidRequest, "\(new.registration.busName) is not a bus name")
    }
    let owners = try await bus.owners(of: name)
    guard try await bus.owner(of: name) == relay else {
      throw BusError(.invalidRequest, "the relay must own the bus name \(name)")
    }
    new.relay = relay
    new.watch = BrokerActor.loop.start { [weak self, weak new] in
      for await owner in owners where owner != relay {
        if let new { self?.end(new) }
        return
      }
      // Otherwise the broker closes the connection and exits, and the next one continues the registration.
    }
  }

  private func end(_ former: Active) {
    let (scheme, machine) = (former.registration.scheme, former.registration.machine)
    guard active[scheme] === former else { return }
    active[scheme] = nil
    former.prompt?.cancel()
    former.watch?.cancel()
    guard former.hasEntry else { return }
    // Before the entry is removed, because the next broker learns by one of the two who had the scheme.
    self.former.add(former.registration)
    log.notice("\(scheme): links are not sent to the machine \(machine) any more")
    removeEntry(of: former)
  }

  // MARK: Entries

  private func removeEntry(of former: Active) {
    let entry = former.registration.entry
    BrokerActor.loop.start { [self] in
      if let error = await change({ registration throws(FreedesktopError) in
        try registration.edits(removing: entry)
      }) {
        log.warning("the entry \(entry.id) of a machine that is not connected any more remains: \(error)")
      }
    }
  }

  private func addEntry(of new: Active) async throws(BusError) {
    guard let program = UsherProgram(at: "usher").path else {
      throw BusError(.failed, "the program usher cannot be found beside the broker")
    }
    // Set before, because the entry may exist even if the call fails.
    new.hasEntry = true
    let entry = new.registration.entry
    let error = await change { registration throws(FreedesktopError) in
      try registration.edits(adding: entry, running: program)
    }
    if let error { throw BusError(.failed, "the desktop entry cannot be written: \(error)") }
    guard active[new.registration.scheme] === new else { throw Self.withdrawn }
  }

  private func registration() async -> Registration {
    let environment = await environment.current()
    return Registration(
      directories: BaseDirectories(environment: environment),
      programs: ProgramSearch(path: environment["PATH"]), files: fileReader)
  }

  /// Applies the edits that `plan` returns, again if another program has changed one of the files at the same time.
  ///
  /// - Returns: The error of the last attempt; `nil` if one was successful.
  private func change(
    _ plan: @escaping @Sendable (Registration) throws(FreedesktopError) -> FileEdits
  ) async -> FreedesktopError? {
    let registration = await registration()
    let directories = BaseDirectories(environment: await environment.current())
    return await files.run {
      var last: FreedesktopError?
      for _ in 0..<Self.attempts {
        do throws(FreedesktopError) {
          try RegistrationLock(directories: directories, timeout: .seconds(5)).held {
            () throws(FreedesktopError) in try plan(registration).apply()
          }
          return nil
        } catch {
          last = error
        }
        guard case .changedMeanwhile? = last else { break }
      }
      return last
    }
  }
}
