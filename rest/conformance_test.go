package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/rest"
)

// The rules of docs/reference.md#lists, for every list and for one that only this test has.

func TestEveryListIsTried(t *testing.T) {
	t.Parallel()
	var tried []string
	for _, l := range listings {
		if l.path != "/probes" {
			tried = append(tried, l.path)
		}
	}
	if diff := cmp.Diff(rest.Lists(), tried); diff != "" {
		t.Error(diff)
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	for _, l := range listings {
		t.Run(l.path[1:], func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			for _, rule := range []func(*testing.T, *stage, listing){
				emptyListHasItsEnvelope, everyLimitWalksTheWhole, cursorsCannotBeMade, walksAreStable, filtersKeepWhatTheyShould,
				datesAreInclusive, parametersAreKnown,
			} {
				rule(t, s, l)
			}
		})
	}
}

// base is the instant of row 0; the rows after it are older, three to an instant.
var base = time.Date(2026, 11, 2, 10, 0, 0, 123456000, time.UTC)

func instantOf(i int) time.Time { return base.Add(-time.Duration(i/3) * time.Second) }

// seed makes n rows and gives their numbers by id.
func (s *stage) seed(l listing, ws uuid.UUID, n int) map[string]int {
	s.t.Helper()
	numbers := map[string]int{}
	for i := range n {
		id := uuid.New() // any order: ties must not happen to be sorted
		l.insert(s, ws, id, instantOf(i), i)
		numbers[id.String()] = i
	}
	return numbers
}

// ordered returns the ids of the rows that keep accepts: newest first, ties by id
// descending.
func ordered(numbers map[string]int, keep func(int) bool) []string {
	ids := []string{}
	for id, i := range numbers {
		if keep(i) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		if order := instantOf(numbers[b]).Compare(instantOf(numbers[a])); order != 0 {
			return order
		}
		return strings.Compare(b, a)
	})
	return ids
}

func all(int) bool { return true }

// target writes a list's address.
func (l listing) target(query url.Values) string { return l.path + "?" + query.Encode() }

// walk follows the cursors to the end. full says that every page but the last
// holds as many rows as were asked for.
func (s *stage) walk(t *testing.T, l listing, ws uuid.UUID, query url.Values, limit int, full bool, between func()) []string {
	t.Helper()
	ids := []string{}
	query = cloned(query)
	query.Set("limit", fmt.Sprint(limit))
	for range 500 {
		p := readPage(t, s.call(s.on(l), ws, "GET", l.target(query), ""))
		for _, row := range p.Data {
			ids = append(ids, row["id"].(string))
			if _, err := time.Parse("2006-01-02T15:04:05.000000+00:00", row[l.at].(string)); err != nil {
				t.Errorf("%s is printed as %v", l.at, row[l.at])
			}
		}
		if p.NextCursor == nil {
			return ids
		}
		if len(p.Data) > limit || full && len(p.Data) < limit {
			t.Errorf("a page of %d rows, %d asked for", len(p.Data), limit)
		}
		query.Set("cursor", *p.NextCursor)
		if between != nil {
			between()
		}
	}
	t.Fatal("the walk does not end")
	return nil
}

// on is the handler that holds answers to the document, which does not have the
// test's own list.
func (s *stage) on(l listing) http.Handler {
	if l.path == "/probes" {
		return s.handler
	}
	return s.checked
}

func cloned(query url.Values) url.Values {
	c := url.Values{}
	for name, values := range query {
		c[name] = slices.Clone(values)
	}
	return c
}

func emptyListHasItsEnvelope(t *testing.T, s *stage, l listing) {
	w := s.call(s.on(l), s.workspace(), "GET", l.path, "")
	if got := w.Body.String(); w.Code != 200 || got != `{"data":[],"next_cursor":null}` {
		t.Errorf("empty list: %d %s", w.Code, got)
	}
}

func everyLimitWalksTheWhole(t *testing.T, s *stage, l listing) {
	ws, other := s.workspace(), s.workspace()
	numbers := s.seed(l, ws, 12)
	s.seed(l, other, 4)
	want := ordered(numbers, all)
	for _, limit := range []int{1, 5, 6, 11, 12, 13, 100} {
		if diff := cmp.Diff(want, s.walk(t, l, ws, nil, limit, true, nil)); diff != "" {
			t.Errorf("limit %d: %s", limit, diff)
		}
	}
	for _, limit := range []string{"0", "101", "-1", "1.0", "+1", "01", "", "x"} {
		refused(t, s, l, ws, url.Values{"limit": {limit}}, "invalid_parameter", "limit")
	}
}

