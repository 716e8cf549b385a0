package asg

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// deepest is how deep a value may be nested: deeper ones are cycles, or the core refuses them.
const deepest = 512

const (
	safeInteger = 1<<53 - 1
	dateForm    = "2006-01-02T15:04:05.000Z"
)

// encode writes the value of a field as the wire carries it: JSON, with tags for what JSON lacks.
func encode(field string, value any) ([]byte, error) {
	switch plain := value.(type) {
	case string:
		if utf8.ValidString(plain) {
			return appendText(nil, plain), nil
		}
	case bool:
		return strconv.AppendBool(nil, plain), nil
	}
	e := encoder{path: []string{field}}
	e.value(reflect.ValueOf(value), 0)
	if e.err != nil {
		return nil, e.err
	}
	return e.text, nil
}

type encoder struct {
	text []byte
	path []string
	err  *Error
}

func (e *encoder) fail(reason string) {
	if e.err != nil {
		return
	}
	e.err = &Error{
		Code: ValueUnsupported, Kind: "invalid",
		Message: fmt.Sprintf("%s cannot be sent: %s.", strings.Join(e.path, "/"), reason),
		Hint:    "Nothing was sent. Values are maps, slices, structs, texts, numbers, booleans, times and bytes.",
	}
}

var (
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
)

