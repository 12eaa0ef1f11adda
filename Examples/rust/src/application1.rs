//! Serves org.usher.Application1 with the crate dbus. Copy this file unchanged.
use dbus::arg::{prop_cast, ArgType, PropMap, RefArg, Variant};
use dbus::channel::{default_reply, BusType, Channel};
use dbus::message::{Message, MessageType};
use dbus::strings::{ErrorName, Path};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

const BROKER: &str = "org.usher.Broker1";
const INTERFACE: &str = "org.usher.Application1";
const BUS: (&str, &str) = ("org.freedesktop.DBus", "/org/freedesktop/DBus");
/// The limits of the value of a reply, in bytes of a D-Bus message, and in arrays and dictionaries inside each other.
const MAXIMUM_SIZE: usize = 64 << 10;
const MAXIMUM_DEPTH: usize = 16;
/// The number of remembered answers.
const CAPACITY: usize = 1000;
/// The number of bytes above which the journal is replaced by a shorter one, and how many bytes of answers that one has.
const LONGEST: usize = 1 << 20;
const KEPT: usize = 512 << 10;

/// Why a request is not handled.
pub enum Failure {
    /// The application failed: a sentence for the user.
    Failed(String),
    /// The request is not for this application.
    NotHandled,
    /// The handler has stopped, because the caller has cancelled the request.
    Stopped,
}

/// The answer of a handler; the value for the caller is a dictionary, or `None`.
///
/// The dictionary is a property list: strings, integers, finite floats, Booleans, bytes, arrays, and dictionaries with strings as keys (other than
/// `$data`), nested at most 16 deep and at most 64 KiB as a D-Bus message. Any other value is an error of the handler, which the caller receives,
/// and which is printed.
pub type Answer = Result<Option<PropMap>, Failure>;

/// A request that is being handled.
pub struct Request<'a> {
    /// It is empty for the links with which the program was started.
    pub id: String,
    pub urls: Vec<String>,
    pub envelope: PropMap,
    /// True if the handler was called for this request before and the program crashed then, so that a part of the effect may exist. If the
    /// journal cannot be written, it is also true for a request that only waited when the program exited.
    pub is_redelivered: bool,
    server: &'a Server,
}

impl Request<'_> {
    /// Reports how far the handler is. Returns false after the caller has cancelled the request.
    pub fn progress(&self, completed: u64, total: u64, message: &str) -> bool {
        let mut entries = PropMap::new();
        entries.insert("completed".into(), Variant(Box::new(completed)));
        entries.insert("total".into(), Variant(Box::new(total)));
        entries.insert("message".into(), Variant(Box::new(message.to_string())));
        let signal = Message::new_signal(self.server.path.to_string(), INTERFACE, "Progress");
        if let (false, Ok(mut signal)) = (self.id.is_empty(), signal) {
            signal.set_destination(Some(BROKER.into()));
            let _ = self.server.channel.send(signal.append2(&self.id, entries));
        }
        // Calls that have arrived in the meantime are queued, and cancellations are noticed.
        self.server.read(Duration::ZERO);
        !self.server.is_cancelled.get()
    }
}

/// A request that waits or is being handled, with its calls.
struct Pending {
    id: String,
    envelope: PropMap,
    calls: Vec<Message>,
}

struct Server {
    channel: Channel,
    path: Path<'static>,
    broker: RefCell<String>,
    waiting: RefCell<VecDeque<Pending>>,
    /// The ID and the calls of the request that is being handled.
    current: RefCell<Option<(String, Vec<Message>)>>,
    is_cancelled: Cell<bool>,
    journal: RefCell<Journal>,
}

