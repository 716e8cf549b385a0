package asg

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"time"
)

// A Value is a value of the state as it came: JSON, with tags such as {"$date": "…"} for what JSON lacks.
type Value json.RawMessage

// Into reads the value into a pointer, as encoding/json does. A date fits time.Time and string, bytes fit []byte, a big integer fits
// big.Int. Into any, map[string]any or []any gives Go's own types.
func (v Value) Into(target any) error {
	if v == nil {
		v = Value("null")
	}
	var err error
	if bytes.IndexByte(v, '$') < 0 {
		err = json.Unmarshal(v, target)
	} else {
		err = v.untagInto(target)
	}
	if err == nil {
		return nil
	}
	return &Error{
		Code: ValueUnfit, Kind: "invalid", cause: err,
		Message: fmt.Sprintf("The value does not fit %v: %v.", reflect.TypeOf(target).Elem(), err),
		Hint:    "Ask for it as any to see what it is.",
	}
}

func (v Value) untagInto(target any) error {
	decoder := json.NewDecoder(bytes.NewReader(v))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return err
	}
	if bytes.HasPrefix(v, []byte(`{"$`)) || isNatural(target) {
		whole := untag(tree, naturally)
		to := reflect.ValueOf(target).Elem()
		if from := reflect.ValueOf(whole); from.IsValid() && from.Type().AssignableTo(to.Type()) {
			to.Set(from)
			return nil
		}
	}
	plain, err := json.Marshal(untag(tree, plainly))
	if err != nil {
		return err
	}
	return json.Unmarshal(plain, target)
}

// isNatural tells whether a target says nothing of the types inside it, which are then Go's own.
func isNatural(target any) bool {
	switch target.(type) {
	case *any, *map[string]any, *[]any:
		return true
	}
	return false
}

// UnmarshalJSON keeps the text.
func (v *Value) UnmarshalJSON(text []byte) error {
	*v = append(Value(nil), text...)
	return nil
}

// MarshalJSON gives the text as it came.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	return v, nil
}

func (v Value) String() string { return string(v) }

// UnmarshalJSON also takes an id alone, which is what some events tell of a commit.
func (c *Commit) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &c.ID)
	}
	type fields Commit
	return json.Unmarshal(text, (*fields)(c))
}

// untag gives a tree without tags. A tag that Go has no value for stays as it is.
func untag(tree any, leaf func(tag string, payload any) (any, bool)) any {
	switch node := tree.(type) {
	case []any:
		plain := make([]any, len(node))
		for at := range node {
			plain[at] = untag(node[at], leaf)
		}
		return plain
	case json.Number:
		if value, ok := leaf("number", node); ok {
			return value
		}
	case map[string]any:
		if len(node) == 1 {
			for tag, payload := range node {
				if items, ok := payload.([]any); ok && (tag == "$set" || tag == "$map") {
					return untag(items, leaf)
				}
				if value, ok := leaf(tag, payload); ok && strings.HasPrefix(tag, "$") {
					return value
				}
			}
		}
		plain := make(map[string]any, len(node))
		for key, inner := range node {
			if strings.HasPrefix(key, "$$") {
				key = key[1:]
			}
			plain[key] = untag(inner, leaf)
		}
		return plain
	}
	return tree
}

// plainly gives what encoding/json reads into types of Go.
func plainly(tag string, payload any) (any, bool) {
	text, _ := payload.(string)
	switch tag {
	case "$date", "$bytes", "$url", "$buffer":
		return payload, true
	case "$bigint":
		return json.Number(text), true
	case "$number":
		return naturally(tag, payload)
	case "$undefined":
		return nil, true
	}
	return nil, false
}

// naturally gives Go's own value.
func naturally(tag string, payload any) (any, bool) {
	text, _ := payload.(string)
	switch tag {
	case "number":
		number, err := payload.(json.Number).Float64()
		return number, err == nil
	case "$date":
		at, err := time.Parse(time.RFC3339Nano, text)
		return at, err == nil
	case "$bytes", "$buffer":
		decoded, err := base64.StdEncoding.DecodeString(text)
		return decoded, err == nil
	case "$bigint":
		return new(big.Int).SetString(text, 10)
	case "$url":
		return text, true
	case "$number":
		numbers := map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1), "-0": math.Copysign(0, -1)}
		number, ok := numbers[text]
		return number, ok
	case "$undefined":
		return nil, true
	}
	return nil, false
}
