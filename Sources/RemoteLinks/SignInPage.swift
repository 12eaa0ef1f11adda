// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces

/// The pages with which a relay answers a browser.
///
/// They contain nothing that the browser or the machine has sent, except the host of another issuer that the answer names.
enum SignInPage {
  /// Returns the response to a request that is not the answer of the sign-in.
  static func response(to mismatch: ExpectedRedirect.Mismatch) -> [UInt8] {
    let status =
      switch mismatch {
      case .malformed: "Bad Request"
      case .state: "Forbidden"
      case .path: "Not Found"
      case .method: "Method Not Allowed"
      case .late: "Gone"
      case .host: "Misdirected Request"
      case .tooLong: "Request Header Fields Too Large"
      }
    return response(
      "\(mismatch.rawValue) \(status)", more: mismatch == .method ? "Allow: GET\r\n" : "",
      title: "Not the answer of the sign-in",
      text:
        "Usher waits here for the answer of a sign-in, and this request is another one. It was not passed on."
    )
  }

  /// Returns the response that ends a sign-in at a site for a program of a machine.
  ///
  /// - Parameter issuer: The host of the issuer that the answer names, if it is not that of the site.
  static func response(
    to outcome: SignInState.Outcome, at site: String, from issuer: String?, for machine: RemoteMachine
  ) -> [UInt8] {
    let (location, machine, site) = (
      machine.location.escapedAsMarkup, machine.shortTitle.escapedAsMarkup, site.escapedAsMarkup
    )
    // A program that reports an error, or does not respond, may have the answer, too.
    let warning =
      issuer.map(\.escapedAsMarkup).map {
        "</p><p>The answer names \($0) as its issuer. Unless you know that as a login of \(site), "
          + "withdraw the program’s access to your account at \($0)."
      } ?? ""
    switch outcome {
    case .carried(let status) where status < 400:
      return response(
        "200 OK", title: "Passed to \(machine)",
        text:
          "The program \(location) has the answer to the sign-in that began at \(site). You can close this tab."
          + warning)
    case .carried(let status):
      return response(
        "502 Bad Gateway", title: "The program \(location) reports an error",
        text: "It answered with the status \(status). Look there for the reason, and start the sign-in again."
          + warning)
    // Shown only while the answer is carried: whatever ends the sign-in, the program has not answered until then.
    case .notCarried, .timedOut, .tooManyRequests, .cancelled, .replaced, .stopped:
      return response(
        "502 Bad Gateway", title: "No confirmation from \(machine)",
        text: "The program \(location) has not answered, or the connection to \(machine) was lost. "
          + "It may have the answer of the sign-in. If it does not report success, start the sign-in there again."
          + warning)
    }
  }

  private static func response(
    _ status: String, more fields: String = "", title: String, text: String
  ) -> [UInt8] {
    let page = """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>\(title)</title><link rel="icon" href="data:,">
      <style>body { font: 1.1em sans-serif; margin: 15vh auto; max-width: 32em; padding: 0 1em; color-scheme: light dark }</style>
      <h1>\(title)</h1><p>\(text)</p></html>

      """
    let head = """
      HTTP/1.1 \(status)\r
      Content-Type: text/html; charset=utf-8\r
      Content-Length: \(page.utf8.count)\r
      Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
      frame-ancestors 'none'\r
      Cache-Control: no-store\r
      Referrer-Policy: no-referrer\r
      X-Content-Type-Options: nosniff\r
      \(fields)Connection: close\r
      \r

      """
    return Array((head + page).utf8)
  }
}