/// Serves the interface of the application with this ID, and acquires its bus name. The handler gets one request at a time, in order.
///
/// The links are the arguments of the program. Usher starts it without links, but GIO, and a user in a terminal, start it with them: the handler
/// gets them first, and a second process passes them to the running instance.
pub fn serve(id: &str, links: Vec<String>, handler: impl Fn(&Request) -> Answer) -> Result<(), String> {
    let channel = Channel::get_private(BusType::Session).map_err(|error| error.to_string())?;
    let path = Path::new(format!("/{}", id.replace('.', "/").replace('-', "_")))?;
    let call = |method, build: &dyn Fn(Message) -> Message| {
        let call = Message::new_method_call(BUS.0, BUS.1, BUS.0, method).map(build)?;
        channel.send_with_reply_and_block(call, Duration::from_secs(25)).map_err(|error| error.to_string())
    };
    let rule = format!("type='signal',sender='{}',member='NameOwnerChanged',arg0='{}'", BUS.0, BROKER);
    call("AddMatch", &|message| message.append1(&rule))?;
    // Without a broker there is no owner yet.
    let owner = call("GetNameOwner", &|message| message.append1(BROKER)).ok().and_then(|reply| reply.get1()).unwrap_or_default();
    let reply = call("RequestName", &|message| message.append2(id, 4u32))?;
    if reply.get1::<u32>() != Some(1) {
        return Err(hand_over(id, links));
    }
    let server = Server {
        channel,
        path,
        broker: RefCell::new(owner),
        waiting: Default::default(),
        current: Default::default(),
        is_cancelled: Cell::new(false),
        // Only the instance that owns the bus name opens the journal.
        journal: RefCell::new(Journal::open(id)),
    };
    if !links.is_empty() {
        let mut envelope = PropMap::new();
        envelope.insert("urls".into(), Variant(Box::new(links)));
        envelope.insert("delivery".into(), Variant(Box::new("launch".to_string())));
        server.handle(Pending { id: String::new(), envelope, calls: vec![] }, &handler);
    }
    while server.channel.is_connected() {
        let is_idle = server.waiting.borrow().is_empty();
        server.read(if is_idle { Duration::from_secs(3600) } else { Duration::ZERO });
        let next = server.waiting.borrow_mut().pop_front();
        if let Some(pending) = next {
            server.handle(pending, &handler);
        }
    }
    Err("the connection to the bus is closed".into())
}

/// Passes links to the running instance: this process becomes `usher open`, which exits when the instance has handled them. Returns an error.
fn hand_over(id: &str, links: Vec<String>) -> String {
    if links.is_empty() {
        return format!("{} is running already", id);
    }
    let error = Command::new("usher").args(["open", "--wait", "handled", "--app", id, "--"]).args(links).exec();
    format!("{} is running already, and usher, which passes links to it, cannot be started: {}", id, error)
}

impl Server {
    /// Takes all messages that have arrived, or that arrive within a time.
    fn read(&self, time: Duration) {
        // Messages may have arrived with an earlier reply; the next ones may then take any time.
        let mut time = Some(time);
        loop {
            while let Some(message) = self.channel.pop_message() {
                time = Some(Duration::ZERO);
                self.take(message);
            }
            match time.take() {
                Some(time) => drop(self.channel.read_write(Some(time))),
                None => break,
            }
        }
        self.channel.flush();
    }

    fn take(&self, message: Message) {
        let member = message.member().map(|member| member.to_string()).unwrap_or_default();
        let sender = message.sender().map(|sender| sender.to_string()).unwrap_or_default();
        if message.msg_type() == MessageType::Signal && sender == BUS.0 && member == "NameOwnerChanged" {
            if let (Some(BROKER), Some(_), Some(owner)) = message.get3::<&str, &str, String>() {
                *self.broker.borrow_mut() = owner;
            }
        }
        if message.msg_type() != MessageType::MethodCall {
            return;
        }
        let is_ours = message.path().as_ref() == Some(&self.path) && message.interface().map_or(false, |name| &*name == INTERFACE);
        match (is_ours, &*member) {
            (true, "Deliver" | "Cancel") if sender != *self.broker.borrow() => {
                self.fail(&message, "org.freedesktop.DBus.Error.AccessDenied", "only the broker may call this")
            }
            (true, "Deliver") => self.deliver(message),
            (true, "Cancel") => {
                self.cancel(message.get1().unwrap_or_default());
                let _ = self.channel.send(message.method_return());
            }
            _ => {
                if let Some(reply) = default_reply(&message) {
                    let _ = self.channel.send(reply);
                }
            }
        }
    }

