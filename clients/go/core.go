package asg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	// A core that ends so often within this time is not started again.
	mostDeaths  = 3
	deathWindow = 10 * time.Second
)

// core is a store in a child process, and in the next one when that has ended.
type core struct {
	opened opening
	// turn holds the right to look at what follows, and to start a process.
	turn    chan struct{}
	running *process
	deaths  []time.Time
	// patience is mostDeaths; tests that kill often give it more.
	patience int

	once   sync.Once
	closed chan struct{}
}

func openCore(ctx context.Context, opened opening) (*core, error) {
	c := &core{opened: opened, turn: make(chan struct{}, 1), patience: mostDeaths, closed: make(chan struct{})}
	running, err := start(ctx, opened)
	if err != nil {
		return nil, err
	}
	c.running = running
	return c, nil
}

// process gives the core that runs, and starts one when it has ended.
func (c *core) process(ctx context.Context) (*process, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case <-c.closed:
		return nil, closedError()
	default:
	}
	select {
	case <-c.running.dead:
	default:
		return c.running, nil
	}
	if c.opened.Address == Memory {
		return nil, storeLost()
	}
	now := time.Now()
	recent := []time.Time{now}
	for _, at := range c.deaths {
		if now.Sub(at) < deathWindow {
			recent = append(recent, at)
		}
	}
	if len(recent) >= c.patience {
		return nil, c.running.died(fmt.Errorf("it ended %d times within %v", len(recent), deathWindow))
	}
	c.deaths = recent
	running, err := start(ctx, c.opened)
	if err != nil {
		return nil, err
	}
	c.running = running
	return running, nil
}

func (c *core) call(ctx context.Context, r *request, caller Caller) (json.RawMessage, error) {
	return c.ask(ctx, r, caller, func(*process, *line) {})
}

// ask sends a request and waits. When the core ends meanwhile, what can be repeated is sent once more.
func (c *core) ask(ctx context.Context, r *request, caller Caller, sending func(*process, *line)) (json.RawMessage, error) {
	for isRepeated := false; ; {
		p, err := c.process(ctx)
		if err != nil {
			if isRepeated {
				return nil, unknownAfter(r, err)
			}
			return nil, err
		}
		l, answer := p.expect(r.op.name, r.params, caller)
		if len(l.text) > p.limits.LineBytes {
			p.forget(l)
			return nil, tooLarge(r, len(l.text), p.limits.LineBytes)
		}
		sending(p, l)
		err = p.send(ctx, l)
		if err == nil {
			var result json.RawMessage
			result, err = p.wait(ctx, l, answer)
			if err == nil {
				return result, nil
			}
		}
		switch {
		case errors.Is(err, errDied) && c.opened.Address == Memory:
			return nil, storeLost()
		case errors.Is(err, errDied) && !l.begun.Load():
			continue
		case errors.Is(err, errDied) && r.repeatable() && !isRepeated:
			isRepeated = true
			continue
		case errors.Is(err, errDied):
			return nil, outcomeUnknown(r.op, r.key, err)
		case ctx.Err() != nil && l.begun.Load() && !r.op.reads:
			return nil, outcomeUnknown(r.op, r.key, ctx.Err())
		}
		return nil, err
	}
}

// unknownAfter is for a call whose first sending was not answered and that could not be sent again.
func unknownAfter(r *request, err error) error {
	if r.op.reads {
		return err
	}
	return outcomeUnknown(r.op, r.key, err)
}

func (c *core) close() error {
	c.once.Do(func() {
		close(c.closed)
		c.turn <- struct{}{}
		c.running.end()
		<-c.turn
	})
	return nil
}

func closedError() *Error {
	return &Error{Code: ClientClosed, Kind: "usage", Message: "The client is closed.", Hint: "Open the store again."}
}

func storeLost() *Error {
	return &Error{
		Code: StoreLost, Kind: "unavailable", Message: "The store was in the memory of a core that ended.",
		Hint: "Open it anew, or open a file, which outlives its core.",
	}
}

func tooLarge(r *request, size, limit int) *Error {
	return &Error{
		Code: BodyTooLarge, Kind: "too-large",
		Message: fmt.Sprintf("%s would send %d bytes, and a request has at most %d.", r.op.name, size, limit),
		Hint:    "Nothing was sent. Write it in parts.",
	}
}
