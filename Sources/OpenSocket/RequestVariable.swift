/// The variables of a program that was started for a request.
public enum RequestVariable {
  /// Names the file that the envelope is in.
  public static let envelope = "USHER_ENVELOPE"
  /// Says how many rounds the request has gone: there also where no file can be, or the file has been removed.
  public static let hops = "USHER_HOPS"

  /// All of them.
  public static let all = [envelope, hops]
}
