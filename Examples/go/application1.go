// This file serves org.usher.Application1 with godbus. Copy it unchanged.
package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/godbus/dbus"
)

const broker, application1 = "org.usher.Broker1", "org.usher.Application1"

// ErrNotHandled is the error of a handler for which the request is not meant.
var ErrNotHandled = errors.New("the request is not for this application")

// Request is a request that is handled.
type Request struct {
	ID       string // Empty for the links with which the program was started.
	URLs     []string
	Envelope map[string]dbus.Variant
	// True if the handler was called for this request before and the program crashed then, so that a part of the effect may exist. If the
	// journal cannot be written, it is also true for a request that only waited when the program exited.
	IsRedelivered bool
	server        *Server
	calls         []*dbus.Message
	cancel        context.CancelFunc
}

// Progress reports how far the handler is; it may be called from any goroutine.
func (request *Request) Progress(completed, total uint64, message string) {
	if request.ID == "" {
		return
	}
	request.server.send(&dbus.Message{Type: dbus.TypeSignal, Headers: map[dbus.HeaderField]dbus.Variant{
		dbus.FieldDestination: dbus.MakeVariant(broker), dbus.FieldPath: dbus.MakeVariant(request.server.path),
		dbus.FieldInterface: dbus.MakeVariant(application1), dbus.FieldMember: dbus.MakeVariant("Progress"),
	}}, request.ID, map[string]dbus.Variant{
		"completed": dbus.MakeVariant(completed), "total": dbus.MakeVariant(total), "message": dbus.MakeVariant(message),
	})
}

// Handler handles one request at a time, in order. The value for the caller is nil or a property list: a bool, a string, an integer up to
// 2^63 - 1, a finite float, []byte, and slices and maps of these values, with strings as keys (other than $data), nested at most 16 deep and
// at most 64 KiB as a D-Bus message. A dbus.Variant stands for its value. Any other value is an error of the handler, which the caller
// receives, and which is printed. The context is done after the caller has cancelled the request; the handler then returns context.Canceled.
type Handler func(context.Context, *Request) (interface{}, error)

// Server is the queue of the requests to one application.
type Server struct {
	conn     *dbus.Conn
	path     dbus.ObjectPath
	handler  Handler
	messages chan message
	finished chan *dbus.Message
	current  *Request
	waiting  []*Request
	journal  *journal
}

// message is a call of the interface, and whether its sender is the broker.
type message struct {
	*dbus.Message
	isFromBroker bool
}

// Serve serves the interface of the application with this ID, and acquires its bus name. It returns only errors.
//
// The links are the arguments of the program. Usher starts it without links, but GIO, and a user in a terminal, start it with them: the
// handler gets them first, and a second process passes them to the running instance.
func Serve(id string, links []string, handler Handler) error {
	path := dbus.ObjectPath("/" + strings.NewReplacer(".", "/", "-", "_").Replace(id))
	server := &Server{path: path, handler: handler, messages: make(chan message, 1024), finished: make(chan *dbus.Message, 1)}
	owner, hasChanged, firstOwner := "", false, make(chan string, 1)
	conn, err := dbus.ConnectSessionBus(dbus.WithIncomingInterceptor(func(incoming *dbus.Message) {
		// The library handles each call in a goroutine of its own, so in any order. Here the calls are in the order of their arrival.
		select {
		case first := <-firstOwner:
			if !hasChanged {
				owner = first
			}
		default:
		}
		sender, _ := incoming.Headers[dbus.FieldSender].Value().(string)
		member, _ := incoming.Headers[dbus.FieldMember].Value().(string)
		if incoming.Type == dbus.TypeSignal && sender == "org.freedesktop.DBus" && member == "NameOwnerChanged" && incoming.Body[0] == broker {
			owner, _ = incoming.Body[2].(string)
			hasChanged = true
		}
		signature, _ := incoming.Headers[dbus.FieldSignature].Value().(dbus.Signature)
		call := member + "(" + signature.String() + ")"
		if incoming.Type == dbus.TypeMethodCall && incoming.Headers[dbus.FieldPath].Value() == path &&
			incoming.Headers[dbus.FieldInterface].Value() == application1 && (call == "Deliver(a{sv})" || call == "Cancel(s)") {
			incoming.Flags |= dbus.FlagNoReplyExpected // The server replies, not the library.
			server.messages <- message{incoming, sender == owner}
		}
	}))
	if err != nil {
		return err
	}
	server.conn = conn
	match := []dbus.MatchOption{
		dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchOption("arg0", broker)}
	if err := conn.AddMatchSignal(match...); err != nil {
		return err
	}
	var first string
	if conn.BusObject().Call("org.freedesktop.DBus.GetNameOwner", 0, broker).Store(&first) == nil {
		firstOwner <- first
	}
	// The object exists before the name, because the owner of the name must be able to reply.
	if err := conn.Export(methods{}, path, application1); err != nil {
		return err
	}
	reply, err := conn.RequestName(id, dbus.NameFlagDoNotQueue)
	if err != nil {
		return err
	}
	if reply != dbus.RequestNameReplyPrimaryOwner {
		return handOver(id, links)
	}
	server.journal = openJournal(id)
	if len(links) > 0 {
		envelope := map[string]dbus.Variant{"urls": dbus.MakeVariant(links), "delivery": dbus.MakeVariant("launch")}
		server.waiting = []*Request{{URLs: links, Envelope: envelope, server: server}}
		server.handleNext()
	}
	for {
		select {
		case call := <-server.messages:
			server.take(call)
		case answer := <-server.finished:
			server.end(answer)
		case <-conn.Context().Done():
			return errors.New("the connection to the bus is closed")
		}
	}
}

