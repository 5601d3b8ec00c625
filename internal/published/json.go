package published

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxEntry bounds one entry of a JSON file, in bytes; a label with all its sections and tables has some 2 MB at most.
const maxEntry = 8 << 20

var errTooLong = fmt.Errorf("an entry has more than %d bytes", maxEntry)

// window limits a decoder to one entry's bytes, since it holds an entry whole before it returns it.
type window struct {
	r    io.Reader
	left int
}

// Read implements io.Reader.
func (w *window) Read(p []byte) (int, error) {
	if w.left <= 0 {
		return 0, errTooLong
	}
	n, err := w.r.Read(p[:min(len(p), w.left)])
	w.left -= n
	return n, err
}

// document reads a JSON file entry by entry: a list, or an object with lists. It calls element for each element of a
// list, with the list's key, and field for other texts and numbers, with the path of their keys. Memory holds one of
// them at a time.
type document struct {
	field   func(path string, value string)
	element func(key string, n int, value json.RawMessage) error
}

func (d *document) read(r io.Reader) error {
	in := &window{r: r, left: maxEntry}
	dec := json.NewDecoder(in)

	start, err := dec.Token()
	switch {
	case err != nil:
		return d.fault(dec, 0, err)
	case start == json.Delim('['):
		err = d.list(in, dec, "")
	case start == json.Delim('{'):
		err = d.object(in, dec)
	default:
		return errors.New("it is no list and no object of JSON; " + whereApprovals)
	}

	if err != nil {
		return err
	}
	in.left = maxEntry

	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("byte %d: something stands behind the end of the JSON; get the file again", dec.InputOffset())
	}
	return nil
}

func (d *document) object(in *window, dec *json.Decoder) error {
	for dec.More() {
		in.left = maxEntry

		key, err := dec.Token()
		if err != nil {
			return d.fault(dec, 0, err)
		}
		name, _ := key.(string)

		value, err := dec.Token()
		switch {
		case err != nil:
			return d.fault(dec, 0, err)
		case value == json.Delim('['):
			err = d.list(in, dec, name)
		default:
			err = d.scalars(in, dec, name, value)
		}

		if err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return d.fault(dec, 0, err)
}

// scalars reports the values behind a key that is no list, at any depth.
func (d *document) scalars(in *window, dec *json.Decoder, path string, value json.Token) error {
	if value != json.Delim('{') && value != json.Delim('[') {
		d.field(path, fmt.Sprint(value))
		return nil
	}

	inObject := value == json.Delim('{')
	for dec.More() {
		in.left = maxEntry
		inner := path + "/"

		next, err := dec.Token()
		if err == nil && inObject {
			inner = path + "." + fmt.Sprint(next)
			next, err = dec.Token()
		}

		if err != nil {
			return d.fault(dec, 0, err)
		}

		if len(inner) > maxPath {
			return fmt.Errorf("byte %d: it is nested too deep; %s", dec.InputOffset(), whereApprovals)
		}

		if err := d.scalars(in, dec, inner, next); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return d.fault(dec, 0, err)
}

// maxPath bounds the path of keys to a value, in bytes.
const maxPath = 1000

func (d *document) list(in *window, dec *json.Decoder, key string) error {
	for n := 1; dec.More(); n++ {
		in.left = maxEntry

		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return d.fault(dec, n, err)
		}

		if err := d.element(key, n, value); err != nil {
			return fmt.Errorf("entry %d: %w", n, err)
		}
	}
	_, err := dec.Token()
	return d.fault(dec, 0, err)
}

// fault states where a file stops being valid JSON; nil if err is.
func (d *document) fault(dec *json.Decoder, entry int, err error) error {
	if err == nil {
		return nil
	}

	where := fmt.Sprintf("byte %d", dec.InputOffset())
	if entry > 0 {
		where = fmt.Sprintf("entry %d, %s", entry, where)
	}

	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s: it is cut off; get the file again", where)
	}

	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		return fmt.Errorf("%s: it is no JSON: %w; get the file again", where, err)
	}
	return fmt.Errorf("%s: %w", where, err)
}
