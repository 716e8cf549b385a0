// Package asg keeps the state of agents in a history that says who, why and on whose authority.
//
// It talks to the core of AgentStateGraph: Open starts it as a child process on a file, Connect talks to a running server. Every
// operation is a method, with what it needs as arguments and everything else as options:
//
//	db, err := asg.Open(ctx, "state.db")
//	_, err = db.Set(ctx, "/cluster/replicas", 3, "Scale up", asg.WithReasoning("Traffic rose"), asg.WithConfidence(0.85))
//	replicas, err := asg.Get[int](ctx, db, "/cluster/replicas")
//
// A Client is used by many goroutines at once.
package asg

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Version of this client.
const Version = "0.1.0"

// Memory as the address of a store keeps it in the memory of the core, for as long as the Client is open.
const Memory = ""

// A Client is a way to one store: a handle that says who calls and on which branch.
type Client struct {
	link   link
	caller Caller
	ref    string
}

// Caller says who calls. Each handle has its own; see Client.With.
type Caller struct {
	// Agent is the name that commits are made under. A server knows it by the key, and refuses a name.
	Agent string `json:"agent,omitempty"`
	// Key of a principal: the call has its rights and no others.
	Key string `json:"key,omitempty"`
	// Session to act in.
	Session string `json:"session,omitempty"`
	// Trace that the call belongs to; commits carry it.
	Trace string `json:"trace,omitempty"`
	// Mode narrows what calls may do: write, read-only or propose. On a server the key decides.
	Mode string `json:"mode,omitempty"`
}

// link is the way to the operations: a core of our own or a server.
type link interface {
	call(ctx context.Context, r *request, caller Caller) (json.RawMessage, error)
	stream(ctx context.Context, r *request, caller Caller) (source, error)
	close() error
}

// An OpenOption is a setting of Open.
type OpenOption func(*opening)

type opening struct {
	Address string `json:"address,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Mode    string `json:"mode,omitempty"`
}

// Agent is the agent of calls whose handle names none.
func Agent(name string) OpenOption { return func(o *opening) { o.Agent = name } }

// ReadOnly refuses writes, and does not create a store that is missing.
func ReadOnly() OpenOption { return func(o *opening) { o.Mode = "read-only" } }

// Open opens a store: a file, a URL such as redis://host, or Memory. It starts the core as a child process, which ends with Close or
// with this process. The core needs Node: ASG_NODE, or one on the PATH.
func Open(ctx context.Context, address string, options ...OpenOption) (*Client, error) {
	if isServer(address) {
		return nil, &Error{
			Code: "scheme-unknown", Kind: "usage", Message: address + " is the address of a server, and no store.",
			Hint: "Use Connect, with its token.",
		}
	}
	opened := opening{Address: resolved(address)}
	for _, option := range options {
		option(&opened)
	}
	link, err := openCore(ctx, opened)
	if err != nil {
		return nil, err
	}
	return &Client{link: link}, nil
}

// scheme begins a URL. One letter and a colon is a drive of Windows.
var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:`)

func isServer(address string) bool {
	return strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://")
}

// resolved is a file by its whole name: another core is started in the folder where this process is then.
func resolved(address string) string {
	if address == Memory || address == ":memory:" || scheme.MatchString(address) {
		return address
	}
	if whole, err := filepath.Abs(address); err == nil {
		return whole
	}
	return address
}

// Connect talks to a server (asg serve) with the token of the operator or the key of a principal. It asks the server once, so that a
// wrong address or token is told here.
func Connect(ctx context.Context, url, token string) (*Client, error) {
	link, err := openServer(url, token)
	if err != nil {
		return nil, err
	}
	client := &Client{link: link}
	if _, err := client.ListNamespaces(ctx); err != nil {
		return nil, err
	}
	return client, nil
}

// Close ends the core after it has finished what it accepted. All handles of the client are closed with it.
func (c *Client) Close() error { return c.link.close() }

// As is a handle whose commits are made under another agent.
func (c *Client) As(agent string) *Client {
	caller := c.caller
	caller.Agent = agent
	return c.With(caller)
}

// With is a handle for another caller.
func (c *Client) With(caller Caller) *Client {
	other := *c
	other.caller = caller
	return &other
}

// On is a handle whose calls read and write another branch, where they do not name one with WithRef.
func (c *Client) On(branch string) *Client {
	other := *c
	other.ref = branch
	return &other
}

