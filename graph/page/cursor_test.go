package page_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/graph/page"
)

func cursors(t *testing.T, keys ...byte) page.Cursors {
	t.Helper()
	var parts []string
	for _, key := range keys {
		parts = append(parts, base64.StdEncoding.EncodeToString([]byte(strings.Repeat(string(rune(key)), 32))))
	}
	ring, err := outreach.ParseKeyring(strings.Join(parts, ","))
	if err != nil {
		t.Fatal(err)
	}
	return page.Cursors{Keys: ring}
}

var (
	here = page.Scope{List: "prospects", Workspace: uuid.MustParse("00000000-0000-7000-8000-000000000001"), Filter: outreach.ProspectFilter{}}
	key  = outreach.Key{At: time.Date(2026, 11, 20, 16, 5, 9, 123456000, time.UTC), ID: uuid.MustParse("0199aaaa-0000-7000-8000-0000000000ff")}
)

func TestCursorGivesItsKeyBack(t *testing.T) {
	t.Parallel()
	for _, at := range []time.Time{key.At, time.Unix(0, 0).UTC(), time.Date(1969, 1, 1, 0, 0, 0, 1000, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC)} {
		want := outreach.Key{At: at, ID: key.ID}
		opened, err := cursors(t, 'a').Open(here, cursors(t, 'a').Seal(here, want))
		if diff := cmp.Diff(want, opened); diff != "" || err != nil {
			t.Errorf("%v %s", err, diff)
		}
	}
	offset, err := cursors(t, 'a').OpenOffset(here, cursors(t, 'a').SealOffset(here, 150))
	if offset != 150 || err != nil {
		t.Errorf("offset %d, %v", offset, err)
	}
}

func invalid(t *testing.T, what string, scope page.Scope, c page.Cursors, cursor string) {
	t.Helper()
	_, err := c.Open(scope, cursor)
	if outreach.CodeOf(err) != outreach.CodeInvalidCursor || !strings.Contains(err.Error(), "cursor is not valid") {
		t.Errorf("%s: %v", what, err)
	}
}

// Whatever is not, to the byte, a cursor that was handed out, is refused.
func TestTamperedCursors(t *testing.T) {
	t.Parallel()
	c := cursors(t, 'a')
	cursor := c.Seal(here, key)
	raw, _ := base64.RawURLEncoding.DecodeString(cursor)
	for bit := range len(raw) * 8 {
		flipped := append([]byte{}, raw...)
		flipped[bit/8] ^= 1 << (bit % 8)
		invalid(t, "a flipped bit", here, c, base64.RawURLEncoding.EncodeToString(flipped))
	}
	for bit := range len(cursor) * 8 { // of the text itself, spare bits of base64 included
		flipped := []byte(cursor)
		flipped[bit/8] ^= 1 << (bit % 8)
		invalid(t, "a flipped bit of the text", here, c, string(flipped))
	}
	for what, text := range map[string]string{
		"nothing": "", "padding": cursor + "=", "a line break": cursor + "\n",
		"a line break inside": cursor[:9] + "\r\n" + cursor[9:], "a space": " " + cursor,
		"shorter": cursor[:len(cursor)-1], "longer": cursor + "A", "twice": cursor + cursor,
		"standard alphabet": strings.NewReplacer("-", "+", "_", "/").Replace(cursor) + "+",
	} {
		invalid(t, what, here, c, text)
	}
}

// A refusal says whether the text can be a cursor at all.
func TestWhyACursorIsRefused(t *testing.T) {
	t.Parallel()
	c := cursors(t, 'a')
	cursor := c.Seal(here, key)
	another := here
	another.List = "campaigns"
	const malformed = "cursor is malformed: send the next_cursor of a page unchanged."
	const scope = "cursor was changed, or belongs to another list or to other filters: send it as its page had it, or begin without it."
	for text, want := range map[string]string{
		cursor[1:]:                      malformed,
		"2":                             malformed,
		c.Seal(another, key):            scope,
		cursors(t, 'b').Seal(here, key): scope,
	} {
		_, err := c.Open(here, text)
		faults := outreach.FaultsOf(err)
		if len(faults) != 1 || faults[0].Detail != want {
			t.Errorf("%s: %v, want %s", text, faults, want)
		}
	}
}

func TestCursorIsBoundToItsScope(t *testing.T) {
	t.Parallel()
	c := cursors(t, 'a')
	replied, email := outreach.ProspectReplied, "a@x.test"
	filtered := here
	filtered.Filter = outreach.ProspectFilter{Status: &replied}
	cursor := c.Seal(filtered, key)
	if _, err := c.Open(
		page.Scope{List: "prospects", Workspace: here.Workspace, Filter: outreach.ProspectFilter{Status: &replied}}, cursor); err != nil {
		t.Fatalf("its own scope: %v", err)
	}
	for what, change := range map[string]func(*page.Scope){
		"another list":             func(s *page.Scope) { s.List = "campaigns" },
		"another workspace":        func(s *page.Scope) { s.Workspace = uuid.New() },
		"no filter":                func(s *page.Scope) { s.Filter = outreach.ProspectFilter{} },
		"another filter":           func(s *page.Scope) { s.Filter = outreach.ProspectFilter{Email: &email} },
		"one filter more":          func(s *page.Scope) { s.Filter = outreach.ProspectFilter{Status: &replied, Email: &email} },
		"a filter of its spelling": func(s *page.Scope) { s.Filter = outreach.ProspectFilter{Search: (*string)(&replied)} },
	} {
		scope := filtered
		change(&scope)
		invalid(t, what, scope, c, cursor)
	}
}

// A key that was replaced still opens what it sealed; a key that was removed does not.
func TestCursorsOutliveAKey(t *testing.T) {
	t.Parallel()
	cursor := cursors(t, 'a').Seal(here, key)
	if _, err := cursors(t, 'b', 'a').Open(here, cursor); err != nil {
		t.Errorf("after rotation: %v", err)
	}
	invalid(t, "with a foreign key", here, cursors(t, 'b'), cursor)
}

func FuzzOpenCursor(f *testing.F) {
	f.Add("")
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		invalid(t, text, here, cursors(t, 'z'), text)
	})
}
