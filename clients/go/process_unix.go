//go:build unix

package asg

import (
	"os"
	"os/exec"
	"syscall"
)

const nodeName = "node"

// detach gives the core a session of its own, so that Ctrl-C in the terminal reaches this program alone.
func detach(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// isPrivate: a folder of this user that nobody else can write to.
func isPrivate(folder string) bool {
	found, err := os.Stat(folder)
	if err != nil || found.Mode().Perm()&0o022 != 0 {
		return false
	}
	stat, ok := found.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
