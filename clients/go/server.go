package asg

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// mostReconnects is how often in a row a watch tries to reach a server that went away.
const mostReconnects = 6

// server is a store behind HTTP.
type server struct {
	base   string
	token  string
	client *http.Client
}

func openServer(address, token string) (*server, error) {
	parsed, err := url.Parse(address)
	if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" {
		return nil, invalid(fmt.Sprintf("%q is no address of a server, such as http://localhost:4300.", address))
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	return &server{strings.TrimRight(address, "/"), token, &http.Client{Transport: transport}}, nil
}

func (s *server) close() error {
	s.client.CloseIdleConnections()
	return nil
}

// httpRequest puts fields in braces into the path, and the rest into the query or the body.
func (s *server) httpRequest(ctx context.Context, r *request, caller Caller) (*http.Request, error) {
	if caller.Agent != "" || caller.Mode != "" {
		return nil, &Error{
			Code: "agent-by-key", Kind: "usage", Message: "A server decides by the key who calls, and what is allowed.",
			Hint: "Nothing was sent. Leave out Agent and Mode, and give each agent a key of its own: AddPrincipal.",
		}
	}
	if caller.Session != "" && r.op.find("session") != nil && r.find("session") == nil {
		r.set("session", appendText(nil, caller.Session))
	}
	path := r.op.path
	query := url.Values{}
	body := request{op: r.op}
	hasBody := r.op.method != http.MethodGet && r.op.method != http.MethodDelete
	for _, field := range r.op.fields {
		text := r.find(field.name)
		if place := "{" + field.name + "}"; strings.Contains(path, place) {
			path = strings.Replace(path, place, url.PathEscape(plainText(text, field.unless)), 1)
		} else if text == nil {
			continue
		} else if hasBody {
			body.set(field.name, text)
		} else {
			addQuery(query, field, text)
		}
	}
	address := s.base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	var content io.Reader
	if hasBody {
		body.write()
		content = bytes.NewReader(body.params)
	}
	made, err := http.NewRequestWithContext(ctx, r.op.method, address, content)
	if err != nil {
		return nil, invalid(err.Error())
	}
	if hasBody {
		made.Header.Set("Content-Type", "application/json")
	}
	made.Header.Set("User-Agent", "agentstategraph-go/"+Version)
	made.Header.Set("Accept", "application/json, text/event-stream, application/x-ndjson, */*;q=0.1")
	if r.op.stream == "events" {
		made.Header.Set("Accept", "text/event-stream")
	}
	token := s.token
	if caller.Key != "" {
		token = caller.Key
	}
	if token != "" {
		made.Header.Set("Authorization", "Bearer "+token)
	}
	if caller.Trace != "" {
		made.Header.Set("traceparent", caller.Trace)
	}
	return made, nil
}

// plainText is a field in a URL: a text without its quotes, anything else as JSON.
func plainText(text []byte, unless string) string {
	if text == nil {
		return unless
	}
	var plain string
	if json.Unmarshal(text, &plain) == nil {
		return plain
	}
	return string(text)
}

func addQuery(query url.Values, field field, text []byte) {
	var items []json.RawMessage
	switch {
	case text[0] == '[' && json.Unmarshal(text, &items) == nil:
		for _, item := range items {
			if field.isJSON {
				query.Add(field.name, string(item))
			} else {
				query.Add(field.name, plainText(item, ""))
			}
		}
	case field.isJSON:
		query.Add(field.name, string(text))
	default:
		query.Add(field.name, plainText(text, ""))
	}
}

// send makes the request, and once more when the connection broke and it can be repeated.
func (s *server) send(ctx context.Context, r *request, caller Caller) (*http.Response, error) {
	for isRepeated := false; ; isRepeated = true {
		made, err := s.httpRequest(ctx, r, caller)
		if err != nil {
			return nil, err
		}
		response, err := s.client.Do(made)
		if err == nil && response.StatusCode < 300 {
			return response, nil
		}
		if err == nil {
			defer response.Body.Close()
			return nil, s.problem(response)
		}
		var dial *net.OpError
		isUnsent := errors.As(err, &dial) && dial.Op == "dial"
		switch {
		case ctx.Err() != nil && (r.op.reads || isUnsent):
			return nil, ctx.Err()
		case ctx.Err() == nil && !isUnsent && !isRepeated && r.repeatable():
			continue
		case isUnsent && !isRepeated, r.op.reads:
			return nil, s.unreachable(err)
		}
		return nil, outcomeUnknown(r.op, r.key, err)
	}
}

