// This file serves org.usher.Application1 with godbus. Copy it unchanged.
package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/godbus/dbus"
)

const broker, application1 = "org.usher.Broker1", "org.usher.Application1"

// ErrNotHandled is the error of a handler for which the request is not meant.
var ErrNotHandled = errors.New("the request is not for this application")

// Request is a request that is handled.
type Request struct {
	ID       string
	URLs     []string
	Envelope map[string]dbus.Variant
	server   *Server
	calls    []*dbus.Message
	cancel   context.CancelFunc
}

// Progress reports how far the handler is; it may be called from any goroutine.
func (request *Request) Progress(completed, total uint64, message string) {
	request.server.send(&dbus.Message{Type: dbus.TypeSignal, Headers: map[dbus.HeaderField]dbus.Variant{
		dbus.FieldDestination: dbus.MakeVariant(broker), dbus.FieldPath: dbus.MakeVariant(request.server.path),
		dbus.FieldInterface: dbus.MakeVariant(application1), dbus.FieldMember: dbus.MakeVariant("Progress"),
	}}, request.ID, map[string]dbus.Variant{
		"completed": dbus.MakeVariant(completed), "total": dbus.MakeVariant(total), "message": dbus.MakeVariant(message),
	})
}

// Handler handles one request at a time, in order. The value for the caller is nil, a string, a number, a bool, []byte, []interface{} or
// map[string]interface{}. The context is done after the caller has withdrawn the request; the handler then returns context.Canceled.
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
func Serve(id string, handler Handler) error {
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
	if reply, err := conn.RequestName(id, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		return fmt.Errorf("the bus name %s is taken: %v", id, err)
	}
	server.journal = openJournal(id)
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
	server.waiting = append(server.waiting, request)
	server.handleNext()
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
	server.journal.begin(request.ID)
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
	if server.journal.begun[request.ID] > 1 && answer.Type == dbus.TypeMethodReply {
		answer.Body[0].(map[string]dbus.Variant)["redelivered"] = dbus.MakeVariant(true)
	}
	server.journal.end(request.ID, answer)
	server.answer(answer, request.calls...)
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
		var variant dbus.Variant
		if variant, err = propertyList(value, 16); err == nil {
			entries["value"] = variant
		} else {
			entries["handled"] = dbus.MakeVariant(false)
		}
	}
	if errors.Is(err, context.Canceled) {
		return cancelled()
	}
	if err != nil && !errors.Is(err, ErrNotHandled) {
		entries["error"] = dbus.MakeVariant(strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "\uFFFD"), "\x00", "\uFFFD"))
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

// propertyList converts a value for the caller.
func propertyList(value interface{}, depth int) (dbus.Variant, error) {
	var converted interface{}
	switch value := value.(type) {
	case bool, float64, int64, []byte:
		converted = value
	case int:
		converted = int64(value)
	case string:
		if !utf8.ValidString(value) || strings.Contains(value, "\x00") {
			return dbus.Variant{}, errors.New("the answer of the application cannot be sent: a string is not UTF-8, or contains U+0000")
		}
		converted = value
	case []interface{}:
		list := []dbus.Variant{}
		for _, element := range value {
			variant, err := propertyList(element, depth-1)
			if err != nil {
				return variant, err
			}
			list = append(list, variant)
		}
		converted = list
	case map[string]interface{}:
		entries := map[string]dbus.Variant{}
		for key, element := range value {
			variant, err := propertyList(element, depth-1)
			if err != nil {
				return variant, err
			}
			entries[key] = variant
		}
		converted = entries
	default:
		return dbus.Variant{}, fmt.Errorf("the answer of the application cannot be sent: %T is no property list", value)
	}
	if depth < 0 {
		return dbus.Variant{}, errors.New("the answer of the application cannot be sent: nested more than 16 deep")
	}
	return dbus.MakeVariant(converted), nil
}

// journal has the requests that the application began and answered, in a file, so that a crash does not repeat them.
type journal struct {
	begun   map[string]int
	answers map[string]*dbus.Message
	order   []string
	file    *os.File
}

// openJournal opens the journal. Only the instance that owns the bus name does so.
func openJournal(id string) *journal {
	journal := &journal{begun: map[string]int{}, answers: map[string]*dbus.Message{}}
	directory := os.Getenv("XDG_RUNTIME_DIR") + "/usher"
	if flatpak := os.Getenv("FLATPAK_ID"); flatpak != "" {
		directory = os.Getenv("XDG_RUNTIME_DIR") + "/app/" + flatpak
	}
	os.MkdirAll(directory, 0o700)
	path := directory + "/" + id + ".answers"
	if contents, err := os.ReadFile(path); err == nil {
		// The text behind the last newline is what a crash has left of a line.
		lines := strings.Split(string(contents), "\n")
		for _, line := range lines[:len(lines)-1] {
			key, state, _ := strings.Cut(line, " ")
			journal.keep(key, state)
		}
	}
	// Written anew, without the requests that are too old. If that fails, requests are remembered only while the application runs.
	if file, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600); err == nil {
		journal.file = file
		for _, key := range journal.order {
			if answer := journal.answers[key]; answer != nil {
				journal.write(key, encode(answer))
			} else {
				journal.write(key, strconv.Itoa(journal.begun[key]))
			}
		}
		os.Rename(path+".new", path)
	}
	return journal
}

// keep remembers a state: how often the request began, or its answer. A line that a crash cut short is left out.
func (journal *journal) keep(key, state string) {
	times, err := strconv.Atoi(state)
	answer := decode(state)
	if err != nil && answer == nil {
		return
	}
	if journal.begun[key] == 0 {
		journal.order = append(journal.order, key)
	}
	if journal.begun[key] = times; answer != nil {
		journal.begun[key], journal.answers[key] = 1, answer
	}
	if len(journal.order) > 1000 {
		delete(journal.begun, journal.order[0])
		delete(journal.answers, journal.order[0])
		journal.order = journal.order[1:]
	}
}

func (journal *journal) write(key, state string) {
	if journal.file != nil {
		fmt.Fprintln(journal.file, key, state)
	}
}

// answer returns the answer of an earlier request; nil if it has to be handled.
func (journal *journal) answer(key string) *dbus.Message {
	if answer := journal.answers[key]; answer != nil {
		return answer
	}
	if journal.begun[key] >= 2 {
		return failure("org.usher.Error.TargetFailed", "the application has crashed twice while it handled this request")
	}
	return nil
}

func (journal *journal) begin(key string) {
	state := strconv.Itoa(journal.begun[key] + 1)
	journal.keep(key, state)
	journal.write(key, state)
}

func (journal *journal) end(key string, answer *dbus.Message) {
	state := encode(answer)
	journal.keep(key, state)
	journal.write(key, state)
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