func cursorsCannotBeMade(t *testing.T, s *stage, l listing) {
	ws, other := s.workspace(), s.workspace()
	s.seed(l, ws, 4)
	s.seed(l, other, 4)
	cursor := *readPage(t, s.call(s.on(l), ws, "GET", l.path+"?limit=2", "")).NextCursor
	forged := []string{cursor + "A", cursor + "=", cursor + "\n", " " + cursor, cursor[1:], cursor[:len(cursor)-1],
		cursor + cursor, "x", "0", strings.ToUpper(cursor), "null",
		*readPage(t, s.call(s.on(l), other, "GET", l.path+"?limit=2", "")).NextCursor}
	for i := range len(cursor) {
		for bit := range 8 {
			flipped := []byte(cursor)
			flipped[i] ^= 1 << bit
			forged = append(forged, string(flipped))
		}
	}
	for _, c := range forged {
		w := s.call(s.handler, ws, "GET", l.target(url.Values{"limit": {"2"}, "cursor": {c}}), "")
		if w.Code != 400 || !bytes.Contains(w.Body.Bytes(), []byte(`"code":"invalid_cursor"`)) {
			t.Errorf("cursor %q: %d %s", c, w.Code, w.Body)
		}
	}
	refused(t, s, l, ws, url.Values{"cursor": {cursor + "A"}}, "invalid_cursor", "cursor")
	for _, f := range l.filters {
		refused(t, s, l, ws, url.Values{"cursor": {cursor}, f.name: {f.value(s, ws)}}, "invalid_cursor", "cursor")
	}
	if l.since != "" {
		refused(t, s, l, ws, url.Values{"cursor": {cursor}, l.since: {"2026-01-01"}}, "invalid_cursor", "cursor")
	}
	if l.path != "/campaigns" && l.path != "/probes" { // the same list under two names
		if w := s.call(s.handler, ws, "GET", "/campaigns?cursor="+url.QueryEscape(cursor), ""); w.Code != 400 {
			t.Errorf("the cursor serves another list: %d", w.Code)
		}
	}
	if w := s.call(s.on(l), ws, "GET", l.target(url.Values{"limit": {"1"}, "cursor": {cursor}}), ""); w.Code != 200 {
		t.Errorf("the cursor does not take another limit: %d %s", w.Code, w.Body)
	}
}

// walksAreStable inserts newer and older rows and deletes some while walking:
// nothing comes twice, nothing that was there and stays is missed.
func walksAreStable(t *testing.T, s *stage, l listing) {
	ws := s.workspace()
	numbers := s.seed(l, ws, 9)
	want := ordered(numbers, all)
	victims, added := []string{want[0], want[8]}, 100
	got := s.walk(t, l, ws, nil, 2, false, func() {
		l.insert(s, ws, uuid.New(), base.Add(time.Duration(added)*time.Second), added)
		added++
		if len(victims) > 0 {
			s.exec(`DELETE FROM `+l.table+` WHERE id = $1`, victims[0])
			victims = victims[1:]
		}
	})
	if diff := cmp.Diff(want[:8], got); diff != "" {
		t.Error(diff)
	}
}

// filtersKeepWhatTheyShould tries every combination of the filters.
func filtersKeepWhatTheyShould(t *testing.T, s *stage, l listing) {
	ws := s.workspace()
	numbers := s.seed(l, ws, 12)
	for chosen := range 1 << len(l.filters) {
		query, keep := url.Values{}, all
		for i, f := range l.filters {
			if chosen>>i&1 == 1 {
				query.Set(f.name, f.value(s, ws))
				before := keep
				keep = func(i int) bool { return before(i) && f.keep(i) }
			}
		}
		got := s.walk(t, l, ws, query, 2, !query.Has(l.thin), nil)
		if diff := cmp.Diff(ordered(numbers, keep), got); diff != "" {
			t.Errorf("%s: %s", query.Encode(), diff)
		}
	}
	for _, f := range l.filters {
		if value := f.value(s, ws); len(value) == 36 {
			w := s.call(s.on(l), ws, "GET", l.target(url.Values{f.name: {uuid.NewString()}}), "")
			if p := readPage(t, w); len(p.Data) != 0 || p.NextCursor != nil {
				t.Errorf("%s of an unknown id: %s", f.name, w.Body)
			}
		}
	}
}