// An Option is a field of an operation that can be left out.
type Option struct {
	field string
	value any
}

// Field is an option by name, for fields that this version has no function for.
func Field(name string, value any) Option { return Option{name, value} }

// Call makes any operation by name. Its result is as docs/operations.md says.
func (c *Client) Call(ctx context.Context, name string, options ...Option) (Value, error) {
	r, err := c.request(name, options)
	if err != nil {
		return nil, err
	}
	answer, err := c.link.call(ctx, r, c.caller)
	return Value(answer), err
}

// Get reads what is at a path, with the commit that it was read from. The function Get gives the value in a type of yours.
func (c *Client) Get(ctx context.Context, path string, options ...Option) (*GetResult, error) {
	return call[GetResult](ctx, c, "get", given(options, Option{"path", path}))
}

// Get reads the value at a path in a type of yours.
func Get[T any](ctx context.Context, c *Client, path string, options ...Option) (T, error) {
	var value T
	got, err := c.Get(ctx, path, options...)
	if err == nil {
		err = got.Value.Into(&value)
	}
	return value, err
}

// SetEdit is an edit of Commit and SpecModify that writes a value.
func SetEdit(path string, value any) Edit {
	if value == nil {
		value = Value("null")
	}
	return Edit{Op: "set", Path: path, Value: value}
}

// DeleteEdit is an edit that removes what is at a path.
func DeleteEdit(path string) Edit { return Edit{Op: "delete", Path: path} }

func (c *Client) request(name string, options []Option) (*request, error) {
	op := table[name]
	if op == nil {
		return nil, invalid(fmt.Sprintf("There is no operation %q.", name))
	}
	r := &request{op: op, parts: make([]part, 0, len(options)+2)}
	for _, option := range options {
		if op.find(option.field) == nil {
			return nil, invalid(fmt.Sprintf("%s has no field %s.", name, option.field))
		}
		text, err := encodeField(option)
		if err != nil {
			return nil, err
		}
		r.set(option.field, text)
	}
	if c.ref != "" && op.find("ref") != nil && r.find("ref") == nil {
		r.set("ref", appendText(nil, c.ref))
	}
	if op.find(keyField) != nil {
		if text := r.find(keyField); text != nil {
			if err := json.Unmarshal(text, &r.key); err != nil {
				return nil, invalid(keyField + " is a text.")
			}
		} else {
			r.key = newKey()
			r.set(keyField, appendText(nil, r.key))
		}
	}
	r.write()
	return r, nil
}

// encodeField writes a field. A JSON Schema has keys such as $ref, which are no tags.
func encodeField(option Option) ([]byte, error) {
	if option.field != "schema" {
		return encode(option.field, option.value)
	}
	text, err := json.Marshal(option.value)
	if err != nil {
		return nil, invalid("schema: " + err.Error() + ".")
	}
	return text, nil
}

func invalid(message string) *Error {
	return &Error{Code: InputInvalid, Kind: "usage", Message: message, Hint: "Nothing was sent."}
}

// newKey is an idempotency key that no other call has.
func newKey() string {
	var bytes [16]byte
	rand.Read(bytes[:])
	return hex.EncodeToString(bytes[:])
}

func call[T any](ctx context.Context, c *Client, name string, options []Option) (*T, error) {
	answer, err := c.Call(ctx, name, options...)
	if err != nil {
		return nil, err
	}
	result := new(T)
	if err := json.Unmarshal(answer, result); err != nil {
		return nil, &Error{
			Code: ValueUnfit, Kind: "unsupported", cause: err,
			Message: fmt.Sprintf("The result of %s has another shape than this client knows: %v.", name, err),
			Hint:    "The core or server may be newer. Call gives the result as it is.",
		}
	}
	return result, nil
}

// given puts the arguments of a method before its options.
func given(options []Option, fields ...Option) []Option { return append(fields, options...) }

// moment is a time as fields carry it; anything else stays as it is.
func moment(value any) any {
	if at, ok := value.(time.Time); ok {
		return at.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return value
}

func pages[T any](options []Option, page func([]Option) ([]T, string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		cursor := ""
		for {
			asked := options
			if cursor != "" {
				asked = append(append([]Option{}, options...), WithCursor(cursor))
			}
			items, next, err := page(asked)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			cursor = next
		}
	}
}
