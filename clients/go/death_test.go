package asg

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// The tests start themselves as a Node that misbehaves: ASG_FAKE says how.
func TestMain(m *testing.M) {
	if fake := os.Getenv("ASG_FAKE"); fake != "" && (os.Args[1] == "--version" || os.Args[1] == "--disable-warning=ExperimentalWarning") {
		playNode(fake)
		return
	}
	if os.Getenv("ASG_LEAVE") != "" {
		leave()
	}
	os.Exit(m.Run())
}

// leave opens a store and ends the program without closing it.
func leave() {
	db, err := Open(context.Background(), Memory)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(db.link.(*core).running.command.Process.Pid)
	os.Exit(0)
}

func playNode(fake string) {
	if os.Args[1] == "--version" {
		version, _, _ := strings.Cut(fake, " ")
		fmt.Println(version)
		return
	}
	if strings.Contains(fake, "ends-at-once") {
		fmt.Fprintln(os.Stderr, "this core has no mind to work")
		os.Exit(3)
	}
	input := bufio.NewReader(os.Stdin)
	for count := 1; ; count++ {
		if _, err := input.ReadString('\n'); err != nil {
			return
		}
		switch count {
		case 1:
			fmt.Println(`{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"limits":{"line_bytes":1000,"stream_items":128}}}`)
		case 2:
			fmt.Println(`{"jsonrpc":"2.0","id":2,"result":{}}`)
		default:
			// The last line is torn: it is no answer.
			fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":{"id":"torn"}}`, count)
			return
		}
	}
}

func withFake(t *testing.T, fake string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASG_FAKE", fake)
	t.Setenv("ASG_NODE", self)
	t.Setenv("PATH", "")
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	versions.Clear()
	t.Cleanup(versions.Clear)
}

func codeOf(err error) Code {
	var told *Error
	errors.As(err, &told)
	if told == nil {
		return ""
	}
	return told.Code
}

func TestAWriteThatIsNotAnsweredTwiceHasAnUnknownOutcomeAndAKey(t *testing.T) {
	withFake(t, "v24.15.0")
	ctx := context.Background()
	db, err := Open(ctx, "state.db")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.link.(*core).patience = 100
	_, err = db.Set(ctx, "/a", 1, "Write")
	var told *Error
	if !errors.As(err, &told) || told.Code != OutcomeUnknown || len(told.Key) != 32 {
		t.Errorf("the error is %#v", err)
	}
	_, err = db.Set(ctx, "/a", 1, "Write", WithIdempotencyKey("mine"))
	if errors.As(err, &told); told.Key != "mine" {
		t.Errorf("the key is %q", told.Key)
	}
	if _, err = db.Speculate(ctx); codeOf(err) != OutcomeUnknown {
		t.Errorf("the error is %v", err)
	}
	if _, err = db.Set(ctx, "/a", strings.Repeat("x", 1000), "Write"); codeOf(err) != BodyTooLarge {
		t.Errorf("the error is %v", err)
	}
}