func (e *encoder) value(v reflect.Value, depth int) {
	if e.err != nil {
		return
	}
	if depth > deepest {
		e.path = e.path[:min(8, len(e.path))]
		e.fail("it contains itself, or is nested too deeply")
		return
	}
	if !v.IsValid() {
		e.text = append(e.text, "null"...)
		return
	}
	if e.special(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		e.text = strconv.AppendBool(e.text, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.integer(v.Int() >= -safeInteger && v.Int() <= safeInteger, strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.integer(v.Uint() <= safeInteger, strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		e.float(v.Float())
	case reflect.String:
		e.string(v.String())
	case reflect.Pointer, reflect.Interface:
		e.value(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		e.list(v, depth)
	case reflect.Map:
		e.object(v, depth)
	case reflect.Struct:
		e.fields(v, depth)
	default:
		e.fail("a " + v.Kind().String() + " is no value")
	}
}

// special writes the types that have a form of their own.
func (e *encoder) special(v reflect.Value) bool {
	if (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil() {
		e.text = append(e.text, "null"...)
		return true
	}
	if !v.CanInterface() {
		return false
	}
	switch known := v.Interface().(type) {
	case time.Time:
		e.tag("$date", known.UTC().Format(dateForm))
	case *big.Int:
		e.integer(known.IsInt64() && known.Int64() >= -safeInteger && known.Int64() <= safeInteger, known.String())
	case []byte:
		e.tag("$bytes", base64.StdEncoding.EncodeToString(known))
	case Value:
		e.raw(known)
	case json.RawMessage:
		e.raw(known)
	case json.Number:
		e.raw([]byte(known))
	default:
		if v.Type().Implements(jsonMarshaler) {
			text, err := known.(json.Marshaler).MarshalJSON()
			if err != nil {
				e.fail(err.Error())
				return true
			}
			e.raw(text)
			return true
		}
		if v.Type().Implements(textMarshaler) {
			text, err := known.(encoding.TextMarshaler).MarshalText()
			if err != nil {
				e.fail(err.Error())
				return true
			}
			e.string(string(text))
			return true
		}
		return false
	}
	return true
}

// raw writes JSON that is there already, in one line.
func (e *encoder) raw(text []byte) {
	if text == nil {
		text = []byte("null")
	}
	var compact strings.Builder
	if !json.Valid(text) {
		e.fail("it is no JSON")
		return
	}
	inText := false
	for at := 0; at < len(text); at++ {
		switch char := text[at]; {
		case inText && char == '\\':
			compact.WriteByte(char)
			at++
		case char == '"':
			inText = !inText
		case !inText && (char == '\n' || char == '\r'):
			continue
		}
		compact.WriteByte(text[at])
	}
	e.text = append(e.text, compact.String()...)
}

func (e *encoder) tag(name, payload string) {
	e.text = append(append(append(e.text, `{"`...), name...), `":`...)
	e.text = append(appendText(e.text, payload), '}')
}

func (e *encoder) integer(isSafe bool, digits string) {
	if isSafe {
		e.text = append(e.text, digits...)
	} else {
		e.tag("$bigint", digits)
	}
}

func (e *encoder) float(number float64) {
	switch {
	case math.IsNaN(number):
		e.tag("$number", "NaN")
	case math.IsInf(number, 1):
		e.tag("$number", "Infinity")
	case math.IsInf(number, -1):
		e.tag("$number", "-Infinity")
	case number == 0 && math.Signbit(number):
		e.tag("$number", "-0")
	default:
		e.text = strconv.AppendFloat(e.text, number, 'g', -1, 64)
	}
}

func (e *encoder) string(text string) {
	if !utf8.ValidString(text) {
		e.fail("it is no UTF-8; bytes are sent as []byte")
		return
	}
	e.text = appendText(e.text, text)
}

func (e *encoder) inside(name string, v reflect.Value, depth int) {
	e.path = append(e.path, name)
	e.value(v, depth+1)
	if e.err == nil {
		e.path = e.path[:len(e.path)-1]
	}
}

func (e *encoder) list(v reflect.Value, depth int) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		e.text = append(e.text, "null"...)
		return
	}
	e.text = append(e.text, '[')
	for at := range v.Len() {
		if at > 0 {
			e.text = append(e.text, ',')
		}
		e.inside(strconv.Itoa(at), v.Index(at), depth)
	}
	e.text = append(e.text, ']')
}

func (e *encoder) object(v reflect.Value, depth int) {
	if v.IsNil() {
		e.text = append(e.text, "null"...)
		return
	}
	if v.Type().Key().Kind() != reflect.String {
		e.fail("the keys of a map are texts")
		return
	}
	keys := v.MapKeys()
	sort.Slice(keys, func(a, b int) bool { return keys[a].String() < keys[b].String() })
	e.text = append(e.text, '{')
	for at, key := range keys {
		e.member(at == 0, key.String(), v.MapIndex(key), depth)
	}
	e.text = append(e.text, '}')
}

func (e *encoder) member(isFirst bool, name string, v reflect.Value, depth int) {
	if !isFirst {
		e.text = append(e.text, ',')
	}
	stored := name
	if strings.HasPrefix(name, "$") {
		stored = "$" + name
	}
	e.string(stored)
	e.text = append(e.text, ':')
	e.inside(name, v, depth)
}

// fields writes a struct by the same names as encoding/json.
func (e *encoder) fields(v reflect.Value, depth int) {
	e.text = append(e.text, '{')
	isFirst := true
	e.members(v, depth, &isFirst)
	e.text = append(e.text, '}')
}

func (e *encoder) members(v reflect.Value, depth int, isFirst *bool) {
	for at := range v.NumField() {
		field := v.Type().Field(at)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		inner := v.Field(at)
		if field.Anonymous && name == "" {
			if inner.Kind() == reflect.Pointer && !inner.IsNil() {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct {
				e.members(inner, depth, isFirst)
				continue
			}
		}
		if !field.IsExported() || (name == "-" && options == "") {
			continue
		}
		if name == "" {
			name = field.Name
		}
		if isLeftOut(inner, options) {
			continue
		}
		e.member(*isFirst, name, inner, depth)
		*isFirst = false
	}
}

func isLeftOut(v reflect.Value, options string) bool {
	for _, option := range strings.Split(options, ",") {
		switch option {
		case "omitzero":
			if v.IsZero() {
				return true
			}
		case "omitempty":
			switch v.Kind() {
			case reflect.Slice, reflect.Map, reflect.Array, reflect.String:
				return v.Len() == 0
			case reflect.Struct:
				return false
			default:
				return v.IsZero()
			}
		}
	}
	return false
}

// appendText writes a text that is UTF-8 as JSON.
func appendText(to []byte, text string) []byte {
	const digits = "0123456789abcdef"
	to = append(to, '"')
	for at := range len(text) {
		switch char := text[at]; {
		case char == '"' || char == '\\':
			to = append(to, '\\', char)
		case char == '\n':
			to = append(to, `\n`...)
		case char < 0x20:
			to = append(to, '\\', 'u', '0', '0', digits[char>>4], digits[char&15])
		default:
			to = append(to, char)
		}
	}
	return append(to, '"')
}
