// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import RouteTables

/// An opener of URLs and files through the desktop's portal, for a sandbox that the broker cannot be reached from.
///
/// The portal decides by its own rules on the host, and then passes the link to the default application, which may be
/// Usher's handler. Its reply means that it has the link.
struct PortalOpener {
  let sandbox: Sandbox
  /// The reason why the broker was not used.
  let obstacle: String

  /// Opens the URLs of a request; one delivery for each.
  func open(_ request: OpenRequest, _ options: OpenOptions, id: String) -> Receipt {
    let deliveries: [Delivery]
    if request.target == nil, request.reason == OpenRequest.urlReason {
      deliveries = request.urls.map { open($0, options) }
    } else {
      deliveries = [
        Self.failed(
          .needsBus,
          "\(obstacle); in a \(sandbox.rawValue) sandbox, only the portal can open links, and it uses their default application"
        )
      ]
    }
    return Receipt(requestID: id, deliveries: deliveries)
  }

  private func open(_ url: URLString, _ options: OpenOptions) -> Delivery {
    guard url.scheme == "file" else {
      return call { bus throws(BusError) in
        _ = try bus.call(
          PortalInterface.openURI, at: PortalInterface.desktop, "", url.text, Self.portalOptions(options))
      }
    }
    return show(url, by: PortalInterface.openFile, options)
  }

  /// Opens a file, or its directory, by the method; the delivery says whether the portal has it.
  func show(
    _ url: URLString,
    by method: BusMethod<Arguments<String, UnixFD, [String: Variant]>, Arguments<ObjectPath>>,
    _ options: OpenOptions
  ) -> Delivery {
    guard let path = FileURL.path(of: url.text) else {
      return Self.failed(.noHandler, "\(url.redacted) names no file on this machine")
    }
    // Without O_NONBLOCK, a pipe would block until a program writes to it.
    let descriptor = Glibc.open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      return Self.failed(.noHandler, "\(String(decoding: path, as: UTF8.self)) cannot be opened: \(reason)")
    }
    let file = UnixFD(owning: descriptor)
    return call { bus throws(BusError) in
      _ = try bus.call(method, at: PortalInterface.desktop, "", file, Self.portalOptions(options))
    }
  }

  private func call(_ body: (BlockingBusConnection) throws(BusError) -> Void) -> Delivery {
    do throws(BusError) {
      try body(try .toService())
      return Delivery(application: nil, outcome: .accepted)
    } catch {
      let portal = "the portal, which opens links in a \(sandbox.rawValue) sandbox,"
      // The portal may pass on that error of its backend.
      if error.leavesOutcomeUnknown || error.isOfMissingReply {
        return Delivery(
          application: nil, outcome: .unknown, error: BrokerErrorName.timeout.errorName,
          message:
            "\(portal) did not reply (\(error.message)); it is unknown whether the link was opened; check before you try again"
        )
      }
      return Self.failed(
        error.provesAbsence ? .needsBus : error.name == .accessDenied ? .denied : .launchFailed,
        "\(portal) did not open the link: \(error.message)")
    }
  }

  private static func portalOptions(_ options: OpenOptions) -> [String: Variant] {
    var entries: [String: Variant] = [:]
    entries["activation_token"] = options.activationToken.map { .string($0) }
    return entries
  }

  private static func failed(_ error: BrokerErrorName, _ message: String) -> Delivery {
    Delivery(application: nil, outcome: .failed, error: error.errorName, message: message)
  }
}
