/// The identity of a request: its caller, and the ID that the caller gave it.
struct RequestKey: Hashable, Sendable {
  let caller: String
  let id: String
}