    fn deliver(&self, call: Message) {
        let envelope = call.read1::<PropMap>().unwrap_or_default();
        let id = prop_cast::<String>(&envelope, "request-id").cloned().unwrap_or_default();
        if id.is_empty() || urls(&envelope).is_empty() && matches!(reason(&envelope), None | Some("url")) {
            return self.fail(&call, "org.usher.Error.InvalidRequest", "request-id or urls: the key is missing");
        }
        self.journal.borrow_mut().read();
        let state = self.journal.borrow().states.get(&id).cloned();
        match state {
            Some(State::Answered(answer)) => return self.answer(&[call], &answer),
            Some(State::Withdrawn) => return self.fail(&call, "org.usher.Error.Cancelled", "the request was cancelled"),
            _ => {}
        }
        // A request that waits or is handled is not handled again: all its calls get its answer.
        if let Some((current, calls)) = self.current.borrow_mut().as_mut() {
            if *current == id {
                return calls.push(call);
            }
        }
        if let Some(earlier) = self.waiting.borrow_mut().iter_mut().find(|earlier| earlier.id == id) {
            return earlier.calls.push(call);
        }
        if matches!(state, Some(State::Begun(2..))) {
            let sentence = "the application has crashed twice while it handled this request";
            return self.fail(&call, "org.usher.Error.TargetFailed", sentence);
        }
        let may_be_in_journal = ["redelivered", "repeated"].iter().any(|key| prop_cast::<bool>(&envelope, key) == Some(&true));
        if may_be_in_journal && !self.journal.borrow().is_read {
            let sentence = "the outcome is unknown: the file with the earlier answers cannot be read";
            return self.fail(&call, "org.usher.Error.TargetFailed", sentence);
        }
        self.waiting.borrow_mut().push_back(Pending { id, envelope, calls: vec![call] });
    }

    fn cancel(&self, id: String) {
        let mut waiting = self.waiting.borrow_mut();
        if let Some(index) = waiting.iter().position(|pending| pending.id == id) {
            // A repetition of the request gets this answer, too.
            self.journal.borrow_mut().end(&id, State::Withdrawn);
            // Before the reply to Cancel, from which the broker concludes that the request was not handled.
            for call in waiting.remove(index).into_iter().flat_map(|pending| pending.calls) {
                self.fail(&call, "org.usher.Error.Cancelled", "the request was cancelled");
            }
        } else if matches!(&*self.current.borrow(), Some((current, _)) if *current == id) {
            self.is_cancelled.set(true);
        }
    }

