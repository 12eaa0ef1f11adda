// Notes in Go: the running instance receives the links, and replies. It prints one line of JSON for each request.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/godbus/dbus"
)

func handle(ctx context.Context, request *Request) (interface{}, error) {
	line := map[string]interface{}{"pid": os.Getpid()}
	for key, value := range request.Envelope {
		line[key] = plain(value)
	}
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
	for _, url := range request.URLs {
		if strings.HasSuffix(url, "missing") {
			return nil, errors.New("there is no such note")
		}
		if strings.HasSuffix(url, "slow") {
			for page := uint64(0); page < 20; page++ {
				request.Progress(page, 20, "reading")
				select {
				case <-time.After(100 * time.Millisecond):
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}
		}
	}
	return map[string]interface{}{"opened": len(request.URLs)}, nil
}

// plain returns a value of the envelope for JSON.
func plain(value interface{}) interface{} {
	switch value := value.(type) {
	case dbus.Variant:
		return plain(value.Value())
	case []dbus.Variant:
		list := []interface{}{}
		for _, element := range value {
			list = append(list, plain(element))
		}
		return list
	case map[string]dbus.Variant:
		entries := map[string]interface{}{}
		for key, element := range value {
			entries[key] = plain(element)
		}
		return entries
	}
	return value
}

func main() {
	fmt.Fprintln(os.Stderr, Serve("org.example.GoNotes", os.Args[1:], handle))
	os.Exit(1)
}