// datesAreInclusive asks for the instant of row 3 in every form, and for the
// microsecond after it.
func datesAreInclusive(t *testing.T, s *stage, l listing) {
	if l.since == "" {
		return
	}
	ws := s.workspace()
	numbers := s.seed(l, ws, 9)
	at := instantOf(3)
	upTo := func(n int) []string { return ordered(numbers, func(i int) bool { return i < n }) }
	for _, test := range []struct {
		value string
		want  []string
	}{
		{at.Format("2006-01-02T15:04:05.000000Z"), upTo(6)},
		{at.Format("2006-01-02T15:04:05,000000Z"), upTo(6)},
		{at.Format("20060102T150405.000000Z"), upTo(6)},
		{at.In(time.FixedZone("", 7200)).Format("2006-01-02T15:04:05.000000-07:00"), upTo(6)},
		{at.In(time.FixedZone("", -19800)).Format("2006-01-02T15:04:05.000000-0700"), upTo(6)},
		{strings.Replace(at.In(time.FixedZone("", 7200)).Format("2006-01-02T15:04:05.000000-07"), "+", " ", 1), upTo(6)},
		{outreach.FormatInstant(at), upTo(6)},
		{at.Format("2006-01-02T15:04:05.000000") + "1Z", upTo(3)},
		{outreach.FormatInstant(at.Add(time.Microsecond)), upTo(3)},
		{at.Format("2006-01-02T15:04Z"), upTo(9)}, {"2026-11-02T10:00Z", upTo(3)}, {"2026-11-02T24:00Z", upTo(0)},
		{"2026-11-02", upTo(9)}, {"20261102", upTo(9)}, {"2026-W45-1", upTo(9)}, {"2026W451", upTo(9)},
		{"2026-306", upTo(9)}, {"2026306", upTo(9)},
		{"2026-11-03", upTo(0)}, {"2026-11-02T00:00:00-14:00", upTo(0)}, {"1970-01-01", upTo(9)}, {"0001-01-01", upTo(9)},
		{"9999-12-31", upTo(0)},
	} {
		if diff := cmp.Diff(test.want, s.walk(t, l, ws, url.Values{l.since: {test.value}}, 4, true, nil)); diff != "" {
			t.Errorf("%s=%s: %s", l.since, test.value, diff)
		}
	}
	// An unescaped plus arrives as a space.
	w := s.call(s.on(l), ws, "GET", l.path+"?limit=100&"+l.since+"="+outreach.FormatInstant(at), "")
	if p := readPage(t, w); len(p.Data) != 6 {
		t.Errorf("with a bare plus: %d rows", len(p.Data))
	}
	for _, value := range []string{"2026-11", "2026", "2026-11-31", "2026-11-02T10:00:00", "yesterday", ""} {
		refused(t, s, l, ws, url.Values{l.since: {value}}, "invalid_parameter", l.since)
	}
}

func parametersAreKnown(t *testing.T, s *stage, l listing) {
	ws := s.workspace()
	for _, name := range []string{"updated_since", "sort", "page", "offset", "order", "first", "after", "id", "workspace_id"} {
		refused(t, s, l, ws, url.Values{name: {"1"}}, "invalid_parameter", name)
	}
	refused(t, s, l, ws, url.Values{"limit": {"5", "5"}}, "invalid_parameter", "limit")
	for _, f := range l.filters {
		value := f.value(s, ws)
		refused(t, s, l, ws, url.Values{f.name: {value, value}}, "invalid_parameter", f.name)
		if f.name != "email" && f.name != "domain" && f.name != "search" {
			refused(t, s, l, ws, url.Values{f.name: {"nonsense"}}, "invalid_parameter", f.name)
		}
	}
}

// refused expects a 400 that names a parameter.
func refused(t *testing.T, s *stage, l listing, ws uuid.UUID, query url.Values, code, parameter string) {
	t.Helper()
	w := s.call(s.on(l), ws, "GET", l.target(query), "")
	var p struct {
		Code, Detail string
		Errors       []struct{ Parameter string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 400 || p.Code != code {
		t.Errorf("%s: %d %s", query.Encode(), w.Code, w.Body)
		return
	}
	if len(p.Errors) != 1 || p.Errors[0].Parameter != parameter {
		t.Errorf("%s names %v", query.Encode(), p.Errors)
	}
	if code == "invalid_cursor" && p.Detail != "cursor is not valid" {
		t.Errorf("detail %q", p.Detail)
	}
}