    fn handle(&self, pending: Pending, handler: &impl Fn(&Request) -> Answer) {
        let Pending { id, envelope, calls } = pending;
        *self.current.borrow_mut() = Some((id.clone(), calls));
        self.is_cancelled.set(false);
        let times = if id.is_empty() { 1 } else { self.journal.borrow_mut().begin(&id) };
        // activate (start, or bring to the front) is a request without a link. An application can support further reasons.
        let is_known = matches!(reason(&envelope), None | Some("url" | "activate"));
        // The broker knows only that the program had the request when it exited; the journal knows whether it had begun.
        let has_journal = self.journal.borrow().file.is_some();
        let is_redelivered = times > 1 || !has_journal && prop_cast::<bool>(&envelope, "redelivered") == Some(&true);
        let request = Request { id, urls: urls(&envelope), envelope, is_redelivered, server: self };
        let answer = if is_known { handler(&request).and_then(valid) } else { Err(Failure::NotHandled) };
        let calls = self.current.borrow_mut().take().map(|(_, calls)| calls).unwrap_or_default();
        if request.id.is_empty() {
            if let Err(Failure::Failed(text)) = answer {
                eprintln!("{}", text);
            }
            return;
        }
        let mut entries = PropMap::new();
        entries.insert("handled".into(), Variant(Box::new(answer.is_ok())));
        if times > 1 {
            entries.insert("redelivered".into(), Variant(Box::new(true)));
        }
        match answer {
            Ok(None) | Err(Failure::NotHandled) => {}
            Ok(Some(value)) => drop(entries.insert("value".into(), Variant(Box::new(value)))),
            Err(Failure::Failed(text)) => {
                let text = if text.is_empty() { "the application failed".into() } else { text.replace('\0', "\u{fffd}") };
                entries.insert("error".into(), Variant(Box::new(text)));
            }
            Err(Failure::Stopped) => {
                self.journal.borrow_mut().end(&request.id, State::Withdrawn);
                return calls.iter().for_each(|call| self.fail(call, "org.usher.Error.Cancelled", "the request was cancelled"));
            }
        }
        // The journal has the answer as a message, so that its types are preserved.
        let mut message = Message::new_signal("/", INTERFACE, "Answer").expect("valid names").append1(entries);
        message.set_serial(1);
        let mut bytes = vec![];
        let _ = message.marshal::<(), _>(|part| Ok(bytes.extend_from_slice(part)));
        self.journal.borrow_mut().end(&request.id, State::Answered(bytes.clone()));
        self.answer(&calls, &bytes);
    }

    fn answer(&self, calls: &[Message], answer: &[u8]) {
        for call in calls {
            let entries = Message::demarshal(answer).ok().and_then(|message| message.read1::<PropMap>().ok());
            let _ = self.channel.send(call.method_return().append1(entries.unwrap_or_default()));
        }
        self.channel.flush();
    }

    fn fail(&self, call: &Message, name: &str, text: &str) {
        let text = CString::new(text).unwrap_or_default();
        let _ = self.channel.send(call.error(&ErrorName::from(name.to_string()), &text));
        self.channel.flush();
    }
}

fn urls(envelope: &PropMap) -> Vec<String> {
    let urls = envelope.get("urls").and_then(|urls| urls.0.as_iter());
    urls.map(|urls| urls.filter_map(|url| url.as_str().map(String::from)).collect()).unwrap_or_default()
}

fn reason(envelope: &PropMap) -> Option<&str> {
    prop_cast::<String>(envelope, "reason").map(|reason| &**reason)
}

/// Returns a value for the caller, or the failure of a handler whose value cannot be sent.
fn valid(value: Option<PropMap>) -> Result<Option<PropMap>, Failure> {
    let size = value.as_ref().map_or(Ok(0), |value| end_of(value, 0, MAXIMUM_DEPTH));
    match size {
        Ok(size) if size <= MAXIMUM_SIZE => Ok(value),
        problem => {
            let problem = problem.err().unwrap_or_else(|| "it has more than 64 KiB".into());
            let sentence = format!("the answer of the application cannot be sent: {}", problem);
            // The caller receives it, too; only the developer of the handler can correct it.
            eprintln!("{}", sentence);
            Err(Failure::Failed(sentence))
        }
    }
}

fn align(position: usize, boundary: usize) -> usize {
    (position + boundary - 1) / boundary * boundary
}

