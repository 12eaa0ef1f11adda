// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes
import ScenesTesting
import Testing

/// Tests of the scene that continues an activity from another device.
@Suite struct HandoffTests {
  private actor Delegate: ApplicationDelegate {}
  private actor Window: SceneDelegate {
    func scene(_ scene: Scene, continue activity: UserActivity) {}
  }

  @Test func `An announced activity is continued in the scene to which it was announced`() async throws {
    let app = TestApplication(delegate: Delegate(), scenes: SceneConfiguration { Window() })
    try await app.launch()
    try await app.openScene()
    try #require(app.scene(1)).activationConditions = SceneActivationConditions(
      prefersToActivate: .beginsWith("draft"))
    _ = app.takeCalls()
    // The scene that was active last.
    try await app.deliver(.handoff("edit"))
    var activity = UserActivity(activityType: "edit")
    activity.targetContentIdentifier = "draft/1"
    try await app.deliver(.userActivity(activity))
    try await app.deliver(.userActivity(activity))
    #expect(
      app.calls.filter { $0.content == nil } == [
        .sceneWillContinueUserActivity(2, "edit"), .sceneContinueUserActivity(2, "edit"),
        .sceneWillContinueUserActivity(1, "edit"), .sceneContinueUserActivity(1, "edit"),
      ])
  }
}
