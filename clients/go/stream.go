package asg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"sync"
)

// source gives the items of a stream one by one, and io.EOF after the last.
type source interface {
	next() (json.RawMessage, error)
	close()
}

// A Stream gives items as they come. It ends with the context that it was opened with, or with Close.
type Stream[T any] struct {
	source source
	once   sync.Once
}

func openStream[T any](ctx context.Context, c *Client, name string, options []Option) (*Stream[T], error) {
	r, err := c.request(name, options)
	if err != nil {
		return nil, err
	}
	if r.op.stream == "events" && r.find("after") == nil {
		r.began = c.newest(ctx, r)
	}
	source, err := c.link.stream(ctx, r, c.caller)
	if err != nil {
		return nil, err
	}
	return &Stream[T]{source: source}, nil
}

// newest is the number of the newest commit; empty when it cannot be asked, which the watch itself will tell.
func (c *Client) newest(ctx context.Context, r *request) string {
	options := []Option{WithLimit(1)}
	if namespace := r.find("namespace"); namespace != nil {
		options = append(options, Field("namespace", Value(namespace)))
	}
	found, err := c.Query(ctx, options...)
	switch {
	case err != nil:
		return ""
	case len(found.Items) == 0:
		return "0"
	}
	return strconv.FormatInt(found.Items[0].Seq, 10)
}

// Next waits for the next item. After the last one the error is io.EOF.
func (s *Stream[T]) Next() (T, error) {
	var item T
	text, err := s.source.next()
	if err == nil {
		err = json.Unmarshal(text, &item)
	}
	return item, err
}

// All gives all items and closes the stream at the end, or when the loop is left.
func (s *Stream[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		defer s.Close()
		for {
			item, err := s.Next()
			if errors.Is(err, io.EOF) || !yield(item, err) || err != nil {
				return
			}
		}
	}
}

// Close ends the stream.
func (s *Stream[T]) Close() { s.once.Do(s.source.close) }

// cursorOf is where an event can be continued from.
func cursorOf(item json.RawMessage) string {
	var event struct{ Cursor string }
	_ = json.Unmarshal(item, &event)
	return event.Cursor
}

// coreStream is a stream of a core. A watch goes on in the next core, after the last event.
type coreStream struct {
	ctx     context.Context
	cancel  context.CancelFunc
	core    *core
	request *request
	caller  Caller
	taken   int
	isOver  bool

	// lock is for what close uses, which may be called while another goroutine waits in next.
	lock    sync.Mutex
	process *process
	id      uint64
	items   chan message
}

func (c *core) stream(ctx context.Context, r *request, caller Caller) (source, error) {
	s := &coreStream{core: c, request: r, caller: caller}
	s.ctx, s.cancel = context.WithCancel(ctx)
	if err := s.begin(); err != nil {
		s.cancel()
		return nil, err
	}
	return s, nil
}

func (s *coreStream) begin() error {
	s.taken = 0
	_, err := s.core.ask(s.ctx, s.request, s.caller, func(p *process, l *line) {
		s.lock.Lock()
		defer s.lock.Unlock()
		s.process, s.id, s.items = p, l.id, make(chan message, p.limits.StreamItems+1)
		p.lock.Lock()
		p.streams[l.id] = s.items
		p.lock.Unlock()
	})
	return err
}

func (s *coreStream) next() (json.RawMessage, error) {
	for !s.isOver {
		var got message
		select {
		case got = <-s.items:
		case <-s.ctx.Done():
			return nil, s.ctx.Err()
		case <-s.process.dead:
			select {
			case got = <-s.items:
			default:
				if err := s.resume(); err != nil {
					return nil, err
				}
				continue
			}
		}
		if got.Method == "end" {
			s.isOver = true
			if got.Params.Error != nil {
				return nil, got.Params.Error.toError()
			}
			break
		}
		s.ask()
		if cursor := cursorOf(got.Params.Item); s.request.op.stream == "events" && cursor != "" {
			s.request.set("after", appendText(nil, cursor))
			s.request.write()
		}
		return got.Params.Item, nil
	}
	return nil, io.EOF
}

// ask lets the core send as many more as were taken.
func (s *coreStream) ask() {
	s.taken++
	if half := s.process.limits.StreamItems / 2; s.taken >= half {
		s.taken = 0
		s.process.notify("more", fmt.Sprintf(`{"id":%d,"items":%d}`, s.id, half))
	}
}

func (s *coreStream) resume() error {
	if s.request.op.stream != "events" {
		s.isOver = true
		return outcomeUnknown(s.request.op, "", errDied)
	}
	s.request.resume()
	return s.begin()
}

func (s *coreStream) close() {
	s.cancel()
	s.lock.Lock()
	defer s.lock.Unlock()
	s.process.lock.Lock()
	_, isOpen := s.process.streams[s.id]
	delete(s.process.streams, s.id)
	s.process.lock.Unlock()
	if isOpen {
		s.process.notify("cancel", fmt.Sprintf(`{"id":%d}`, s.id))
	}
}