/// Returns the position behind a value that begins as a variant at `start` in a D-Bus message. The broker passes it on with integers of 64 bits, and
/// with arrays and dictionaries of variants.
fn end_of(value: &dyn RefArg, start: usize, depth: usize) -> Result<usize, String> {
    let is_container = matches!(value.arg_type(), ArgType::Array | ArgType::Variant);
    if depth == 0 && is_container && value.signature().to_string() != "ay" {
        return Err("it is nested more than 16 deep".into());
    }
    let elements = || value.as_iter().into_iter().flatten();
    match value.arg_type() {
        // The signature of a variant has three bytes, or more.
        ArgType::String | ArgType::ObjectPath | ArgType::Signature => end_of_text(value, start + 3),
        ArgType::Boolean => Ok(align(start + 3, 4) + 4),
        ArgType::Double if !value.as_f64().unwrap_or(f64::NAN).is_finite() => Err("a number is not finite".into()),
        ArgType::UInt64 if value.as_u64().unwrap_or(u64::MAX) > i64::MAX as u64 => Err("an integer is greater than 2^63 - 1".into()),
        ArgType::Double | ArgType::Byte | ArgType::Int16 | ArgType::UInt16 | ArgType::Int32 | ArgType::UInt32 | ArgType::Int64 | ArgType::UInt64 => {
            Ok(align(start + 3, 8) + 8)
        }
        ArgType::Variant => elements().next().map_or(Err("a variant is empty".into()), |inner| end_of(inner, start, depth - 1)),
        ArgType::Array => match &*value.signature().to_string() {
            "ay" => Ok(align(start + 4, 4) + 4 + elements().count()),
            signature if signature.starts_with("a{s") => {
                let parts: Vec<_> = elements().collect();
                let mut pairs: Vec<_> = parts.chunks(2).collect();
                pairs.sort_by_key(|pair| pair[0].as_str().unwrap_or_default());
                pairs.iter().try_fold(align(align(start + 7, 4) + 4, 8), |end, pair| match pair[0].as_str() {
                    Some("$data") => Err("a dictionary has the key $data".into()),
                    _ => end_of(content(pair[1]), end_of_text(pair[0], align(end, 8))?, depth - 1),
                })
            }
            signature if signature.starts_with("a{") => Err("the keys of a dictionary are not strings".into()),
            _ => elements().try_fold(align(start + 4, 4) + 4, |end, element| end_of(content(element), end, depth - 1)),
        },
        _ => Err("it contains a value that is no string, number, Boolean, array or dictionary".into()),
    }
}

fn end_of_text(text: &dyn RefArg, start: usize) -> Result<usize, String> {
    match text.as_str() {
        Some(text) if !text.contains('\0') => Ok(align(start, 4) + 4 + text.len() + 1),
        _ => Err("a string contains U+0000".into()),
    }
}

/// Returns the value in an element of an array or a dictionary of variants.
fn content(element: &dyn RefArg) -> &dyn RefArg {
    match element.arg_type() {
        ArgType::Variant => element.as_iter().and_then(|mut inner| inner.next()).unwrap_or(element),
        _ => element,
    }
}

/// The state of an earlier request.
#[derive(Clone)]
enum State {
    /// It began this many times, and has no answer.
    Begun(u32),
    /// It has this answer, a message.
    Answered(Vec<u8>),
    Withdrawn,
}

/// The requests that the application began and answered, in a file, so that a crash does not repeat them. Without a file, they are remembered
/// only while the application runs.
struct Journal {
    states: HashMap<String, State>,
    /// The newest is the last.
    order: VecDeque<String>,
    path: String,
    file: Option<File>,
    size: usize,
    /// False as long as there is a file that cannot be read: it may have the answer of a repeated request.
    is_read: bool,
}

impl Journal {
    fn open(id: &str) -> Journal {
        let runtime = std::env::var("XDG_RUNTIME_DIR").unwrap_or_else(|_| "/nonexistent".into());
        let directory = match std::env::var("FLATPAK_ID") {
            Ok(flatpak) => format!("{}/app/{}", runtime, flatpak),
            Err(_) => format!("{}/usher", runtime),
        };
        let _ = fs::DirBuilder::new().recursive(true).mode(0o700).create(&directory);
        let path = format!("{}/{}.answers", directory, id);
        let mut journal = Journal { states: HashMap::new(), order: VecDeque::new(), path, file: None, size: 0, is_read: false };
        journal.read();
        journal
    }

