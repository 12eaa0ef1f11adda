// SPDX-License-Identifier: Apache-2.0
/// The keys of options, envelopes, replies, deliveries and receipts.
///
/// Each has one meaning in all of them, except `request-id`: in options and receipts it is the caller's ID, in envelopes and
/// replies the ID of the delivery.
enum MessageKey: String, CaseIterable {
  case activationToken = "activation-token"
  case reattach
  case annotation
  case answer
  case application
  case asked
  case asking
  case assurance
  case callerRequestID = "caller-request-id"
  case choices
  case completed
  case deliveries
  case delivery
  case desktopAction = "desktop-action"
  case error
  case fallback
  case firstAttempt = "first-attempt"
  case handled
  case hops
  case launch
  case message
  case openInPlace = "open-in-place"
  case origin
  case outcome
  case payload
  case plainErrors = "plain-errors"
  case prompt
  case question
  case reason
  case redelivered
  case remote
  case repeated
  case requestID = "request-id"
  case sandboxed
  case session
  case signInWaits = "sign-in-waits"
  case sourceApplication = "source-application"
  case startupID = "startup-id"
  case target
  case targetContentID = "target-content-id"
  case timeout
  case total
  case universalLinksOnly = "universal-links-only"
  case titles
  case urls
  case userActivation = "user-activation"
  case value
  case via
  case wait
}
