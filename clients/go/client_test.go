package asg_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	asg "github.com/agentstategraph/agentstategraph-go"
)

func open(t *testing.T, address string, options ...asg.OpenOption) *asg.Client {
	t.Helper()
	db, err := asg.Open(context.Background(), address, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func wantCode(t *testing.T, err error, code asg.Code) *asg.Error {
	t.Helper()
	var told *asg.Error
	if !errors.Is(err, code) || !errors.As(err, &told) {
		t.Fatalf("the error is %v, and not %s", err, code)
	}
	if told.Message == "" {
		t.Errorf("%s has no message", code)
	}
	return told
}

func TestWritesAreReadAgainWithTheirReasons(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "state.db")
	db := open(t, file)
	commit := must[*asg.Commit](t)(db.As("agent/scaler").Set(ctx, "/cluster/replicas", 3, "Scale up",
		asg.WithReasoning("Traffic rose by 40 %"), asg.WithConfidence(0.85), asg.WithTags("scale")))
	if commit.Agent != "agent/scaler" || commit.Intent.Description != "Scale up" || *commit.Confidence != 0.85 {
		t.Errorf("the commit is %+v", commit)
	}
	if got := must[int](t)(asg.Get[int](ctx, db, "/cluster/replicas")); got != 3 {
		t.Errorf("got %d", got)
	}
	blame := must[*asg.ChainedBlame](t)(db.Blame(ctx, "/cluster/replicas"))
	if blame.Reasoning != "Traffic rose by 40 %" || blame.Agent != "agent/scaler" {
		t.Errorf("blame is %+v", blame)
	}

	must[*asg.Ref](t)(db.Branch(ctx, "try"))
	branch := db.On("try")
	must[*asg.Commit](t)(branch.Commit(ctx, []asg.Edit{asg.SetEdit("/a", nil), asg.SetEdit("/b", []int{1}), asg.DeleteEdit("/cluster")}, "Try"))
	changes := must[*asg.DiffResult](t)(db.Diff(ctx, "main", "try")).Changes
	if len(changes) != 3 {
		t.Errorf("the changes are %+v", changes)
	}
	must[*asg.Merged](t)(db.Merge(ctx, "try"))
	_, err := asg.Get[int](ctx, db, "/cluster/replicas")
	wantCode(t, err, asg.PathNotFound)
}

func TestListingsGoFromPageToPage(t *testing.T) {
	ctx := context.Background()
	db := open(t, asg.Memory)
	for n := range 7 {
		must[*asg.Commit](t)(db.Set(ctx, "/n", n, "Count"))
	}
	seen := int64(math.MaxInt64)
	count := 0
	for commit, err := range db.LogAll(ctx, asg.WithLimit(3)) {
		if err != nil || commit.Seq >= seen {
			t.Fatal(commit.Seq, seen, err)
		}
		seen = commit.Seq
		count++
	}
	if count != 7 {
		t.Errorf("%d commits", count)
	}
	for _, err := range db.LogAll(ctx, asg.WithRef("nowhere")) {
		wantCode(t, err, asg.RefNotFound)
	}
}

func TestValuesBeyondJSONComeBack(t *testing.T) {
	ctx := context.Background()
	db := open(t, asg.Memory)
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	type machine struct {
		Name  string    `json:"name"`
		Since time.Time `json:"since"`
		Key   []byte    `json:"key"`
		Huge  *big.Int  `json:"huge"`
		Next  *machine  `json:"next,omitempty"`
		Price string    `json:"$price"`
	}
	sent := machine{"a\"\\\n\u2028\x01é😀", at, []byte{0, 255}, huge, &machine{Name: "b"}, "3 €"}
	must[*asg.Commit](t)(db.Set(ctx, "/machine", sent, "Add"))
	got := must[machine](t)(asg.Get[machine](ctx, db, "/machine"))
	if got.Name != sent.Name || !got.Since.Equal(at) || string(got.Key) != string(sent.Key) || got.Huge.Cmp(huge) != 0 || got.Next.Name != "b" || got.Price != "3 €" {
		t.Errorf("got %+v", got)
	}
	whole := must[any](t)(asg.Get[any](ctx, db, "/machine")).(map[string]any)
	if !whole["since"].(time.Time).Equal(at) || whole["huge"].(*big.Int).Cmp(huge) != 0 || string(whole["key"].([]byte)) != "\x00\xff" || whole["$price"] != "3 €" {
		t.Errorf("got %+v", whole)
	}
	known := must[map[string]any](t)(asg.Get[map[string]any](ctx, db, "/machine"))
	if !known["since"].(time.Time).Equal(at) {
		t.Errorf("got %+v", known)
	}
	for _, number := range []float64{math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e300, 0.1, 5e-324} {
		must[*asg.Commit](t)(db.Set(ctx, "/number", number, "Write"))
		if got := must[float64](t)(asg.Get[float64](ctx, db, "/number")); got != number || math.Signbit(got) != math.Signbit(number) {
			t.Errorf("%v came back as %v", number, got)
		}
	}
	must[*asg.Commit](t)(db.Set(ctx, "/big", uint64(math.MaxUint64), "Write"))
	if got := must[uint64](t)(asg.Get[uint64](ctx, db, "/big")); got != math.MaxUint64 {
		t.Errorf("got %d", got)
	}
	raw := must[*asg.GetResult](t)(db.Get(ctx, "/machine")).Value
	must[*asg.Commit](t)(db.Set(ctx, "/copy", raw, "Copy"))
	if copied := must[*asg.GetResult](t)(db.Get(ctx, "/copy")).Value; copied.String() != raw.String() {
		t.Errorf("%s is not %s", copied, raw)
	}
}

func TestValuesThatCannotBeSentAreRefusedWithTheirPlace(t *testing.T) {
	ctx := context.Background()
	db := open(t, asg.Memory)
	type ring struct{ Next *ring }
	cyclic := &ring{}
	cyclic.Next = cyclic
	type itself *itself
	var pointer itself
	pointer = &pointer
	for _, value := range []any{func() {}, map[string]any{"a": make(chan int)}, cyclic, pointer, "\xff", map[int]int{1: 1}, asg.Value("{\n")} {
		_, err := db.Set(ctx, "/a", value, "Write")
		wantCode(t, err, asg.ValueUnsupported)
	}
	_, err := db.Set(ctx, "/a", map[string]any{"b": []any{0, func() {}}}, "Write")
	if told := wantCode(t, err, asg.ValueUnsupported); told.Message != "value/b/1 cannot be sent: a func is no value." {
		t.Error(told.Message)
	}
	_, err = db.Commit(ctx, []asg.Edit{asg.SetEdit("/a", 1), asg.SetEdit("/b", []any{func() {}})}, "Write")
	if told := wantCode(t, err, asg.ValueUnsupported); told.Message != "edits/1/value/0 cannot be sent: a func is no value." {
		t.Error(told.Message)
	}
	_, err = db.Set(ctx, "/a", 1, "Write", asg.WithLimit(3))
	wantCode(t, err, asg.InputInvalid)
	_, err = db.Call(ctx, "no_such")
	wantCode(t, err, asg.InputInvalid)
	if _, err := asg.Get[int](ctx, db, "/"); err == nil {
		t.Error("a map is no int")
	}
	if must[*asg.GetResult](t)(db.Get(ctx, "/")).Value.String() != "{}" {
		t.Error("something was written")
	}
}

func TestAConflictListsBothSides(t *testing.T) {
	ctx := context.Background()
	db := open(t, asg.Memory)
	must[*asg.Commit](t)(db.Set(ctx, "/a", 1, "Begin"))
	must[*asg.Ref](t)(db.Branch(ctx, "other"))
	must[*asg.Commit](t)(db.Set(ctx, "/a", 2, "Ours"))
	must[*asg.Commit](t)(db.On("other").Set(ctx, "/a", 3, "Theirs"))
	_, err := db.Merge(ctx, "other")
	conflicts := wantCode(t, err, asg.MergeConflict).Conflicts()
	if len(conflicts) != 1 || conflicts[0].Path != "/a" || conflicts[0].Ours.String() != "2" || conflicts[0].Theirs.String() != "3" {
		t.Errorf("the conflicts are %+v", conflicts)
	}
	must[*asg.Merged](t)(db.Merge(ctx, "other", asg.WithResolutions(map[string]any{"/a": "theirs"})))
}

func TestManyGoroutinesGetTheirOwnAnswers(t *testing.T) {
	ctx := context.Background()
	db := open(t, asg.Memory)
	var all sync.WaitGroup
	for worker := range 16 {
		all.Add(1)
		go func() {
			defer all.Done()
			path := "/" + string(rune('a'+worker))
			for n := range 20 {
				if _, err := db.Set(ctx, path, worker*1000+n, "Write"); err != nil {
					t.Error(err)
					return
				}
				if got, err := asg.Get[int](ctx, db, path); err != nil || got != worker*1000+n {
					t.Errorf("%s is %d, %v", path, got, err)
				}
			}
		}()
	}
	all.Wait()
}

func TestAWatchGivesWhatComesAfterItBegan(t *testing.T) {
	db := open(t, asg.Memory)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	must[*asg.Commit](t)(db.Set(ctx, "/before", 0, "Before"))
	watch := must[*asg.Stream[asg.JournalEvent]](t)(db.Watch(ctx, asg.WithPath("/n")))
	const many = 300
	go func() {
		for n := range many {
			if _, err := db.Set(ctx, "/n", n, "Count"); err != nil {
				t.Error(err)
			}
		}
	}()
	count := 0
	for event, err := range watch.All() {
		if err != nil || event.Commit.Intent.Description != "Count" || event.Changes[0].After.String() != string(must[asg.Value](t)(asg.Value(itoa(count)), nil)) {
			t.Fatalf("event %d is %+v, %v", count, event, err)
		}
		if count++; count == many {
			break
		}
	}
	if _, err := watch.Next(); err == nil {
		t.Error("a closed stream goes on")
	}
	again := must[*asg.Stream[asg.JournalEvent]](t)(db.Watch(ctx))
	go cancel()
	if _, err := again.Next(); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func itoa(n int) string { return big.NewInt(int64(n)).String() }

func TestARequestThatTheCoreDoesNotReadIsRefusedAndNotWaitedFor(t *testing.T) {
	ctx := context.Background()
	db := open(t, asg.Memory)
	var deep any
	for range 200 {
		deep = []any{deep}
	}
	for _, value := range []any{deep, asg.Value(`{"a":1,"a":2}`), asg.Value("12345678901234567890"), asg.Value(`"\ud800"`)} {
		_, err := db.Set(ctx, "/a", value, "Write")
		if told := wantCode(t, err, "body-refused"); told.Hint == "" {
			t.Error("there is no hint")
		}
	}
	must[*asg.Commit](t)(db.Set(ctx, "/a", 1, "Write"))
}

func TestAnExportIsWhatAnImportTakes(t *testing.T) {
	ctx := context.Background()
	db := open(t, asg.Memory)
	must[*asg.Commit](t)(db.Set(ctx, "/a", "text", "Write"))
	text := ""
	for line, err := range must[*asg.Stream[string]](t)(db.Export(ctx)).All() {
		if err != nil {
			t.Fatal(err)
		}
		text += line
	}
	other := open(t, asg.Memory)
	must[*asg.ImportResult](t)(other.Import(ctx, text))
	if got := must[string](t)(asg.Get[string](ctx, other, "/a")); got != "text" {
		t.Error(got)
	}
}

func TestASchemaKeepsItsOwnKeys(t *testing.T) {
	ctx := context.Background()
	db := open(t, asg.Memory)
	schema := map[string]any{"$defs": map[string]any{"n": map[string]any{"type": "integer"}}, "$ref": "#/$defs/n"}
	must[*asg.Commit](t)(db.AttachSchema(ctx, "/n", schema, "Only numbers"))
	_, err := db.Set(ctx, "/n", "text", "Write")
	wantCode(t, err, "schema-violation")
	must[*asg.Commit](t)(db.Set(ctx, "/n", 1, "Write"))
}

func TestBadAddressesAreToldAtOnce(t *testing.T) {
	ctx := context.Background()
	folder := t.TempDir()
	if _, err := asg.Open(ctx, folder); err == nil {
		t.Error("a folder is no store")
	} else {
		var told *asg.Error
		if !errors.As(err, &told) || told.Code == "" || told.Code == "internal" {
			t.Errorf("the error is %v", err)
		}
	}
	other := filepath.Join(folder, "other.db")
	if err := os.WriteFile(other, []byte("this is no database, but long enough to be looked at"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := asg.Open(ctx, other); err == nil {
		t.Error("a text is no store")
	}
	_, err := asg.Open(ctx, filepath.Join(folder, "absent.db"), asg.ReadOnly())
	if err == nil {
		t.Error("a missing store was opened for reading")
	}
	_, err = asg.Open(ctx, "http://localhost:1")
	wantCode(t, err, "scheme-unknown")
	_, err = asg.Connect(ctx, "http://127.0.0.1:1", "")
	wantCode(t, err, asg.ServerUnreachable)
	_, err = asg.Connect(ctx, "state.db", "")
	wantCode(t, err, asg.InputInvalid)
	db := must[*asg.Client](t)(asg.Open(ctx, asg.Memory))
	db.Close()
	db.Close()
	_, err = db.Log(ctx)
	wantCode(t, err, asg.ClientClosed)
}
