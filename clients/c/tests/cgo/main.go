// Command smoke uses the static library through cgo.
package main

/*
#cgo CFLAGS: -I${SRCDIR}/../../include
#cgo LDFLAGS: ${SRCDIR}/../../build/libasg.a -lpthread
#include <stdlib.h>
#include "asg.h"
*/
import "C"

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"
)

func call(db *C.asg, method, params string) (string, string) {
	cMethod, cParams := C.CString(method), C.CString(params)
	defer C.free(unsafe.Pointer(cMethod))
	defer C.free(unsafe.Pointer(cParams))
	var failed *C.asg_error
	result := C.asg_call(db, cMethod, cParams, nil, &failed)
	if result == nil {
		defer C.asg_error_free(failed)
		return "", C.GoString(failed.code)
	}
	defer C.asg_free(unsafe.Pointer(result))
	return C.GoString(result), ""
}

func main() {
	var failed *C.asg_error
	db := C.asg_open(nil, nil, &failed)
	if db == nil {
		fmt.Fprintln(os.Stderr, C.GoString(failed.message))
		os.Exit(1)
	}
	defer C.asg_close(db)
	var all sync.WaitGroup
	for n := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			path := fmt.Sprintf("/n%d", n)
			call(db, "set", fmt.Sprintf(`{"path":%q,"value":%d,"description":"Write"}`, path, n))
			if got, _ := call(db, "get", fmt.Sprintf(`{"path":%q}`, path)); !strings.Contains(got, fmt.Sprintf(`"value":%d`, n)) {
				panic(got)
			}
		}()
	}
	all.Wait()
	if _, code := call(db, "get", `{"path":"/nothing"}`); code != "path-not-found" {
		panic(code)
	}
}
