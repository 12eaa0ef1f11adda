// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// Decisions about requests without a URL.
@Suite(.computes) struct `A request without a URL` {
  private let desktop: ThrowAwayDesktop

  init() throws {
    desktop = try ThrowAwayDesktop()
    try desktop.installScript("notes", "#!/bin/sh\n")
    let actions = ["Actions=edit;", "[Desktop Action edit]", "Name=Edit", "Exec=notes --edit"]
    try desktop.installDesktopEntry("org.example.Plain", exec: "notes %u", lines: actions)
    try desktop.installDesktopEntry(
      "org.example.Standard", exec: "notes %u", lines: ["DBusActivatable=true"] + actions)
    try desktop.installDesktopEntry(
      "org.example.Scenes", exec: "notes %u", lines: ["Implements=org.usher.Application1;"])
    try desktop.installDesktopEntry("org.example.Broken", exec: "missing %u")
  }

  private func broker() throws -> Broker {
    let programs = ProgramSearch(path: desktop.environment["PATH"])
    let resolver = ApplicationResolver(
      directories: BaseDirectories(environment: desktop.environment), programs: programs)
    return Broker(layers: [], resolver: resolver, programs: programs)
  }

  private func request(
    _ reason: String, for target: String?, action: String? = nil,
    from source: SourceApplication = .unknown
  ) -> OpenRequest {
    var request = OpenRequest(urls: [], source: source, target: target.flatMap { ApplicationID($0) })
    request.reason = reason
    request.desktopAction = action
    return request
  }

  private func refusal(_ decision: ActivationDecision) -> Refusal? {
    if case .refuse(let refusal) = decision.verdict { refusal } else { nil }
  }

  private func target(_ decision: ActivationDecision) throws -> TargetApplication {
    guard case .deliver(let target) = decision.verdict else {
      throw TestSupportError("\(decision.verdict)")
    }
    return target
  }

