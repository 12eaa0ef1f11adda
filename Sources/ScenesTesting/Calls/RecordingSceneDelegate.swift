// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes

/// A scene delegate that records each call and forwards it to the scene delegate under test.
struct RecordingSceneDelegate: SceneDelegate {
  let delegate: any SceneDelegate
  let recorder: CallRecorder

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) async throws -> SceneResult {
    recorder.add(.sceneWillConnect(recorder.number(session), CallContent(options)))
    return try await delegate.scene(scene, willConnectTo: session, options: options)
  }

  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
    recorder.add(.sceneOpenURLContexts(recorder.number(scene.session), CallContent(contexts)))
    return try await delegate.scene(scene, openURLContexts: contexts)
  }

  func scene(_ scene: Scene, willContinueUserActivityWithType type: String) async {
    recorder.add(.sceneWillContinueUserActivity(recorder.number(scene.session), type))
    await delegate.scene(scene, willContinueUserActivityWithType: type)
  }

  func scene(_ scene: Scene, continue activity: UserActivity) async throws -> SceneResult {
    recorder.add(.sceneContinueUserActivity(recorder.number(scene.session), activity.activityType))
    return try await delegate.scene(scene, continue: activity)
  }

  func scene(
    _ scene: Scene, didFailToContinueUserActivityWithType type: String, error: any Error
  ) async {
    recorder.add(.sceneDidFailToContinueUserActivity(recorder.number(scene.session), type))
    await delegate.scene(scene, didFailToContinueUserActivityWithType: type, error: error)
  }

  func scene(_ scene: Scene, performActionFor item: ShortcutItem) async throws -> SceneResult {
    recorder.add(.scenePerformAction(recorder.number(scene.session), item.type))
    return try await delegate.scene(scene, performActionFor: item)
  }

  func scene(_ scene: Scene, didReceive response: NotificationResponse) async throws -> SceneResult {
    recorder.add(.sceneDidReceiveNotificationResponse(recorder.number(scene.session), CallContent(response)))
    return try await delegate.scene(scene, didReceive: response)
  }

  func scene(
    _ scene: Scene, userDidAcceptCloudKitShareWith metadata: PropertyList
  ) async throws -> SceneResult {
    recorder.add(.sceneUserDidAcceptCloudKitShare(recorder.number(scene.session), .cloudKitShare(metadata)))
    return try await delegate.scene(scene, userDidAcceptCloudKitShareWith: metadata)
  }

  func sceneWillEnterForeground(_ scene: Scene) async {
    recorder.add(.sceneWillEnterForeground(recorder.number(scene.session)))
    await delegate.sceneWillEnterForeground(scene)
  }

  func sceneDidBecomeActive(_ scene: Scene) async {
    recorder.add(.sceneDidBecomeActive(recorder.number(scene.session)))
    await delegate.sceneDidBecomeActive(scene)
  }

  func sceneWillResignActive(_ scene: Scene) async {
    recorder.add(.sceneWillResignActive(recorder.number(scene.session)))
    await delegate.sceneWillResignActive(scene)
  }

  func sceneDidEnterBackground(_ scene: Scene) async {
    recorder.add(.sceneDidEnterBackground(recorder.number(scene.session)))
    await delegate.sceneDidEnterBackground(scene)
  }

  func sceneDidDisconnect(_ scene: Scene) async {
    recorder.add(.sceneDidDisconnect(recorder.number(scene.session)))
    await delegate.sceneDidDisconnect(scene)
  }

  func stateRestorationActivity(for scene: Scene) async -> UserActivity? {
    await delegate.stateRestorationActivity(for: scene)
  }
}