// handOver passes links to the running instance: this process becomes usher open, which exits when the instance has handled them.
func handOver(id string, links []string) error {
	if len(links) == 0 {
		return fmt.Errorf("%s is running already", id)
	}
	usher, err := exec.LookPath("usher")
	if err != nil {
		return fmt.Errorf("%s is running already, and usher, which passes links to it, is not installed", id)
	}
	return syscall.Exec(usher, append([]string{"usher", "open", "--wait", "handled", "--app", id, "--"}, links...), os.Environ())
}

// methods has the methods for the library, which finds them, and does not reply.
type methods struct{}

func (methods) Deliver(map[string]dbus.Variant) (map[string]dbus.Variant, *dbus.Error) {
	return nil, nil
}
func (methods) Cancel(string) *dbus.Error { return nil }

func (server *Server) take(call message) {
	member := call.Headers[dbus.FieldMember].Value().(string)
	switch {
	case !call.isFromBroker:
		server.answer(failure("org.freedesktop.DBus.Error.AccessDenied", "only the broker may call this"), call.Message)
	case member == "Cancel":
		server.cancel(call.Body[0].(string))
		server.answer(&dbus.Message{Type: dbus.TypeMethodReply}, call.Message)
	default:
		server.deliver(call)
	}
}

func (server *Server) deliver(call message) {
	request := &Request{Envelope: call.Body[0].(map[string]dbus.Variant), server: server, calls: []*dbus.Message{call.Message}}
	request.ID, _ = request.Envelope["request-id"].Value().(string)
	request.URLs, _ = request.Envelope["urls"].Value().([]string)
	reason, hasReason := request.Envelope["reason"].Value().(string)
	if request.ID == "" || len(request.URLs) == 0 && (!hasReason || reason == "url") {
		server.answer(failure("org.usher.Error.InvalidRequest", "request-id or urls: the key is missing"), call.Message)
		return
	}
	server.journal.read()
	if answer := server.journal.answer(request.ID); answer != nil {
		server.answer(answer, call.Message)
		return
	}
	// A request that waits or is handled is not handled again: all its calls get its answer.
	for _, earlier := range append(server.waiting, server.current) {
		if earlier != nil && earlier.ID == request.ID {
			earlier.calls = append(earlier.calls, call.Message)
			return
		}
	}
	if !server.journal.isRead && (request.isMarked("redelivered") || request.isMarked("repeated")) {
		text := "the outcome is unknown: the file with the earlier answers cannot be read"
		server.answer(failure("org.usher.Error.TargetFailed", text), call.Message)
		return
	}
	server.waiting = append(server.waiting, request)
	server.handleNext()
}

// isMarked returns whether a key of the envelope is true.
func (request *Request) isMarked(key string) bool {
	value, _ := request.Envelope[key].Value().(bool)
	return value
}

func (server *Server) cancel(id string) {
	for index, request := range server.waiting {
		if request.ID == id {
			server.waiting = append(server.waiting[:index], server.waiting[index+1:]...)
			// A repetition of the request gets this answer, too.
			server.journal.end(id, cancelled())
			// Before the reply to Cancel, from which the broker concludes that the request was not handled.
			server.answer(cancelled(), request.calls...)
			return
		}
	}
	if server.current != nil && server.current.ID == id {
		server.current.cancel()
	}
}

