// SPDX-License-Identifier: Apache-2.0
// Measures httprouter on a table of routes, for route-bench, which defines the protocol on the pipes.
//
// usage: httprouter-peer FILE
package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/julienschmidt/httprouter"
)

var capture = regexp.MustCompile(`\{(\w+)(:\w+)?\}`)
var called int

func fail(words ...interface{}) {
	fmt.Fprintln(os.Stderr, append([]interface{}{"httprouter-peer:"}, words...)...)
	os.Exit(1)
}

// Adds the routes of the file, and returns the URL of each.
func read(path string, router *httprouter.Router) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		fail(err)
	}
	var urls []string
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		fields, index := strings.Fields(line), len(urls)
		router.GET(capture.ReplaceAllString(fields[0], ":$1"),
			func(http.ResponseWriter, *http.Request, httprouter.Params) { called = index })
		urls = append(urls, fields[1])
	}
	return urls
}

func main() {
	router := httprouter.New()
	urls := read(os.Args[1], router)
	for index, url := range urls {
		handle, parameters, _ := router.Lookup("GET", url)
		if handle == nil {
			fail("no route for", url)
		}
		if handle(nil, nil, parameters); called != index {
			fail("another route for", url)
		}
	}
	found := 0
	sweep := func(passes int) {
		for ; passes > 0; passes-- {
			for _, url := range urls {
				if handle, parameters, _ := router.Lookup("GET", url); handle != nil {
					found += len(parameters) + 1
				}
			}
		}
	}
	fmt.Println(len(urls))
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		var passes int
		fmt.Sscan(input.Text(), &passes)
		sweep(1)
		begin := time.Now()
		sweep(passes)
		fmt.Println(time.Since(begin).Nanoseconds())
	}
	if found < 0 {
		fail("cannot be")
	}
}
