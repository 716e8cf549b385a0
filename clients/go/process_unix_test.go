//go:build unix

package asg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestACancelledCallLeavesTheClientUsable(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, Memory)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	core := db.link.(*core).running.command.Process
	// A core that is stopped answers when it goes on, after the caller has gone.
	core.Signal(syscall.SIGSTOP)
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	_, err = db.Set(short, "/a", 1, "Write")
	if codeOf(err) != OutcomeUnknown || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	if _, err = db.Log(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	core.Signal(syscall.SIGCONT)
	var told *Error
	if errors.As(err, &told) {
		t.Error("a read has no outcome")
	}
	for n := range 3 {
		if _, err := db.Set(ctx, "/b", n, "Write"); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Get[int](ctx, db, "/a"); err != nil || got != 1 {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := db.Set(short, "/c", 1, "Write"); !errors.Is(err, context.DeadlineExceeded) || codeOf(err) != "" {
		t.Errorf("nothing was sent, and the error is %v", err)
	}
}

func TestTheCoreHasItsOwnSessionAndEnvironment(t *testing.T) {
	t.Setenv("NODE_OPTIONS", "--no-such-option")
	db, err := Open(context.Background(), Memory)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	pid := db.link.(*core).running.command.Process.Pid
	if session, _, _ := syscall.Syscall(syscall.SYS_GETSID, uintptr(pid), 0, 0); int(session) != pid {
		t.Errorf("the session of %d is %d", pid, session)
	}
	isCached := false
	environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range strings.Split(string(environment), "\x00") {
		name, value, _ := strings.Cut(entry, "=")
		if name == "NODE_OPTIONS" {
			t.Error("it inherits NODE_OPTIONS")
		}
		if name == "NODE_COMPILE_CACHE" {
			isCached = isPrivate(value)
		}
	}
	if !isCached {
		t.Error("it keeps what it compiled nowhere, or where others can write")
	}
}

func TestTheCoreEndsWithTheProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := exec.Command(self, "leave")
	program.Env = append(os.Environ(), "ASG_LEAVE=1")
	said, err := program.Output()
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	fmt.Sscan(string(said), &pid)
	for !isGone(pid) {
		time.Sleep(time.Millisecond)
	}
}

// isGone: the process has ended; one that nobody waits for may still be listed.
func isGone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}
