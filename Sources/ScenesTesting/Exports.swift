// SPDX-License-Identifier: Apache-2.0
// Tests can use `SceneResult` and `PropertyList` without a second import.
@_exported public import Scenes