func (server *Server) handleNext() {
	if server.current != nil || len(server.waiting) == 0 {
		return
	}
	request := server.waiting[0]
	server.waiting = server.waiting[1:]
	server.current = request
	if request.ID != "" {
		request.IsRedelivered = server.journal.begin(request.ID) > 1
		if server.journal.file == nil && !request.IsRedelivered {
			request.IsRedelivered = request.isMarked("redelivered")
		}
	}
	var ctx context.Context
	ctx, request.cancel = context.WithCancel(context.Background())
	go func() {
		defer func() {
			if problem := recover(); problem != nil {
				server.finished <- reply(nil, fmt.Errorf("the handler failed: %v", problem))
			}
		}()
		// activate (start, or bring to the front) is a request without a link. An application can support further reasons.
		reason, hasReason := request.Envelope["reason"].Value().(string)
		if hasReason && reason != "url" && reason != "activate" {
			server.finished <- reply(nil, ErrNotHandled)
			return
		}
		server.finished <- reply(server.handler(ctx, request))
	}()
}

func (server *Server) end(answer *dbus.Message) {
	request := server.current
	server.current = nil
	request.cancel()
	entries, isReply := answer.Body[0].(map[string]dbus.Variant)
	if request.ID == "" {
		if text, isError := entries["error"]; isError {
			fmt.Fprintln(os.Stderr, text.Value())
		}
	} else {
		if server.journal.begun(request.ID) > 1 && isReply {
			entries["redelivered"] = dbus.MakeVariant(true)
		}
		server.journal.end(request.ID, answer)
		server.answer(answer, request.calls...)
	}
	server.handleNext()
}

// answer sends an answer to calls.
func (server *Server) answer(answer *dbus.Message, calls ...*dbus.Message) {
	for _, call := range calls {
		headers := map[dbus.HeaderField]dbus.Variant{
			dbus.FieldDestination: call.Headers[dbus.FieldSender], dbus.FieldReplySerial: dbus.MakeVariant(call.Serial())}
		if name, isError := answer.Headers[dbus.FieldErrorName]; isError {
			headers[dbus.FieldErrorName] = name
		}
		server.send(&dbus.Message{Type: answer.Type, Headers: headers}, answer.Body...)
	}
}

func (server *Server) send(message *dbus.Message, body ...interface{}) {
	message.Body = body
	if len(body) > 0 {
		message.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(body...))
	}
	server.conn.Send(message, nil)
}

// reply returns the answer with the result of a handler.
func reply(value interface{}, err error) *dbus.Message {
	entries := map[string]dbus.Variant{"handled": dbus.MakeVariant(err == nil)}
	if err == nil && value != nil {
		size := 0
		variant, problem := propertyList(reflect.ValueOf(value), 16, &size)
		if problem == nil && size > 64<<10 {
			problem = errors.New("it has more than 64 KiB")
		}
		if problem == nil {
			entries["value"] = variant
		} else {
			entries["handled"] = dbus.MakeVariant(false)
			err = fmt.Errorf("the answer of the application cannot be sent: %v", problem)
			// The caller receives it, too; only the developer of the handler can correct it.
			fmt.Fprintln(os.Stderr, err)
		}
	}
	if errors.Is(err, context.Canceled) {
		return cancelled()
	}
	if err != nil && !errors.Is(err, ErrNotHandled) {
		text := strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "\uFFFD"), "\x00", "\uFFFD")
		if text == "" {
			text = "the application failed"
		}
		entries["error"] = dbus.MakeVariant(text)
	}
	return &dbus.Message{Type: dbus.TypeMethodReply, Body: []interface{}{entries}}
}

func cancelled() *dbus.Message {
	return failure("org.usher.Error.Cancelled", "the request was cancelled")
}

func failure(name, text string) *dbus.Message {
	headers := map[dbus.HeaderField]dbus.Variant{dbus.FieldErrorName: dbus.MakeVariant(name)}
	return &dbus.Message{Type: dbus.TypeError, Headers: headers, Body: []interface{}{text}}
}

// advance moves a position in a D-Bus message behind a number of bytes, to the next boundary, and behind a value of a length.
func advance(end *int, before, boundary, length int) {
	*end = (*end+before+boundary-1)/boundary*boundary + length
}

