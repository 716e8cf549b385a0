//go:build unix

package asg

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// openingFails gives the error of opening a store.
func openingFails(address string, options ...OpenOption) error {
	db, err := Open(context.Background(), address, options...)
	if err == nil {
		db.Close()
	}
	return err
}

// writeNewer makes a store that says that a newer version wrote it: the number at byte 60 of a SQLite file.
func writeNewer(t *testing.T, file string) {
	t.Helper()
	db, err := Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Set(context.Background(), "/a", 1, "Begin"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	content[61]++
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Each case of bad input is an error with a code, a kind, a message and a hint; no process is left, and nothing is written.
func TestBadInputIsToldWithWhatToDo(t *testing.T) {
	ctx := context.Background()
	ring := map[string]any{}
	ring["again"] = ring
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusUnauthorized)
		json.NewEncoder(w).Encode(map[string]any{"code": "unauthenticated", "kind": "unauthenticated", "detail": "No.", "hint": "Send a key."})
	}))
	defer refusing.Close()
	setFails := func(t *testing.T, value any) error {
		db, err := Open(ctx, filepath.Join(t.TempDir(), "value.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		_, err = db.Set(ctx, "/a", value, "Write")
		if commits, told := db.Log(ctx); told == nil && len(commits.Items) > 0 {
			t.Error("something was written")
		}
		return err
	}
	cases := []struct {
		name string
		code Code
		fail func(t *testing.T, folder string) error
	}{
		{"no Node", NodeNotFound, func(t *testing.T, folder string) error {
			withFake(t, "v24.15.0")
			t.Setenv("ASG_NODE", "")
			return openingFails(filepath.Join(folder, "state.db"))
		}},
		{"a Node that is too old", NodeNotFound, func(t *testing.T, folder string) error {
			withFake(t, "v22.22.2")
			// The driver beside the core of this workspace would make it usable.
			bundle := filepath.Join(t.TempDir(), bundleName)
			if err := os.WriteFile(bundle, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			t.Setenv("ASG_BUNDLE", bundle)
			return openingFails(filepath.Join(folder, "state.db"))
		}},
		{"no core", BundleMissing, func(t *testing.T, folder string) error {
			t.Setenv("ASG_BUNDLE", filepath.Join(folder, "absent.mjs"))
			return openingFails(filepath.Join(folder, "state.db"))
		}},
		{"a core that does not start", CoreDied, func(t *testing.T, folder string) error {
			withFake(t, "v24.15.0 ends-at-once")
			return openingFails(filepath.Join(folder, "state.db"))
		}},
		{"a core that is killed again and again", OutcomeUnknown, func(t *testing.T, folder string) error {
			withFake(t, "v24.15.0")
			db, err := Open(ctx, filepath.Join(folder, "state.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			db.link.(*core).patience = 100
			_, err = db.Set(ctx, "/a", 1, "Write")
			return err
		}},
		{"a folder for a path", "store-failed", func(t *testing.T, folder string) error { return openingFails(folder) }},
		{"a file that is no store", "not-a-store", func(t *testing.T, folder string) error {
			file := filepath.Join(t.TempDir(), "letter.db")
			if err := os.WriteFile(file, []byte("This is a letter, and no store, and it is long enough to be looked at."), 0o600); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if content, _ := os.ReadFile(file); string(content[:16]) != "This is a letter" {
					t.Error("the file was changed")
				}
			}()
			return openingFails(file)
		}},
		{"a store of a newer version", "format-unsupported", func(t *testing.T, _ string) error {
			file := filepath.Join(t.TempDir(), "newer.db")
			writeNewer(t, file)
			return openingFails(file)
		}},
		{"a missing store that is only read", "store-missing", func(t *testing.T, folder string) error {
			return openingFails(filepath.Join(folder, "absent.db"), ReadOnly())
		}},
		{"an address of nothing that is known", "scheme-unknown", func(t *testing.T, _ string) error { return openingFails("gopher://localhost") }},
		{"a server for a store", "scheme-unknown", func(t *testing.T, _ string) error { return openingFails("http://127.0.0.1:1") }},
		{"what SQLite calls a store in memory", "option-invalid", func(t *testing.T, _ string) error { return openingFails(":memory:") }},
		{"a function", ValueUnsupported, func(t *testing.T, _ string) error { return setFails(t, func() {}) }},
		{"a map in itself", ValueUnsupported, func(t *testing.T, _ string) error { return setFails(t, ring) }},
		{"a server that is away", ServerUnreachable, func(t *testing.T, _ string) error {
			_, err := Connect(ctx, "http://127.0.0.1:1", "token")
			return err
		}},
		{"a wrong token", "unauthenticated", func(t *testing.T, _ string) error {
			_, err := Connect(ctx, refusing.URL, "wrong")
			return err
		}},
		{"no address of a server", InputInvalid, func(t *testing.T, _ string) error {
			_, err := Connect(ctx, "state.db", "token")
			return err
		}},
	}
	for _, bad := range cases {
		t.Run(bad.name, func(t *testing.T) {
			folder := t.TempDir()
			err := bad.fail(t, folder)
			var told *Error
			if !errors.As(err, &told) {
				t.Fatalf("the error is %v", err)
			}
			if told.Code != bad.code || told.Kind == "" || told.Message == "" || told.Hint == "" {
				t.Errorf("the error is %q, of the kind %q: %q, with the hint %q", told.Code, told.Kind, told.Message, told.Hint)
			}
			if left, _ := os.ReadDir(folder); len(left) > 0 {
				t.Errorf("%s is left", left[0].Name())
			}
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); err != syscall.ECHILD {
				t.Errorf("process %d is left, %v", pid, err)
			}
		})
	}
}