  @Test(arguments: ["activate", "user-activity", "remote-notification", "anything-else"])
  func `goes to its target as one group, with an explanation`(reason: String) throws {
    let request = request(reason, for: "org.example.Scenes")
    let groups = try broker().groups(of: request)
    #expect(groups.count == 1 && groups.first?.urls == [])
    #expect(groups.first?.application == "org.example.Scenes")
    let steps = try broker().decideWithoutURL(request).explanation.map(\.text)
    #expect(
      steps == ["“\(reason)” is for org.example.Scenes", "org.example.Scenes receives it: \(reason)"])
  }

  @Test func `reports what is missing`() throws {
    let broker = try broker()
    for (reason, target) in [("url", nil), ("url", "org.example.Scenes"), ("activate", nil)] {
      let request = request(reason, for: target)
      let diagnostic = try #require(request.diagnostic)
      #expect(refusal(broker.decideWithoutURL(request)) == .incomplete(diagnostic))
    }
    #expect(request("url", for: nil).diagnostic?.contains("or a target and a reason") == true)
    #expect(request("activate", for: nil).diagnostic?.contains("needs a target application") == true)
    #expect(request("activate", for: "org.example.Scenes").diagnostic == nil)
    #expect(OpenRequest(urls: [try URLString("note:1")]).diagnostic == nil)
  }

  @Test func `is rejected if its target is not installed, or lacks its program or the action`() throws {
    let broker = try broker()
    #expect(
      refusal(broker.decideWithoutURL(request("activate", for: "org.example.Absent")))
        == .noApplication("org.example.Absent", reason: "it is not installed"))
    guard
      case .noProgram? = refusal(broker.decideWithoutURL(request("activate", for: "org.example.Broken")))
    else { return #expect(Bool(false)) }
    let print = request("shortcut-item", for: "org.example.Plain", action: "print")
    guard case .noApplication(_, let reason)? = refusal(broker.decideWithoutURL(print)) else {
      return #expect(Bool(false))
    }
    #expect(reason.contains("print") && reason.contains("edit"))
    let edit = request("shortcut-item", for: "org.example.Plain", action: "edit")
    #expect(try target(broker.decideWithoutURL(edit)).desktopAction == "edit")
    // An application with envelopes may define further actions at run time.
    let dynamic = request("shortcut-item", for: "org.example.Scenes", action: "recent-7")
    #expect(try target(broker.decideWithoutURL(dynamic)).desktopAction == nil)
  }

  @Test func `has the same maximum number of hops as a link`() throws {
    var request = request("activate", for: "org.example.Scenes")
    request.hops = OpenRequest.maximumHops
    _ = try target(try broker().decideWithoutURL(request))
    request.hops += 1
    #expect(refusal(try broker().decideWithoutURL(request)) == .tooManyHops(hops: 9))
  }

  @Test
  func `from a sandboxed application is delivered only to that application, if its identity is verified`()
    throws
  {
    let broker = try broker()
    let (own, other) = ("org.example.Scenes", "org.example.Plain")
    let id = try #require(ApplicationID(own as String))
    let box = SourceApplication(id, .sandbox)
    _ = try target(broker.decideWithoutURL(request("activate", for: own, from: box)))
    for refused in [
      request("activate", for: other, from: box),
      request("shortcut-item", for: other, action: "edit", from: box),
      request("activate", for: own, from: .unseen),
      request("activate", for: own, from: SourceApplication(id, .claimed).sandboxed),
    ] {
      guard case .denied? = refusal(broker.decideWithoutURL(refused)) else {
        return #expect(Bool(false), "\(refused)")
      }
    }
    // A claim to be a part of itself does not change its identity.
    let part = try #require(ApplicationID("org.example.Scenes.Part" as String))
    var asked = request("activate", for: own, from: SourceApplication(part, .sandbox))
    asked.caller.sandbox = box
    _ = try target(broker.decideWithoutURL(asked))
    asked.target = part
    #expect(refusal(broker.decideWithoutURL(asked)) != nil)
  }

  @Test func `from a web page is rejected without a click`() throws {
    var request = request("activate", for: "org.example.Scenes")
    request.caller.origin = "https://shop.example"
    guard case .denied? = refusal(try broker().decideWithoutURL(request)) else {
      return #expect(Bool(false))
    }
    request.caller.isByClick = true
    _ = try target(try broker().decideWithoutURL(request))
  }

  @Test func `is sent to a running application with envelopes first`() throws {
    let scenes = try target(broker().decideWithoutURL(request("activate", for: "org.example.Scenes")))
    let purposes: [ActivationRequest] = [
      .activation, .action("edit"), .action("no such"), .message(reason: "user-activity"), .dueNotification,
    ]
    for purpose in purposes { #expect(scenes.approaches(isRunning: true, for: purpose).first == .signal) }
    for action in [nil, "edit", "no such"] {
      #expect(scenes.approaches(isRunning: true, performing: action).first == .signal)
    }
    #expect(scenes.approachesWithoutLaunch(isRunning: true).first == .signal)
  }

  @Test
  func `uses only delivery methods that can transfer it, and starts no application that cannot receive it`()
    throws
  {
    let broker = try broker()
    func ways(_ id: String, _ purpose: ActivationRequest, isRunning: Bool) throws -> [DeliveryStrategy] {
      try target(broker.decideWithoutURL(request("activate", for: id)))
        .approaches(isRunning: isRunning, for: purpose)
    }
    let (plain, standard, scenes) = ("org.example.Plain", "org.example.Standard", "org.example.Scenes")
    let message = ActivationRequest(reason: "user-activity", desktopAction: nil)
    #expect(try ways(scenes, message, isRunning: true) == [.signal])
    #expect(try ways(scenes, message, isRunning: false) == [.launchAndSignal])
    for other in [plain, standard] {
      // The application may accept envelopes although its entry does not say so.
      #expect(try ways(other, message, isRunning: true) == [.signal])
      #expect(try ways(other, message, isRunning: false) == [])
    }
    for application in [plain, standard, scenes] {
      #expect(try ways(application, .dueNotification, isRunning: true) == [.signal])
      #expect(try ways(application, .dueNotification, isRunning: false) == [])
    }
    for id in [plain, standard, scenes] {
      let application = try target(broker.decideWithoutURL(request("activate", for: id)))
      #expect(application.approachesWithoutLaunch(isRunning: true) == [.signal])
      #expect(application.approachesWithoutLaunch(isRunning: false) == [])
    }
    #expect(try ways(plain, .activation, isRunning: false) == [.execute])
    #expect(try ways(plain, .activation, isRunning: true) == [.signal, .execute])
    #expect(try ways(standard, .activation, isRunning: true) == [.signal, .execute])
    #expect(try ways(standard, .activation, isRunning: false) == [.activate, .execute])
    #expect(try ways(scenes, .activation, isRunning: false) == [.launchAndSignal])
    #expect(try ways(plain, .action("edit"), isRunning: true) == [.execute])
    #expect(try ways(standard, .action("edit"), isRunning: true) == [.signal, .execute])
    #expect(try ways(standard, .action("edit"), isRunning: false) == [.activate, .execute])
    #expect(try ways(scenes, .action("edit"), isRunning: false) == [.launchAndSignal])
    let refusal = try target(broker.decideWithoutURL(request("activate", for: plain))).refusal(of: message)
    #expect(refusal.contains("“user-activity”") && refusal.contains("Implements=org.usher.Application1;"))
  }

  @Test func `has the purpose of its reason and action`() {
    #expect(ActivationRequest(reason: "activate", desktopAction: nil) == .activation)
    #expect(ActivationRequest(reason: "shortcut-item", desktopAction: "new") == .action("new"))
    #expect(ActivationRequest(reason: "activate", desktopAction: "new") == .action("new"))
    #expect(
      ActivationRequest(reason: "shortcut-item", desktopAction: nil) == .message(reason: "shortcut-item"))
    #expect(ActivationRequest(reason: "location", desktopAction: "new") == .message(reason: "location"))
    let notification = "local-notification"
    #expect(
      ActivationRequest(reason: notification, desktopAction: nil, hasResponse: false) == .dueNotification)
    #expect(ActivationRequest(reason: notification, desktopAction: nil) == .message(reason: notification))
    #expect(
      ActivationRequest(reason: "remote-notification", desktopAction: nil, hasResponse: false)
        == .message(reason: "remote-notification"))
  }
}
