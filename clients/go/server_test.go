package asg_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	asg "github.com/agentstategraph/agentstategraph-go"
)

const token = "token-of-the-tests-long-enough"

// serve starts asg serve, and gives its address and a function that ends it.
func serve(t *testing.T, store, port string) (string, func()) {
	t.Helper()
	node := os.Getenv("ASG_NODE")
	if node == "" {
		node = "node"
	}
	program := filepath.Join("..", "..", "packages", "server", "bin", "asg.mjs")
	command := exec.Command(node, program, "serve", "--port", port, "--store", store, "--json")
	command.Env = append(os.Environ(), "ASG_TOKEN="+token)
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	end := func() {
		command.Process.Kill()
		command.Wait()
	}
	t.Cleanup(end)
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if at := strings.Index(lines.Text(), "http://127.0.0.1:"); at >= 0 {
			address, _, _ := strings.Cut(lines.Text()[at:], `"`)
			return strings.TrimRight(strings.Fields(address)[0], "/.,"), end
		}
	}
	t.Fatal("the server does not say where it is")
	return "", nil
}

func TestAServerIsUsedLikeAFile(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	store := filepath.Join(t.TempDir(), "state.db")
	address, end := serve(t, store, "0")
	db := must[*asg.Client](t)(asg.Connect(ctx, address, token))
	defer db.Close()
	watch := must[*asg.Stream[asg.JournalEvent]](t)(db.Watch(ctx, asg.WithPath("/a")))
	must[*asg.Commit](t)(db.Set(ctx, "/a/b c/ü~1", []any{1, "3", nil}, "Write", asg.WithConfidence(0.5), asg.WithTags("x", "y")))
	if event := must[asg.JournalEvent](t)(watch.Next()); event.Commit.Intent.Description != "Write" {
		t.Errorf("the event is %+v", event)
	}
	for _, caller := range []asg.Caller{{Agent: "agent/x"}, {Mode: "read-only"}} {
		_, err := db.With(caller).Set(ctx, "/a", 1, "Who")
		wantCode(t, err, "agent-by-key")
	}
	if got := must[[]any](t)(asg.Get[[]any](ctx, db, "/a/b c/ü~1")); len(got) != 3 || got[1] != "3" {
		t.Errorf("got %v", got)
	}
	must[*asg.Ref](t)(db.Branch(ctx, "feature/ä%"))
	must[*asg.Commit](t)(db.On("feature/ä%").Delete(ctx, "/a", "Remove"))
	count := 0
	for range db.ListBranchesAll(ctx, asg.WithPrefix("feature/")) {
		count++
	}
	found := must[*asg.QueryResult](t)(db.Query(ctx, asg.WithConfidenceMin(0.4), asg.WithConfidenceMax(0.6)))
	if count != 1 || len(found.Items) != 1 || !slices.Contains(found.Items[0].Intent.Tags, "x") {
		t.Errorf("%d branches, %+v", count, found)
	}
	_, err := asg.Get[int](ctx, db, "/nothing")
	wantCode(t, err, asg.PathNotFound)

	text := ""
	for line, err := range must[*asg.Stream[string]](t)(db.Export(ctx)).All() {
		if err != nil {
			t.Fatal(err)
		}
		text += line
	}
	must[*asg.ImportResult](t)(open(t, asg.Memory).Import(ctx, text))

	_, err = asg.Connect(ctx, address, "another token")
	var told *asg.Error
	if !errors.As(err, &told) || told.Kind != "unauthenticated" {
		t.Errorf("the error is %v", err)
	}

	// The server goes away and comes back on the same port: the watch goes on behind the last event.
	end()
	_, err = db.Log(ctx)
	wantCode(t, err, asg.ServerUnreachable)
	_, err = db.Set(ctx, "/a", 1, "Write")
	wantCode(t, err, asg.ServerUnreachable)
	own := must[*asg.Client](t)(asg.Open(ctx, store))
	must[*asg.Commit](t)(own.Set(ctx, "/a", 2, "Meanwhile"))
	own.Close()
	serve(t, store, address[strings.LastIndex(address, ":")+1:])
	for event, err := range watch.All() {
		if err != nil {
			t.Fatal(err)
		}
		if event.Commit != nil && event.Commit.Intent.Description == "Meanwhile" {
			break
		}
	}
	if text, _ := json.Marshal(must[*asg.GetResult](t)(db.Get(ctx, "/a")).Value); string(text) != "2" {
		t.Errorf("got %s", text)
	}
}
