// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
import Freedesktop

extension EnvelopeFile {
  /// Returns the hop count of the request for which a program with this environment was started; `nil` if it was not started for one.
  public static func hops(in environment: [String: String]) -> UInt32? {
    let reported = [envelope(in: environment)?.hops, environment[hopsVariable].flatMap { UInt32($0) }]
    return reported.compactMap(\.self).max()
  }

  /// Returns the envelope with which a program with this environment was started.
  ///
  /// `nil` if it was not started for a request, or if the request is finished. An inherited variable counts too,
  /// because a program that the target starts continues the same request.
  public static func envelope(in environment: [String: String]) -> Envelope? {
    guard let path = environment[variable], case .bytes(let bytes) = LocalFiles().read(path) else {
      return nil
    }
    return try? Envelope(json: String(decoding: bytes, as: UTF8.self))
  }
}
