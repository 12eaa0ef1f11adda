public import BusInterfaces
import Freedesktop

extension EnvelopeFile {
  /// How many rounds the request has gone that a program of this environment was started for; `nil` when it was not
  /// started for one.
  public static func hops(in environment: [String: String]) -> UInt32? {
    let reported = [envelope(in: environment)?.hops, environment[hopsVariable].flatMap { UInt32($0) }]
    return reported.compactMap(\.self).max()
  }

  /// The envelope that a program of this environment was started with; `nil` when it was not started for a
  /// request, or the request is over.
  ///
  /// A variable that is inherited is taken as well: a program that is started by the one that got the link goes on
  /// with the same request.
  public static func envelope(in environment: [String: String]) -> Envelope? {
    guard let path = environment[variable], case .bytes(let bytes) = LocalFiles().read(path) else {
      return nil
    }
    return try? Envelope(json: String(decoding: bytes, as: UTF8.self))
  }
}
