// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes

// The code of docs/callbacks.md, with which a test compares it.

func runNotes(create: @escaping @Sendable (String) async throws -> Int64) async throws {
  var application = SceneApplication("org.example.Notes")
  application.answersCallbacks = true
  try await application.run { request in
    guard let asked = request.callback else { return .notHandled }
    let number = try await create(asked.url["text"] ?? "")
    return .handled(["id": .integer(number)])
  }
}

func askBear(_ application: Application) async throws -> SceneResult {
  let answer = try await application.open(
    "bear://x-callback-url/create?text=milk", callbackURLScheme: "notes")
  switch answer {
  case .success(let values): return .handled(.string(values.first { $0.name == "id" }?.value ?? ""))
  case .error(_, let message): throw NotCreated(message: message)
  case .cancel: return .notHandled
  }
}

struct NotCreated: Error { let message: String? }