// propertyList converts a value for the caller. It begins as a variant at end in a D-Bus message, and end is moved behind it.
func propertyList(value reflect.Value, depth int, end *int) (dbus.Variant, error) {
	for value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	if !value.IsValid() {
		return dbus.Variant{}, errors.New("nil inside a value is no property list; leave it out")
	}
	if variant, isVariant := value.Interface().(dbus.Variant); isVariant {
		return propertyList(reflect.ValueOf(variant.Value()), depth, end)
	}
	kind := value.Kind()
	isBytes := kind == reflect.Slice && value.Type().Elem().Kind() == reflect.Uint8
	if depth == 0 && (kind == reflect.Slice && !isBytes || kind == reflect.Array || kind == reflect.Map) {
		return dbus.Variant{}, errors.New("it is nested more than 16 deep")
	}
	var converted interface{}
	switch {
	case kind == reflect.Bool:
		advance(end, 3, 4, 4)
		converted = value.Bool()
	case kind == reflect.String:
		*end += 3
		if err := appendText(value.String(), end); err != nil {
			return dbus.Variant{}, err
		}
		converted = value.String()
	case value.CanInt(), value.CanUint(), value.CanFloat():
		if value.CanInt() {
			converted = value.Int()
		} else if value.CanUint() && value.Uint() <= math.MaxInt64 {
			converted = int64(value.Uint())
		} else if value.CanUint() {
			return dbus.Variant{}, errors.New("an integer is greater than 2^63 - 1")
		} else if converted = value.Float(); math.IsNaN(value.Float()) || math.IsInf(value.Float(), 0) {
			return dbus.Variant{}, errors.New("a number is not finite")
		}
		advance(end, 3, 8, 8)
	case isBytes:
		advance(end, 4, 4, 4+value.Len())
		converted = value.Bytes()
	case kind == reflect.Slice || kind == reflect.Array:
		advance(end, 4, 4, 4)
		list := make([]dbus.Variant, value.Len())
		for index := range list {
			var err error
			if list[index], err = propertyList(value.Index(index), depth-1, end); err != nil {
				return dbus.Variant{}, err
			}
		}
		converted = list
	case kind == reflect.Map && value.Type().Key().Kind() == reflect.String:
		advance(end, 7, 4, 4)
		advance(end, 0, 8, 0)
		keys := value.MapKeys()
		sort.Slice(keys, func(first, second int) bool { return keys[first].String() < keys[second].String() })
		entries := map[string]dbus.Variant{}
		for _, key := range keys {
			if key.String() == "$data" {
				return dbus.Variant{}, errors.New("a dictionary has the key $data")
			}
			advance(end, 0, 8, 0)
			if err := appendText(key.String(), end); err != nil {
				return dbus.Variant{}, err
			}
			variant, err := propertyList(value.MapIndex(key), depth-1, end)
			if err != nil {
				return dbus.Variant{}, fmt.Errorf("%q: %w", key.String(), err)
			}
			entries[key.String()] = variant
		}
		converted = entries
	default:
		return dbus.Variant{}, fmt.Errorf(
			"a %s is no property list; use bool, string, a number, []byte, or slices and maps (with strings as keys) of these", value.Type())
	}
	return dbus.MakeVariant(converted), nil
}

func appendText(text string, end *int) error {
	if !utf8.ValidString(text) || strings.Contains(text, "\x00") {
		return errors.New("a string is not UTF-8, or contains U+0000")
	}
	advance(end, 0, 4, 4+len(text)+1)
	return nil
}

// The number of remembered answers; the number of bytes above which the journal is replaced by a shorter one, and how many bytes of answers
// that one has.
const capacity, longest, kept = 1000, 1 << 20, 512 << 10

// journal has the requests that the application began and answered, in a file, so that a crash does not repeat them. Without a file, they
// are remembered only while the application runs.
type journal struct {
	states map[string]string // By request ID: how often it began, or its answer.
	order  []string          // The newest is the last.
	path   string
	file   *os.File
	size   int
	isRead bool // False as long as there is a file that cannot be read: it may have the answer of a repeated request.
}

// openJournal opens the journal. Only the instance that owns the bus name does so.
func openJournal(id string) *journal {
	directory := os.Getenv("XDG_RUNTIME_DIR") + "/usher"
	if flatpak := os.Getenv("FLATPAK_ID"); flatpak != "" {
		directory = os.Getenv("XDG_RUNTIME_DIR") + "/app/" + flatpak
	}
	os.MkdirAll(directory, 0o700)
	journal := &journal{states: map[string]string{}, path: directory + "/" + id + ".answers"}
	journal.read()
	return journal
}

// read reads and replaces the file, unless this was done before. A file that cannot be read is not replaced.
func (journal *journal) read() {
	if journal.isRead {
		return
	}
	contents, err := os.ReadFile(journal.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return
	}
	journal.isRead = true
	// Answers that were given while the file could not be read are the newest ones.
	newest, states := journal.order, journal.states
	journal.order, journal.states = nil, map[string]string{}
	// The text behind the last newline is what a crash has left of a line.
	lines := strings.Split(string(contents), "\n")
	for _, line := range lines[:len(lines)-1] {
		key, state, _ := strings.Cut(line, " ")
		if _, err := strconv.Atoi(state); err == nil || decode(state) != nil {
			journal.keep(key, state)
		}
	}
	for _, key := range newest {
		journal.keep(key, states[key])
	}
	journal.rewrite()
}

