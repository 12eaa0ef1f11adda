// SPDX-License-Identifier: Apache-2.0
public import Scenes

extension SceneError: LocalizedError {
  /// The message for the user, which `localizedDescription` returns.
  public var errorDescription: String? { description }
}
