package asg

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"
)

//go:embed bundle
var bundle embed.FS

const bundleName = "asg-rpc.mjs"

// files are what a core is started from.
type files struct {
	bundle string
	// compiled is the folder in which Node keeps what it compiled.
	compiled string
}

var unpacked = sync.OnceValues(unpack)

// findFiles gives the core as a file: ASG_BUNDLE, or the embedded one in the user's cache.
func findFiles() (files, error) {
	if path := os.Getenv("ASG_BUNDLE"); path != "" {
		if _, err := os.Stat(path); err != nil {
			return files{}, missing("ASG_BUNDLE names " + path + ", which cannot be read.")
		}
		folder, err := privateFolder()
		return files{path, filepath.Join(folder, "compiled")}, err
	}
	return unpacked()
}

// unpack writes the embedded core into the cache, under the hash of its content.
func unpack() (files, error) {
	content, err := bundle.ReadFile("bundle/" + bundleName)
	if err != nil {
		return files{}, missing("This build of the package does not contain the core.")
	}
	folder, err := privateFolder()
	if err != nil {
		return files{}, err
	}
	hash := sha256.Sum256(content)
	own := filepath.Join(folder, hex.EncodeToString(hash[:16]))
	found := files{filepath.Join(own, bundleName), filepath.Join(folder, "compiled")}
	if written, err := os.ReadFile(found.bundle); err == nil && bytes.Equal(written, content) {
		return found, nil
	}
	if err := os.MkdirAll(own, 0o700); err != nil {
		return files{}, unwritable(own, err)
	}
	fresh, err := os.CreateTemp(own, ".new-*")
	if err != nil {
		return files{}, unwritable(own, err)
	}
	defer os.Remove(fresh.Name())
	_, err = fresh.Write(content)
	if closed := fresh.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(fresh.Name(), found.bundle)
	}
	if err != nil {
		return files{}, unwritable(own, err)
	}
	return found, nil
}

// privateFolder is ours alone in the user's cache; where there is no cache, a new temporary one.
func privateFolder() (string, error) {
	if cache, err := os.UserCacheDir(); err == nil {
		folder := filepath.Join(cache, "agentstategraph")
		if os.MkdirAll(folder, 0o700) == nil && isPrivate(folder) && canWrite(folder) {
			return folder, nil
		}
	}
	return temporaryFolder()
}

var temporaryFolder = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "agentstategraph-")
	if err != nil {
		return "", unwritable(os.TempDir(), err)
	}
	return folder, nil
})

func canWrite(folder string) bool {
	probe, err := os.CreateTemp(folder, ".probe-*")
	if err != nil {
		return false
	}
	probe.Close()
	return os.Remove(probe.Name()) == nil
}

func missing(message string) *Error {
	return &Error{
		Code: BundleMissing, Kind: "unavailable", Message: message,
		Hint: "Set ASG_BUNDLE to an asg-rpc.mjs, which npm run build makes in packages/server/lib/rpc.",
	}
}

func unwritable(folder string, cause error) *Error {
	return &Error{
		Code: "cache-unavailable", Kind: "unavailable", cause: cause,
		Message: "The core cannot be written to " + folder + ": " + cause.Error() + ".",
		Hint:    "Set XDG_CACHE_HOME or TMPDIR to a folder that can be written, or ASG_BUNDLE to the file.",
	}
}