func (s *server) call(ctx context.Context, r *request, caller Caller) (json.RawMessage, error) {
	response, err := s.send(ctx, r, caller)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		if r.op.reads {
			return nil, s.unreachable(err)
		}
		return nil, outcomeUnknown(r.op, r.key, err)
	}
	if len(text) == 0 {
		text = []byte("{}")
	}
	if !json.Valid(text) {
		return nil, s.stranger(response.StatusCode)
	}
	return text, nil
}

// problem is the error that a server answered with.
func (s *server) problem(response *http.Response) error {
	var found struct {
		Error
		Detail string `json:"detail"`
	}
	text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if json.Unmarshal(text, &found) != nil || found.Code == "" {
		return s.stranger(response.StatusCode)
	}
	found.Message = found.Detail
	return &found.Error
}

func (s *server) stranger(status int) *Error {
	return &Error{
		Code: ServerUnknown, Kind: "unavailable", Hint: "Look at the address.",
		Message: fmt.Sprintf("%s answered %d and does not seem to be an AgentStateGraph server.", s.base, status),
	}
}

func (s *server) unreachable(cause error) *Error {
	var wrapped *url.Error
	if errors.As(cause, &wrapped) {
		cause = wrapped.Err
	}
	return &Error{
		Code: ServerUnreachable, Kind: "unavailable", cause: cause,
		Message: fmt.Sprintf("%s does not answer: %v.", s.base, cause), Hint: "Start it with asg serve.",
	}
}

func (s *server) stream(ctx context.Context, r *request, caller Caller) (source, error) {
	ctx, cancel := context.WithCancel(ctx)
	stream := &serverStream{ctx: ctx, cancel: cancel, server: s, request: r, caller: caller}
	if err := stream.begin(); err != nil {
		cancel()
		return nil, err
	}
	return stream, nil
}

// serverStream is a response of events or lines. Events go on after a connection that broke.
type serverStream struct {
	ctx     context.Context
	cancel  context.CancelFunc
	server  *server
	request *request
	caller  Caller
	body    io.Closer
	reader  *bufio.Reader
	isOver  bool
}

func (s *serverStream) begin() error {
	response, err := s.server.send(s.ctx, s.request, s.caller)
	if err != nil {
		return err
	}
	s.body = response.Body
	s.reader = bufio.NewReader(response.Body)
	return nil
}

func (s *serverStream) next() (json.RawMessage, error) {
	if s.isOver {
		return nil, io.EOF
	}
	item, err := s.read()
	if err == nil {
		return item, nil
	}
	var told *Error
	switch {
	case s.ctx.Err() != nil:
		err = s.ctx.Err()
	case errors.As(err, &told) && told.Code != "shutting-down":
	case s.request.op.stream == "events":
		if err = s.reconnect(); err == nil {
			return s.next()
		}
	case err != io.EOF:
		err = outcomeUnknown(s.request.op, "", err)
	}
	s.isOver = true
	return nil, err
}

// reconnect waits longer each time.
func (s *serverStream) reconnect() error {
	var err error
	s.request.resume()
	for attempt := range mostReconnects {
		s.body.Close()
		select {
		case <-s.ctx.Done():
			return s.ctx.Err()
		case <-time.After(50 * time.Millisecond << attempt):
		}
		err = s.begin()
		if !errors.Is(err, ServerUnreachable) {
			return err
		}
	}
	return err
}

func (s *serverStream) read() (json.RawMessage, error) {
	if s.request.op.stream != "events" {
		text, err := s.reader.ReadBytes('\n')
		if err != nil {
			if len(text) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		// An item is the line as a text, with its end, as over pipes.
		return appendText(nil, string(text)), nil
	}
	var data []byte
	event := ""
	for {
		text, err := s.reader.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		name, value, _ := strings.Cut(strings.TrimRight(string(text), "\r\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "event":
			event = value
		case name == "data":
			data = append(data, value...)
		case name == "" && value == "" && data != nil:
			return s.event(event, data)
		}
	}
}

func (s *serverStream) event(kind string, data []byte) (json.RawMessage, error) {
	if kind == "fault" {
		var found struct {
			Error
			Detail string `json:"detail"`
		}
		if err := json.Unmarshal(data, &found); err != nil {
			return nil, err
		}
		found.Message = found.Detail
		return nil, &found.Error
	}
	if cursor := cursorOf(data); cursor != "" {
		s.request.set("after", appendText(nil, cursor))
	}
	return data, nil
}

// close ends the request, and with it a read that waits.
func (s *serverStream) close() { s.cancel() }