// keep remembers a state. A request that has no answer is never forgotten.
func (journal *journal) keep(key, state string) {
	if _, isKnown := journal.states[key]; isKnown {
		for index := len(journal.order) - 1; index >= 0; index-- {
			if journal.order[index] == key {
				journal.order = append(journal.order[:index], journal.order[index+1:]...)
				break
			}
		}
	}
	journal.states[key] = state
	journal.order = append(journal.order, key)
	if len(journal.order) <= capacity {
		return
	}
	for index, oldest := range journal.order {
		if journal.begun(oldest) == 0 {
			delete(journal.states, oldest)
			journal.order = append(journal.order[:index], journal.order[index+1:]...)
			return
		}
	}
}

// record remembers a state, and writes it.
func (journal *journal) record(key, state string) {
	journal.keep(key, state)
	line := key + " " + state + "\n"
	if journal.file != nil {
		if _, err := journal.file.WriteString(line); err == nil {
			journal.size += len(line)
		} else {
			// It may end with a part of the line.
			journal.file.Close()
			journal.file = nil
		}
	}
	if journal.file == nil || journal.size > longest {
		journal.rewrite()
	}
}

// rewrite replaces the file by one with all requests that have no answer, and the newest answers. Whenever the application crashes, the file
// is complete.
func (journal *journal) rewrite() {
	if !journal.isRead {
		return
	}
	size, first := 0, len(journal.order)
	for ; first > 0; first-- {
		key := journal.order[first-1]
		if size += len(key) + len(journal.states[key]) + 2; size > kept {
			break
		}
	}
	var text bytes.Buffer
	for index, key := range journal.order {
		if index >= first || journal.begun(key) > 0 {
			fmt.Fprintln(&text, key, journal.states[key])
		}
	}
	flags := os.O_CREATE | os.O_TRUNC | os.O_WRONLY | os.O_APPEND | syscall.O_NOFOLLOW
	file, err := os.OpenFile(journal.path+".new", flags, 0o600)
	if err == nil {
		if _, err = file.Write(text.Bytes()); err == nil {
			err = file.Sync()
		}
		if err == nil {
			err = os.Rename(journal.path+".new", journal.path)
		}
		if err != nil {
			file.Close()
		}
	}
	if err != nil {
		journal.size = kept // Until it is tried again, the old file has the requests.
		return
	}
	if journal.file != nil {
		journal.file.Close()
	}
	journal.file, journal.size = file, text.Len()
}

// begun returns how often a request began that has no answer; 0 for any other request.
func (journal *journal) begun(key string) int {
	times, _ := strconv.Atoi(journal.states[key])
	return times
}

// answer returns the answer of an earlier request; nil if it has to be handled.
func (journal *journal) answer(key string) *dbus.Message {
	if journal.begun(key) >= 2 {
		return failure("org.usher.Error.TargetFailed", "the application has crashed twice while it handled this request")
	}
	return decode(journal.states[key])
}

// begin records that a request begins, and returns how often it has begun.
func (journal *journal) begin(key string) int {
	journal.record(key, strconv.Itoa(journal.begun(key)+1))
	return journal.begun(key)
}

func (journal *journal) end(key string, answer *dbus.Message) {
	journal.record(key, encode(answer))
}

// encode returns an answer as text: a whole message, so that its types are preserved.
func encode(answer *dbus.Message) string {
	headers := map[dbus.HeaderField]dbus.Variant{
		dbus.FieldReplySerial: dbus.MakeVariant(uint32(1)), dbus.FieldSignature: dbus.MakeVariant(dbus.SignatureOf(answer.Body...))}
	if name, isError := answer.Headers[dbus.FieldErrorName]; isError {
		headers[dbus.FieldErrorName] = name
	}
	var buffer bytes.Buffer
	message := dbus.Message{Type: answer.Type, Headers: headers, Body: answer.Body}
	if err := message.EncodeTo(&buffer, binary.LittleEndian); err != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(buffer.Bytes())
}

func decode(state string) *dbus.Message {
	contents, err := base64.StdEncoding.DecodeString(state)
	if err != nil {
		return nil
	}
	message, err := dbus.DecodeMessage(bytes.NewReader(contents))
	if err != nil {
		return nil
	}
	return message
}
