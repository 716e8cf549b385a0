package asg

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	protocol = 1
	// closing is how long a core has to finish what it accepted.
	closing = 5 * time.Second
	// said is how much of its standard error is kept.
	said = 4096
	// direct is how much a pipe takes in any case: so much is written at once, without the writer.
	direct = 8 << 10
)

// nodeArguments: no note about SQLite, and a heap that stays small: docs/rpc.md has the measured difference.
var nodeArguments = []string{"--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", "--heap-growing-percent=100"}

// errDied: the core ended before it answered.
var errDied = errors.New("the core ended")

// message is a line of the core.
type message struct {
	ID     *uint64         `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
	Method string          `json:"method"`
	Params struct {
		ID    uint64          `json:"id"`
		Item  json.RawMessage `json:"item"`
		Error *rpcError       `json:"error"`
	} `json:"params"`
}

// line is one request on its way to the core.
type line struct {
	id   uint64
	text []byte
	// begun: some of it may have been written.
	begun atomic.Bool
}

// process is one core. When it has ended, another takes its place.
type process struct {
	command *exec.Cmd
	input   io.WriteCloser
	outbox  chan *line
	dead    chan struct{}
	limits  struct {
		LineBytes   int `json:"line_bytes"`
		StreamItems int `json:"stream_items"`
	}
	notes tail

	// writing is held while a line is written.
	writing sync.Mutex

	lock    sync.Mutex
	next    uint64
	waiting map[uint64]pending
	// unanswered is the size of all lines that may still be in the pipe.
	unanswered int
	streams    map[uint64]chan message
}

// pending is a line that was not answered yet. Nobody waits for it when its answer is nil.
type pending struct {
	answer chan message
	size   int
}

// start starts a core, agrees on the protocol and opens the store.
func start(ctx context.Context, opened opening) (*process, error) {
	files, err := findFiles()
	if err != nil {
		return nil, err
	}
	node, err := findNode(ctx, files.bundle)
	if err != nil {
		return nil, err
	}
	_ = os.MkdirAll(files.compiled, 0o700)
	p := &process{
		outbox:  make(chan *line),
		dead:    make(chan struct{}),
		waiting: map[uint64]pending{},
		streams: map[uint64]chan message{},
	}
	p.limits.LineBytes = 64 << 20
	p.limits.StreamItems = 128
	p.command = exec.Command(node, append(nodeArguments, files.bundle, "--parent", strconv.Itoa(os.Getpid()))...)
	p.command.Env = environment(files.compiled)
	p.command.Stderr = &p.notes
	p.command.WaitDelay = closing
	detach(p.command)
	output, err := p.command.StdoutPipe()
	if err == nil {
		p.input, err = p.command.StdinPipe()
	}
	if err == nil {
		err = p.command.Start()
	}
	if err != nil {
		return nil, p.died(err)
	}
	go p.read(output)
	go p.write()
	if err := p.greet(ctx, opened); err != nil {
		p.kill()
		return nil, err
	}
	return p, nil
}

// greet says hello and opens the store, in one go.
func (p *process) greet(ctx context.Context, opened opening) error {
	hello := fmt.Appendf(nil, `{"protocol":%d,"client":{"name":"agentstategraph-go","version":%q}}`, protocol, Version)
	greeting, heard := p.expect("hello", hello, Caller{})
	address, _ := json.Marshal(opened)
	opens, isOpen := p.expect("open", address, Caller{})
	for _, sent := range []*line{greeting, opens} {
		if err := p.send(ctx, sent); err != nil {
			return p.startError(err)
		}
	}
	answer, err := p.wait(ctx, greeting, heard)
	if err != nil {
		return p.startError(err)
	}
	var agreed struct {
		Protocol int             `json:"protocol"`
		Limits   json.RawMessage `json:"limits"`
	}
	if json.Unmarshal(answer, &agreed) != nil || agreed.Protocol != protocol || json.Unmarshal(agreed.Limits, &p.limits) != nil {
		return &Error{Code: "protocol-unknown", Kind: "unsupported", Message: "The core speaks another protocol.", Hint: "Update this package."}
	}
	_, err = p.wait(ctx, opens, isOpen)
	return p.startError(err)
}

func (p *process) startError(err error) error {
	if errors.Is(err, errDied) {
		return p.died(errors.New("it ended when it was started"))
	}
	return err
}

// died tells why there is no core, with the last that it said.
func (p *process) died(cause error) *Error {
	message := "The core does not run: " + cause.Error() + "."
	if notes := strings.TrimSpace(p.notes.String()); notes != "" {
		message += " It said: " + notes
	}
	return &Error{Code: CoreDied, Kind: "unavailable", Message: message, cause: cause, Hint: "What was answered is stored."}
}

// expect makes the line of a request, and room for its answer.
func (p *process) expect(method string, params []byte, caller Caller) (*line, chan message) {
	answer := make(chan message, 1)
	p.lock.Lock()
	p.next++
	id := p.next
	p.lock.Unlock()
	text := make([]byte, 0, len(params)+128)
	text = append(text, `{"jsonrpc":"2.0","id":`...)
	text = strconv.AppendUint(text, id, 10)
	text = append(append(append(text, `,"method":"`...), method...), `","params":`...)
	text = append(text, params...)
	if caller != (Caller{}) {
		who, _ := json.Marshal(caller)
		text = append(append(text, `,"caller":`...), who...)
	}
	l := &line{id: id, text: append(text, '}', '\n')}
	p.lock.Lock()
	p.waiting[id] = pending{answer, len(l.text)}
	p.unanswered += len(l.text)
	p.lock.Unlock()
	return l, answer
}

// forget gives up waiting. What was begun is in the pipe until it is answered.
func (p *process) forget(l *line) {
	p.lock.Lock()
	defer p.lock.Unlock()
	left, ok := p.waiting[l.id]
	if l.begun.Load() && ok {
		p.waiting[l.id] = pending{nil, left.size}
		return
	}
	delete(p.waiting, l.id)
	p.unanswered -= left.size
}

// send writes a line where that cannot block, and else hands it to the writer. When ctx ends before that, nothing was sent.
func (p *process) send(ctx context.Context, l *line) error {
	if ctx.Err() != nil {
		p.forget(l)
		return ctx.Err()
	}
	p.lock.Lock()
	isDirect := p.unanswered <= direct
	p.lock.Unlock()
	if isDirect {
		p.put(l)
		return nil
	}
	select {
	case p.outbox <- l:
		return nil
	case <-p.dead:
		p.forget(l)
		return errDied
	case <-ctx.Done():
		p.forget(l)
		return ctx.Err()
	}
}

// wait gives the result of a line that was sent.
func (p *process) wait(ctx context.Context, l *line, answer chan message) (json.RawMessage, error) {
	var got message
	select {
	case got = <-answer:
	case <-ctx.Done():
		p.forget(l)
		return nil, ctx.Err()
	case <-p.dead:
		// What was answered before the end is there by now.
		select {
		case got = <-answer:
		default:
			return nil, errDied
		}
	}
	if got.Error != nil {
		return nil, got.Error.toError()
	}
	return got.Result, nil
}

// notify sends what is not answered. A core that has ended needs no telling.
func (p *process) notify(method, params string) {
	l := &line{text: []byte(`{"jsonrpc":"2.0","method":"` + method + `","params":` + params + "}\n")}
	select {
	case p.outbox <- l:
	case <-p.dead:
	}
}

func (p *process) write() {
	for {
		select {
		case l := <-p.outbox:
			p.put(l)
		case <-p.dead:
			return
		}
	}
}

// put writes a line. When the core has ended, the end of its output tells the callers, after what it still answered.
func (p *process) put(l *line) {
	p.writing.Lock()
	defer p.writing.Unlock()
	l.begun.Store(true)
	if n, err := p.input.Write(l.text); err != nil {
		l.begun.Store(n > 0)
	}
}

// prefix begins every answer with a result; the rest of the line is read without looking for its members.
var prefix = []byte(`{"jsonrpc":"2.0","id":`)

func (p *process) read(output io.Reader) {
	reader := bufio.NewReaderSize(output, 64<<10)
	for {
		text, err := reader.ReadBytes('\n')
		if err != nil {
			// A line without its end is no message.
			break
		}
		p.receive(text)
	}
	p.input.Close()
	p.command.Process.Kill()
	p.command.Wait()
	close(p.dead)
}

func (p *process) receive(text []byte) {
	got, ok := quick(text)
	if !ok && json.Unmarshal(text, &got) != nil {
		return
	}
	if got.ID != nil {
		p.lock.Lock()
		asked := p.waiting[*got.ID]
		delete(p.waiting, *got.ID)
		p.unanswered -= asked.size
		p.lock.Unlock()
		if asked.answer != nil {
			asked.answer <- got
		}
		return
	}
	p.lock.Lock()
	stream := p.streams[got.Params.ID]
	if got.Method == "end" {
		delete(p.streams, got.Params.ID)
	}
	p.lock.Unlock()
	if stream != nil && (got.Method == "item" || got.Method == "end") {
		// There is room for every item that was asked for, and for the end.
		stream <- got
	}
}

// quick reads an answer with a result in the form that the core writes.
func quick(text []byte) (message, bool) {
	rest, ok := bytes.CutPrefix(text, prefix)
	if !ok {
		return message{}, false
	}
	digits, result, ok := bytes.Cut(rest, []byte(`,"result":`))
	if !ok || len(digits) > 19 {
		return message{}, false
	}
	id, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil || !bytes.HasSuffix(result, []byte("}\n")) {
		return message{}, false
	}
	return message{ID: &id, Result: json.RawMessage(result[:len(result)-2])}, true
}

// end lets the core finish, and gives it some seconds for it.
func (p *process) end() {
	p.input.Close()
	select {
	case <-p.dead:
	case <-time.After(closing):
		p.kill()
	}
}

func (p *process) kill() {
	p.command.Process.Kill()
	<-p.dead
}

// tail keeps the last of what is written to it.
type tail struct {
	lock sync.Mutex
	text []byte
}

func (t *tail) Write(text []byte) (int, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.text = append(t.text, text...)
	if len(t.text) > said {
		t.text = append([]byte(nil), t.text[len(t.text)-said:]...)
	}
	return len(text), nil
}

func (t *tail) String() string {
	t.lock.Lock()
	defer t.lock.Unlock()
	return string(t.text)
}
