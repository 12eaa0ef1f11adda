// SPDX-License-Identifier: Apache-2.0
// A server with application1.go, whose replies are what the URL asks for.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/godbus/dbus"
)

var count = 0

func handle(ctx context.Context, request *Request) (interface{}, error) {
	count++
	_, path, _ := strings.Cut(request.URLs[0], ":")
	name, digits, _ := strings.Cut(path, "-")
	number, _ := strconv.Atoi(digits)
	var value interface{} = fmt.Sprintf("%d.%d.", os.Getpid(), count)
	switch name {
	case "crash":
		os.Exit(9)
	case "nan":
		value = math.NaN()
	case "integer":
		value = uint64(1) << 63
	case "type":
		value = struct{}{}
	case "kinds":
		type word string
		variants := map[string]dbus.Variant{"number": dbus.MakeVariant(int32(5))}
		value = []interface{}{
			uint64(1), uint32(2), []string{"three"}, dbus.MakeVariant([]uint16{4}), variants, map[word]word{"key": "six"}, [1]bool{true}, float32(0.5)}
	case "redelivered":
		value = request.IsRedelivered
	case "crashed":
		if value = request.IsRedelivered; value == false {
			os.Exit(9)
		}
	case "stop":
		request.Progress(0, 1, "waiting")
		<-ctx.Done()
		return nil, ctx.Err()
	case "key":
		value = map[string]interface{}{"$data": 1}
	case "deep":
		value = 1
		for ; number > 0; number-- {
			value = []interface{}{value}
		}
	case "size":
		value = (value.(string) + strings.Repeat("x", number))[:number]
	}
	return map[string]interface{}{"text": value}, nil
}

func main() {
	fmt.Fprintln(os.Stderr, Serve("org.example.Checked", os.Args[1:], handle))
}
