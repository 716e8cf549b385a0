package asg

// operation is what the client has to know of an operation of the table.
type operation struct {
	name   string
	method string
	path   string
	// repeats tells whether it can be sent again without a key.
	repeats bool
	reads   bool
	// stream is events or lines for those that give many items.
	stream string
	fields []field
}

type field struct {
	name string
	// isJSON: in a query it is sent as JSON, so that the text "3" is no number.
	isJSON bool
	// unless is its default, for fields in the path of a URL.
	unless string
}

var table = func() map[string]*operation {
	byName := make(map[string]*operation, len(rows))
	for at := range rows {
		byName[rows[at].name] = &rows[at]
	}
	return byName
}()

func (o *operation) find(name string) *field {
	for at := range o.fields {
		if o.fields[at].name == name {
			return &o.fields[at]
		}
	}
	return nil
}

const keyField = "idempotency_key"

// request is one call, ready to be sent.
type request struct {
	op *operation
	// params is an object of JSON, and parts has its fields one by one.
	params []byte
	parts  []part
	key    string
	// began is where a watch goes on when it has to begin again before its first event.
	began string
}

type part struct {
	name string
	json []byte
}

// set replaces a field, or adds it.
func (r *request) set(name string, json []byte) {
	for at := range r.parts {
		if r.parts[at].name == name {
			r.parts[at].json = json
			return
		}
	}
	r.parts = append(r.parts, part{name, json})
}

func (r *request) find(name string) []byte {
	for _, part := range r.parts {
		if part.name == name {
			return part.json
		}
	}
	return nil
}

func (r *request) write() {
	text := []byte{'{'}
	for at, part := range r.parts {
		if at > 0 {
			text = append(text, ',')
		}
		text = appendText(text, part.name)
		text = append(text, ':')
		text = append(text, part.json...)
	}
	r.params = append(text, '}')
}

// resume lets a watch begin again: behind its last event, or from where it began.
func (r *request) resume() {
	if r.began != "" && r.find("after") == nil {
		r.set("after", appendText(nil, r.began))
		r.write()
	}
}

// repeatable: sent twice, it is done once.
func (r *request) repeatable() bool { return r.op.repeats || r.key != "" }
