// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Scenes

/// Tests of the choice of a scene: a preferring one, otherwise an accepting one, otherwise a new one.
@Suite struct SceneSelectionTests {
  private func candidate(
    _ identifier: String, connected: Bool = true, activated: Int64 = 0,
    can: ActivationPredicate = .any, prefers: ActivationPredicate = .none
  ) -> SceneSelection.Candidate {
    SceneSelection.Candidate(
      identifier: identifier, isConnected: connected, activated: activated,
      conditions: SceneActivationConditions(canActivate: can, prefersToActivate: prefers))
  }

  @Test func `Rule 8: a scene that prefers the content precedes a scene that was active later`() {
    let choice = SceneSelection(
      for: "notes://note/7",
      among: [
        candidate("last", activated: 9), candidate("prefers", prefers: .beginsWith("notes://note/7")),
      ])
    #expect(choice.sessions == ["prefers", "last"])
    #expect(
      choice.steps == [
        "scene last (connected): accepts any content",
        "scene prefers (connected): prefers “notes://note/7…”",
        "scene prefers receives it: a scene that prefers it",
      ])
  }

  @Test func `Of those that can, the connected ones go first, and the one that was active last`() {
    let choice = SceneSelection(
      for: "x",
      among: [
        candidate("gone", connected: false, activated: 9), candidate("old", activated: 1),
        candidate("new", activated: 2),
      ])
    #expect(choice.sessions == ["new", "old", "gone"])
  }

  @Test func `Scenes with any order of activation can be compared`() {
    let choice = SceneSelection(
      for: nil, among: [candidate("first", activated: .min), candidate("last", activated: .max)])
    #expect(choice.sessions == ["last", "first"])
  }

  @Test func `A disconnected scene that prefers it precedes a connected one that can open it`() {
    let choice = SceneSelection(
      for: "x", among: [candidate("here"), candidate("gone", connected: false, prefers: .equals("x"))])
    #expect(choice.sessions == ["gone", "here"])
  }

  @Test func `A new scene receives a request that no scene handles`() {
    let choice = SceneSelection(
      for: "notes://note/8", among: [candidate("7", can: .equals("notes://note/7"))])
    #expect(choice.sessions.isEmpty)
    #expect(
      choice.steps == [
        "scene 7 (connected): accepts only “notes://note/7”", "a new scene receives it: no scene accepts it",
      ])
    #expect(SceneSelection(for: "x", among: []).sessions.isEmpty)
  }

  @Test
  func `A request without content goes to the last active scene, whatever its conditions`() {
    let choice = SceneSelection(
      for: nil, among: [candidate("old"), candidate("last", activated: 3, can: .none)])
    #expect(choice.sessions == ["last", "old"])
  }

  @Test(arguments: [
    (ActivationPredicate.any, true), (.none, false), (.equals("notes://note/7"), true),
    (.equals("notes"), false),
    (.beginsWith("notes://"), true), (.endsWith("/7"), true), (.contains("note/"), true),
    (.like("notes://*/?"), true), (.like("notes://*/??"), false), (.like("*"), true), (.like("*7*"), true),
    (.like("n*n*e*7"), true), (.like("n*x*"), false),
    (.and([.beginsWith("notes:"), .endsWith("7")]), true), (.and([.beginsWith("notes:"), .none]), false),
    (.or([.none, .endsWith("7")]), true), (.or([]), false), (.not(.endsWith("7")), false),
  ])
  func `A condition is data that is stored and read again`(predicate: ActivationPredicate, holds: Bool) {
    #expect(predicate.evaluate(with: "notes://note/7") == holds)
    #expect(ActivationPredicate(predicate.propertyList) == predicate)
    #expect(!predicate.description.isEmpty)
  }

  @Test func `An invalid condition is ignored`() {
    for stored: PropertyList in ["x", 7, [], [:], ["between": "x"], ["not": 7]] {
      #expect(ActivationPredicate(stored) == nil)
    }
  }

  @Test func `A pattern of many stars ends soon`() {
    let pattern = ActivationPredicate.like(String(repeating: "*a", count: 60) + "b")
    #expect(!pattern.evaluate(with: String(repeating: "a", count: 4_000)))
  }

  @Test(
    arguments: [
      (
        ActivationState.unattached, ActivationState.foregroundActive,
        [.willEnterForeground, .didBecomeActive]
      ),
      (.foregroundActive, .background, [.willResignActive, .didEnterBackground]),
      (.background, .foregroundInactive, [.willEnterForeground]),
      (.foregroundInactive, .foregroundActive, [.didBecomeActive]),
      (.foregroundActive, .foregroundActive, []), (.background, .unattached, [.didDisconnect]),
      (.foregroundActive, .unattached, [.willResignActive, .didEnterBackground, .didDisconnect]),
      (.unattached, .background, []), (.foregroundActive, .foregroundInactive, [.willResignActive]),
    ] as [(ActivationState, ActivationState, [ActivationState.Transition])])
  func `Between two states lie UIKit's calls`(
    from: ActivationState, to: ActivationState, calls: [ActivationState.Transition]
  ) {
    var activation = Activation(from)
    _ = activation.move(to: to)
    var made: [ActivationState.Transition] = []
    while let call = activation.next() { made.append(call) }
    #expect(made == calls && activation.state == to)
  }
}
