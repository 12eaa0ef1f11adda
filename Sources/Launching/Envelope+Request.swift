// SPDX-License-Identifier: Apache-2.0
public import BrokerCore
public import BusInterfaces
import Freedesktop

extension Envelope {
  /// Creates the envelope of one group of a request's URLs, without an application and a delivery method.
  ///
  /// A web page from another device of the user is an activity, if the target requests that. The envelope also has its URL, because
  /// an instance without envelopes receives the URL.
  ///
  /// - Parameters:
  ///   - requestID: The ID of the delivery for its target.
  ///   - callerRequestID: The ID of the request for its caller; `nil` if the request is only explained.
  ///   - group: The URLs that go to one target.
  ///   - request: The request, with its source.
  ///   - options: The options of the caller.
  public init(
    requestID: String, callerRequestID: String? = nil, _ group: RequestGroup, of request: OpenRequest,
    _ options: OpenOptions
  ) {
    self.init(requestID: requestID, urls: group.texts, others: options.others)
    self.callerRequestID = callerRequestID
    sourceApplication = request.caller.source.id?.rawValue
    assurance = BusInterfaces.Assurance(rawValue: request.caller.source.assurance.rawValue)
    via = request.caller.source.via?.rawValue
    isSandboxed = request.caller.source.mayBeSandboxed
    remote = request.caller.source.machine?.name
    userActivation = UserActivation(group, of: request)
    annotation = options.annotation
    origin = options.origin.map(WebOrigin.compared)
    activationToken = options.activationToken
    startupID = options.startupID
    reason = options.reason
    payload = options.payload
    hops = request.hops
    desktopAction = options.desktopAction
    openInPlace = options.openInPlace
    targetContentID = options.targetContentID
    if payload == nil, desktopAction == nil, let page = group.continuedWebPage(of: request) {
      reason = .userActivity
      payload = ["type": .string(TargetApplication.browsingWeb), "webpage-url": .string(page)]
    }
  }
}
