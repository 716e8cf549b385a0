package asg

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// driver is the package that gives an older Node a SQLite that the core accepts.
const driver = "node_modules/@photostructure/sqlite"

// accepts tells whether the SQLite of a Node is one that the core accepts: 22.22.3 or a later 22, 24.15 or later; 20.19 or later with
// the driver beside the core.
func accepts(version [3]int, hasDriver bool) bool {
	switch major := version[0]; {
	case major > 24:
		return true
	case major == 24 && atLeast(version, 24, 15, 0), major == 22 && atLeast(version, 22, 22, 3):
		return true
	}
	return hasDriver && atLeast(version, 20, 19, 0)
}

func atLeast(version [3]int, major, minor, patch int) bool {
	for at, least := range []int{major, minor, patch} {
		if version[at] != least {
			return version[at] > least
		}
	}
	return true
}

// findNode gives a Node that the core accepts: ASG_NODE, then those on the PATH.
func findNode(ctx context.Context, bundle string) (string, error) {
	var refused []string
	hasDriver := isBeside(bundle)
	for _, path := range candidates() {
		version, err := versionOf(ctx, path)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			refused = append(refused, fmt.Sprintf("%s does not run", path))
		} else if accepts(version, hasDriver) {
			return path, nil
		} else {
			refused = append(refused, fmt.Sprintf("%s is %d.%d.%d", path, version[0], version[1], version[2]))
		}
	}
	message := "There is no Node on the PATH."
	if len(refused) > 0 {
		message = "No Node that was found can be used: " + strings.Join(refused, ", ") + "."
	}
	return "", &Error{
		Code: NodeNotFound, Kind: "unavailable", Message: message,
		Hint: "Install Node 24.15 or later (or 22.22.3 or a later 22), or set ASG_NODE to one.",
	}
}

func candidates() []string {
	var paths []string
	if named := os.Getenv("ASG_NODE"); named != "" {
		paths = append(paths, named)
	}
	seen := map[string]bool{}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(folder, nodeName)
		found, err := os.Stat(path)
		if folder == "" || err != nil || found.IsDir() || seen[path] {
			continue
		}
		seen[path] = true
		paths = append(paths, path)
	}
	return paths
}

// isBeside looks for the driver where Node would: in the folder of the core and those above it.
func isBeside(bundle string) bool {
	folder, err := filepath.Abs(filepath.Dir(bundle))
	for err == nil {
		if _, missing := os.Stat(filepath.Join(folder, driver)); missing == nil {
			return true
		}
		above := filepath.Dir(folder)
		if above == folder {
			break
		}
		folder = above
	}
	return false
}

type asked struct {
	version [3]int
	changed time.Time
}

// versions remembers what a Node said, for as long as its file does not change.
var versions sync.Map

func versionOf(ctx context.Context, path string) ([3]int, error) {
	found, err := os.Stat(path)
	if err != nil {
		return [3]int{}, err
	}
	if known, ok := versions.Load(path); ok && known.(asked).changed.Equal(found.ModTime()) {
		return known.(asked).version, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, path, "--version")
	command.Env = environment("")
	said, err := command.Output()
	if err != nil {
		return [3]int{}, err
	}
	var version [3]int
	parts := strings.SplitN(strings.TrimPrefix(strings.TrimSpace(string(said)), "v"), ".", 3)
	for at, part := range parts {
		digits, _, _ := strings.Cut(part, "-")
		if version[at], err = strconv.Atoi(digits); err != nil {
			return version, err
		}
	}
	versions.Store(path, asked{version, found.ModTime()})
	return version, nil
}

// environment is ours without NODE_OPTIONS, which is meant for other programs.
func environment(compiled string) []string {
	var kept []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.EqualFold(name, "NODE_OPTIONS") && !strings.EqualFold(name, "NODE_COMPILE_CACHE") {
			kept = append(kept, entry)
		}
	}
	if compiled != "" {
		kept = append(kept, "NODE_COMPILE_CACHE="+compiled)
	}
	return kept
}
