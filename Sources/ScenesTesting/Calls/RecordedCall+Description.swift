// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes

/// Descriptions in the syntax of a test, so that a failed comparison shows the difference.
extension RecordedCall: CustomStringConvertible {
  /// The call in Swift syntax, such as `.sceneOpenURLContexts(1, "notes://note/7")`.
  public var description: String {
    switch self {
    case .applicationWillEnterForeground: ".applicationWillEnterForeground"
    case .applicationDidBecomeActive: ".applicationDidBecomeActive"
    case .applicationWillResignActive: ".applicationWillResignActive"
    case .applicationDidEnterBackground: ".applicationDidEnterBackground"
    case .applicationWillTerminate: ".applicationWillTerminate"
    default:
      // The other cases have associated values; the mirror of such a case provides its name.
      Mirror(reflecting: self).children.first.map { ".\($0.label ?? "")(\(Self.reported($0.value)))" } ?? ""
    }
  }

  private static func reported(_ value: Any) -> String {
    switch value {
    case let content as CallContent: content.description
    case let content as CallContent?: content?.description ?? "nil"
    case let (text, outcome) as (String, FinishedDownload.Outcome): "\"\(text)\", .\(outcome)"
    case let text as String: "\"\(text)\""
    case let (scene, content) as (Int, CallContent?): "\(scene), \(content?.description ?? "nil")"
    case let (scene, content) as (Int, CallContent): "\(scene), \(content)"
    case let (scene, text) as (Int, String): "\(scene), \"\(text)\""
    default: "\(value)"
    }
  }
}

extension CallContent: CustomStringConvertible {
  /// The content in Swift syntax, such as `.url("notes://note/7", from: "org.example.Mail")`; property lists as JSON.
  public var description: String {
    switch self {
    case .urls(let urls, nil, nil) where urls.count == 1: "\"\(urls[0])\""
    case .urls(let urls, let source, let annotation):
      (urls.count == 1 ? ".url(\"\(urls[0])\"" : ".urls(\(urls)")
        + (source.map { ", from: \"\($0)\"" } ?? "")
        + (annotation.map { ", annotation: \($0.json)" } ?? "") + ")"
    case .shortcutItem(let type): ".shortcutItem(\"\(type)\")"
    case .userActivity(let type): ".userActivity(\"\(type)\")"
    case .handoff(let type): ".handoff(\"\(type)\")"
    case .notification(let payload, let action):
      ".notification(\(payload.json)" + (action.map { ", action: \"\($0)\"" } ?? "") + ")"
    case .cloudKitShare(let metadata): ".cloudKitShare(\(metadata.json))"
    case .other(let reason, let payload): ".other(\(reason)" + (payload.map { ", \($0.json)" } ?? "") + ")"
    }
  }
}