func TestTheNextCoreOpensTheSameFileFromAnotherFolder(t *testing.T) {
	ctx := context.Background()
	before, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(before)
	if err := os.Chdir(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	db, err := Open(ctx, "state.db")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Set(ctx, "/a", 1, "Begin"); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	if err := os.Chdir(elsewhere); err != nil {
		t.Fatal(err)
	}
	db.link.(*core).running.command.Process.Kill()
	if got, err := Get[int](ctx, db, "/a"); got != 1 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
	if made, _ := os.ReadDir(elsewhere); len(made) > 0 {
		t.Errorf("%s was made", made[0].Name())
	}
}

func TestACoreThatEndsAgainAndAgainIsNotStartedForEver(t *testing.T) {
	ctx := context.Background()
	withFake(t, "v24.15.0")
	db, err := Open(ctx, "state.db")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 2 {
		if _, err = db.Log(ctx); err == nil {
			t.Error("a torn line was taken for an answer")
		}
	}
	if codeOf(err) != CoreDied {
		t.Errorf("the error is %v", err)
	}
	withFake(t, "v24.15.0 ends-at-once")
	_, err = Open(ctx, "state.db")
	if codeOf(err) != CoreDied || !strings.Contains(err.Error(), "no mind to work") {
		t.Errorf("the error is %v", err)
	}
}

func TestANodeThatIsTooOldOrAbsentIsToldWithWhatToDo(t *testing.T) {
	ctx := context.Background()
	bundle := filepath.Join(t.TempDir(), bundleName)
	if err := os.WriteFile(bundle, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASG_BUNDLE", bundle)
	for _, version := range []string{"v18.20.0", "v20.20.0", "v22.13.0", "v22.22.2", "v23.9.0", "v24.14.9", "nonsense"} {
		withFake(t, version)
		if _, err := Open(ctx, Memory); codeOf(err) != NodeNotFound || !strings.Contains(err.Error(), "24.15") {
			t.Errorf("%s: the error is %v", version, err)
		}
	}
	t.Setenv("ASG_NODE", filepath.Join(t.TempDir(), "absent"))
	if _, err := Open(ctx, Memory); codeOf(err) != NodeNotFound {
		t.Errorf("the error is %v", err)
	}
	t.Setenv("ASG_NODE", "")
	if _, err := Open(ctx, Memory); codeOf(err) != NodeNotFound || !strings.Contains(err.Error(), "no Node") {
		t.Errorf("the error is %v", err)
	}
	for version, want := range map[[3]int]bool{{22, 22, 3}: true, {24, 15, 0}: true, {25, 0, 0}: true, {23, 11, 0}: false, {24, 14, 9}: false} {
		if accepts(version, false) != want {
			t.Errorf("%v", version)
		}
	}
	if !accepts([3]int{20, 19, 0}, true) || accepts([3]int{20, 18, 9}, true) {
		t.Error("the driver makes a Node from 20.19 usable")
	}
}

func TestAStoreInMemoryIsLostWithItsCoreAndNeverSilentlyEmpty(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, Memory)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.link.(*core).running.kill()
	for range 2 {
		if _, err := db.Log(ctx); codeOf(err) != StoreLost {
			t.Errorf("the error is %v", err)
		}
	}
}

// Under load each write is made exactly once, however often the core is killed, and a watch sees each.
func TestKilledCoresLoseNothingAndRepeatNothing(t *testing.T) {
	kills := 5
	if os.Getenv("ASG_SOAK") == "1" {
		kills = 200
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	child := db.link.(*core)
	child.patience = kills + 10
	watch, err := db.Watch(ctx, WithAfter("0"))
	if err != nil {
		t.Fatal(err)
	}
	var written atomic.Int64
	var done atomic.Bool
	var all sync.WaitGroup
	for worker := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := 0; !done.Load(); n++ {
				_, err := db.Set(ctx, "/all/-", fmt.Sprintf("%d.%d", worker, n), "Append")
				// Killed twice before its answer: its key repeats it.
				for told := (*Error)(nil); errors.As(err, &told) && told.Code == OutcomeUnknown; {
					_, err = db.Set(ctx, "/all/-", fmt.Sprintf("%d.%d", worker, n), "Append", WithIdempotencyKey(told.Key))
				}
				if err != nil {
					t.Error(err)
					return
				}
				written.Add(1)
			}
		}()
	}
	random := rand.New(rand.NewSource(7))
	var killed []int
	for range kills {
		for goal := written.Load() + 1 + random.Int63n(40); written.Load() < goal && !t.Failed(); {
			if _, err := Get[any](ctx, db, "/"); err != nil && !errors.Is(err, OutcomeUnknown) && !errors.Is(err, PathNotFound) {
				t.Error(err)
			}
		}
		p, err := child.process(ctx)
		if err != nil {
			t.Fatal(err)
		}
		killed = append(killed, p.command.Process.Pid)
		p.kill()
	}
	done.Store(true)
	all.Wait()
	got, err := Get[[]string](ctx, db, "/all")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, entry := range got {
		if seen[entry] {
			t.Errorf("%s was written twice", entry)
		}
		seen[entry] = true
	}
	if int64(len(got)) != written.Load() {
		t.Errorf("%d writes were answered, and %d are there", written.Load(), len(got))
	}
	for at := range got {
		event, err := watch.Next()
		if err != nil || len(event.Changes) == 0 || !seen[strings.Trim(event.Changes[0].After.String(), `["]`)] && at > 0 {
			t.Fatalf("event %d is %+v, %v", at, event, err)
		}
	}
	if report, err := db.Verify(ctx); err != nil || !report.Ok {
		t.Errorf("verify says %+v, %v", report, err)
	}
	for _, pid := range killed {
		if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err == nil {
			t.Errorf("process %d is still there", pid)
		}
	}
	t.Logf("%d kills, %d writes", kills, len(got))
}

func TestAWatchThatSawNothingGoesOnFromWhereItBegan(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "state.db")
	db, err := Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	other, err := Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, when := range []string{"first", "second"} {
		watch, err := db.Watch(ctx)
		if err != nil {
			t.Fatal(err)
		}
		db.link.(*core).running.kill()
		if _, err := other.Set(ctx, "/a", when, "Write "+when); err != nil {
			t.Fatal(err)
		}
		if event, err := watch.Next(); err != nil || event.Commit.Intent.Description != "Write "+when {
			t.Errorf("the event is %+v, %v", event, err)
		}
		watch.Close()
	}
}

func TestTheEmbeddedCoreIsWrittenToThePrivateCacheOnce(t *testing.T) {
	content, err := bundle.ReadFile("bundle/" + bundleName)
	if err != nil {
		t.Fatal("the core is not in clients/go/bundle: node scripts/clients.mjs go copies it there")
	}
	t.Setenv("ASG_BUNDLE", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	var found files
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			if _, err := unpack(); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	if found, err = unpack(); err != nil {
		t.Fatal(err)
	}
	if written, err := os.ReadFile(found.bundle); err != nil || string(written) != string(content) {
		t.Errorf("the file is not what was embedded: %v", err)
	}
	folder := filepath.Dir(found.bundle)
	if stat, err := os.Stat(folder); err != nil || stat.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", stat.Mode(), err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("the folder has %d files", len(entries))
	}
	if err := os.WriteFile(found.bundle, []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := unpack(); err != nil {
		t.Fatal(err)
	}
	if written, _ := os.ReadFile(found.bundle); string(written) != string(content) {
		t.Error("a changed file is used")
	}
	t.Setenv("ASG_BUNDLE", filepath.Join(folder, "absent.mjs"))
	if _, err := findFiles(); codeOf(err) != BundleMissing {
		t.Errorf("the error is %v", err)
	}
}
