//go:build windows

package asg

import (
	"os/exec"
	"syscall"
)

const nodeName = "node.exe"

// detach gives the core a process group of its own, so that Ctrl-C in the console reaches this program alone.
func detach(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// isPrivate: the cache of a user is not shared on Windows.
func isPrivate(string) bool { return true }
