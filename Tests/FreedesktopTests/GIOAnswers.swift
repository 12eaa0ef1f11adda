// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The answers of libgio in many environments, through the calls that `gio mime` makes.
///
/// GIO reads the XDG directories once in a process, so that every environment needs its own process. They are forked from
/// one that has already loaded libgio, which takes a tenth of the time of starting `gio` for each type in each
/// environment.
enum GIOAnswers {
  /// An environment, with the types to query in it.
  struct Question: Encodable, Sendable {
    let environment: [String: String]
    let types: [String]
  }

  /// The output of `gio mime TYPE`.
  struct Answer: Decodable, Equatable, Sendable {
    let `default`: String?
    let registered: [String]

    /// Compares the names by their bytes.
    static func == (left: Self, right: Self) -> Bool {
      left.default.map { Array($0.utf8) } == right.default.map { Array($0.utf8) }
        && left.registered.map { Array($0.utf8) } == right.registered.map { Array($0.utf8) }
    }
  }

  /// Returns the answers by type, in the order of the questions.
  static func ask(_ questions: [Question]) throws -> [[String: Answer]] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let lines = try questions.map { try String(decoding: encoder.encode($0), as: UTF8.self) }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("usher-\(UUID().uuidString)")
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    // Without settings, modules, a bus and files of the machine.
    let environment = ["PATH": "/usr/bin:/bin", "GIO_USE_VFS": "local", "GIO_MODULE_DIR": "/nonexistent"]
    let answers = try Command.runSynchronously(
      "/usr/bin/python3", ["-I", "-c", script, file.path], environment: environment, directory: "/")
    return try JSONDecoder().decode([[String: Answer]].self, from: Data(answers.outputBytes))
  }

  /// Returns the output of the real `gio mime` as an answer.
  static func printed(of type: String, in environment: [String: String]) throws -> Answer {
    let output = try Command.runSynchronously("/usr/bin/gio", ["mime", type], environment: environment).output
    let lines = output.split(separator: "\n").map(String.init)
    let chosen = lines.first { $0.hasPrefix("Default application for") }
    let start = lines.firstIndex(of: "Registered applications:") ?? lines.endIndex
    return Answer(
      default: chosen?.components(separatedBy: "”: ").last,
      registered: lines[start...].dropFirst().prefix { $0.hasPrefix("\t") }.map { String($0.dropFirst()) })
  }

  private static let script = """
    import ctypes, json, os, sys

    gio = ctypes.CDLL("libgio-2.0.so.0")
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in [
        ("g_app_info_get_default_for_type", pointer, [text, ctypes.c_int]),
        ("g_app_info_get_all_for_type", pointer, [text]), ("g_app_info_get_id", text, [pointer])]:
        getattr(gio, name).restype, getattr(gio, name).argtypes = result, arguments

    class List(ctypes.Structure):
        _fields_ = [("data", pointer), ("next", pointer), ("prev", pointer)]

    def name(info):
        return gio.g_app_info_get_id(info).decode()

    def answer(type):
        info = gio.g_app_info_get_default_for_type(type, 0)
        registered, item = [], gio.g_app_info_get_all_for_type(type)
        while item:
            item = List.from_address(item)
            registered.append(name(item.data))
            item = item.next
        return {"default": name(info) if info else None, "registered": registered}

    def start(line):
        reading, writing = os.pipe()
        if os.fork() == 0:
            question = json.loads(line)
            os.environ.update(question["environment"])
            answers = {type: answer(type.encode()) for type in question["types"]}
            os.write(writing, json.dumps(answers).encode())
            os._exit(0)
        os.close(writing)
        return reading

    # The end of each takes its time in the kernel, so several are under way.
    waiting, answers = [], []
    for line in list(open(sys.argv[1])) + [None] * 16:
        waiting.append(line and start(line))
        if len(waiting) > 16:
            if (reading := waiting.pop(0)) is not None:
                answers.append(json.loads(open(reading, "rb").read()))
                os.wait()
    print(json.dumps(answers))
    """
}
