// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Triggers

extension TriggersFrontend {
  /// The methods about downloads, and their signal.
  var downloadMembers: [BusMember] {
    typealias Interface = TriggersInterface
    return [
      method(Interface.addDownload) { access, request async throws(BusError) in
        try await addDownload(request, of: access)
      },
      list(Interface.downloads) { visibility in downloads.list(for: visibility) },
      method(Interface.cancelDownloads) { access, identifiers async throws(BusError) in
        try await downloads.cancel(
          identifiers, of: access.application.rawValue, byUser: access.isOfUser)
      },
      method(Interface.pauseDownloads) { access, identifiers async throws(BusError) in
        try await downloads.setPaused(true, identifiers, of: access.application.rawValue)
      },
      method(Interface.resumeDownloads) { access, identifiers async throws(BusError) in
        try await downloads.setPaused(false, identifiers, of: access.application.rawValue)
      },
      .signal(Interface.downloadProgress),
    ]
  }

  private func addDownload(
    _ entries: [String: Variant], of access: CallerAccess.Access
  ) async throws(BusError) -> [String: Variant] {
    let request = try decoded(DownloadRequest(entries))
    // The daemon has the network and the files of the user, of which a sandbox may have neither.
    guard !access.mayBeSandboxed else {
      throw BusError(
        .accessDenied,
        "“\(access.application.rawValue)” may be sandboxed, and a sandboxed program cannot add downloads; the user can: usher download \(ShellWord.quoted(access.application.rawValue)) URL"
      )
    }
    try await requireInstalled(access.application)
    do throws(BusError) {
      return try await downloads.add(
        request, of: access.application.rawValue, isOfUser: access.isOfUser)
    } catch {
      throw entries[TriggersInterface.errorDetails] == true ? error : error.withoutDetails
    }
  }
}
