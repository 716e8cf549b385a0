package asg

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Code says what went wrong. It is stable, and the same in every language and on every surface:
//
//	if errors.Is(err, asg.PathNotFound) { … }
type Code string

// Codes of this client, and those of the core that programs branch on most. docs/operations.md tells of others.
const (
	// NodeNotFound: no Node was found, or only ones that are too old.
	NodeNotFound Code = "node-not-found"
	// BundleMissing: the core is not in this build of the package.
	BundleMissing Code = "bundle-missing"
	// CoreDied: the core ended three times within ten seconds, or could not start.
	CoreDied Code = "core-died"
	// OutcomeUnknown: the call was sent, and no answer came. Error.Key repeats it safely, where there is one.
	OutcomeUnknown Code = "outcome-unknown"
	// StoreLost: the store was in the memory of a core that ended.
	StoreLost Code = "store-lost"
	// ClientClosed: Close was called before.
	ClientClosed Code = "client-closed"
	// ValueUnsupported: a value cannot be sent. The message says where it is.
	ValueUnsupported Code = "value-unsupported"
	// ValueUnfit: a value does not fit the type that it was asked for in.
	ValueUnfit Code = "value-unfit"
	// InputInvalid: a field is missing, unknown or out of range.
	InputInvalid Code = "input-invalid"
	// ServerUnreachable: the server does not answer.
	ServerUnreachable Code = "server-unreachable"
	// ServerUnknown: what answers is no AgentStateGraph server.
	ServerUnknown Code = "server-unknown"
	// BodyTooLarge: the request is larger than the core accepts.
	BodyTooLarge Code = "body-too-large"
	// PathNotFound: there is nothing at the path.
	PathNotFound Code = "path-not-found"
	// RefNotFound: there is no such branch, tag or commit.
	RefNotFound Code = "ref-not-found"
	// MergeConflict: both sides changed the same place. Error.Conflicts lists them.
	MergeConflict Code = "merge-conflict"
)

// Error makes a Code usable with errors.Is.
func (c Code) Error() string { return string(c) }

// An Error is what every call of this package fails with. errors.As gives it, errors.Is compares its code.
type Error struct {
	Code    Code   `json:"code"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	// Hint says what to do about it.
	Hint string `json:"hint,omitempty"`
	// Data has the particulars of the code.
	Data Value `json:"data,omitempty"`
	// Key is the idempotency key of a write whose outcome is unknown: the same call with WithIdempotencyKey is made once.
	Key   string `json:"key,omitempty"`
	cause error
}

func (e *Error) Error() string {
	text := "asg: " + e.Message
	if e.Hint != "" {
		text = strings.TrimRight(text, ".") + ". " + e.Hint
	}
	return fmt.Sprintf("%s (%s)", text, e.Code)
}

// Unwrap gives what caused it, such as context.Canceled.
func (e *Error) Unwrap() error { return e.cause }

// Is compares with a Code.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// Conflicts are those of a merge that was refused with MergeConflict.
func (e *Error) Conflicts() []Conflict {
	var data struct{ Conflicts []Conflict }
	if json.Unmarshal(e.Data, &data) != nil {
		return nil
	}
	return data.Conflicts
}

// rpcError is the error of an answer.
type rpcError struct {
	Message string `json:"message"`
	Data    struct {
		Code Code   `json:"code"`
		Kind string `json:"kind"`
		Hint string `json:"hint"`
		Data Value  `json:"data"`
	} `json:"data"`
}

func (e *rpcError) toError() *Error {
	return &Error{Code: e.Data.Code, Kind: e.Data.Kind, Message: e.Message, Hint: e.Data.Hint, Data: e.Data.Data}
}

// outcomeUnknown is for a call that was sent and not answered.
func outcomeUnknown(op *operation, key string, cause error) *Error {
	hint := "Read whether it was done before you repeat it."
	if key != "" {
		hint = "Repeat the same call with this idempotency key: it is done once."
	}
	return &Error{
		Code: OutcomeUnknown, Kind: "unavailable", Key: key, Hint: hint, cause: cause,
		Message: fmt.Sprintf("%s was sent, and its answer did not come.", op.name),
	}
}