    /// Reads and replaces the file, unless this was done before. A file that cannot be read is not replaced.
    fn read(&mut self) {
        if self.is_read {
            return;
        }
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            // The directory may be missing, too, or another file may be in its place (ENOTDIR).
            Err(error) if error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(20) => vec![],
            Err(_) => return,
        };
        self.is_read = true;
        // Answers that were given while the file could not be read are the newest ones.
        let newest: Vec<_> = std::mem::take(&mut self.order).into_iter().filter_map(|key| Some((self.states.remove(&key)?, key))).collect();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for line in text.lines() {
            // A line that a crash cut short is left out.
            if let Some((key, state)) = line.split_once(' ').and_then(|(key, text)| Some((key, State::parse(text)?))) {
                self.keep(key, state);
            }
        }
        for (state, key) in newest {
            self.keep(&key, state);
        }
        self.rewrite();
    }

    /// Remembers a state. A request that has no answer is never forgotten.
    fn keep(&mut self, key: &str, state: State) {
        if self.states.insert(key.into(), state).is_some() {
            if let Some(index) = self.order.iter().rposition(|earlier| earlier == key) {
                self.order.remove(index);
            }
        }
        self.order.push_back(key.into());
        if self.order.len() > CAPACITY {
            let oldest = self.order.iter().position(|key| !self.is_begun(key));
            if let Some(key) = oldest.and_then(|index| self.order.remove(index)) {
                self.states.remove(&key);
            }
        }
    }

    fn is_begun(&self, key: &str) -> bool {
        matches!(self.states.get(key), Some(State::Begun(_)))
    }

    fn line(&self, key: &str) -> String {
        self.states.get(key).map(|state| format!("{} {}\n", key, state.text())).unwrap_or_default()
    }

    /// Replaces the file by one with all requests that have no answer, and the newest answers. Whenever the application crashes, the file is
    /// complete.
    fn rewrite(&mut self) {
        if !self.is_read {
            return;
        }
        let (mut lines, mut size) = (vec![], 0);
        for key in self.order.iter().rev() {
            let line = self.line(key);
            size += line.len();
            if size <= KEPT || self.is_begun(key) {
                lines.push(line);
            }
        }
        lines.reverse();
        let (text, new) = (lines.concat(), format!("{}.new", self.path));
        let mut options = OpenOptions::new();
        let file = options.create(true).write(true).truncate(true).mode(0o600).open(&new).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, &self.path)?;
            Ok(file)
        });
        match file {
            Ok(file) => (self.file, self.size) = (Some(file), text.len()),
            // Until it is tried again, the old file has the requests.
            Err(_) => self.size = KEPT,
        }
    }

    /// Records that a request begins, and returns how often it has begun.
    fn begin(&mut self, key: &str) -> u32 {
        let times = if let Some(State::Begun(times)) = self.states.get(key) { times + 1 } else { 1 };
        self.end(key, State::Begun(times));
        times
    }

    fn end(&mut self, key: &str, state: State) {
        self.keep(key, state);
        let line = self.line(key);
        self.size += line.len();
        // After an error, the file may end with a part of the line.
        self.file = self.file.take().filter(|mut file| file.write_all(line.as_bytes()).is_ok());
        if self.file.is_none() || self.size > LONGEST {
            self.rewrite();
        }
    }
}

impl State {
    fn text(&self) -> String {
        match self {
            State::Begun(times) => format!("begun {}", times),
            State::Answered(bytes) => format!("answered {}.", bytes.iter().map(|byte| format!("{:02x}", byte)).collect::<String>()),
            State::Withdrawn => "withdrawn .".into(),
        }
    }

    fn parse(text: &str) -> Option<State> {
        match text.split_once(' ')? {
            ("begun", times) => Some(State::Begun(times.parse().ok()?)),
            ("withdrawn", _) => Some(State::Withdrawn),
            ("answered", text) => {
                let digits = text.strip_suffix('.')?;
                let bytes = (0..digits.len() / 2).map(|index| u8::from_str_radix(digits.get(2 * index..2 * index + 2)?, 16).ok());
                Some(State::Answered(bytes.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }
}
