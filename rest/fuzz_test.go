package rest

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzBody sends any bytes to calls of every kind of input: never a panic, never
// 5xx, and what is refused is described by the document.
func FuzzBody(f *testing.F) {
	paths := []string{"/prospects", "/prospects/bulk", "/enrollments", "/campaigns", "/mailboxes", "/subscriptions", "/suppressions"}
	for _, seed := range []string{``, `{`, `{"email":"a@b.example","custom_fields":{"a":[{}]}}`,
		`{"prospects":[{"email":1},null]}`, `{"steps":[{"id":"x"}],"send_days":["mon"]}`,
		`{"smtp":{"port":1e400}}`, `{"a":1,"a":2}`, "{\"email\":\"\xff\"}", `{"email":"\ud83d"}`, `[[[[[`,
		`{"campaign_id":"\u0000"}`, `{"prospect":{"status":"new"}}`} {
		for i := range paths {
			f.Add(byte(i), []byte(seed))
		}
	}
	s := newService(f, nil, func(c *Config) { c.Queries = &recorder{answer: fuzzAnswer} })
	f.Fuzz(func(t *testing.T, path byte, body []byte) {
		got := s.do("POST", Base+paths[int(path)%len(paths)], string(body))
		if got.StatusCode != 409 && got.StatusCode != 400 && got.StatusCode != 422 && got.StatusCode != 415 {
			t.Errorf("%q: %s", body, got.Status)
		}
	})
}

// FuzzQuery does the same with query strings.
func FuzzQuery(f *testing.F) {
	paths := []string{"/prospects", "/messages", "/replies", "/mailboxes", "/companies", "/deliveries"}
	for _, seed := range []string{"", "limit=5&cursor=x", "limit=05", "since=2026-W47-5T10:00+02", "status=%zz", "a;b=c",
		"%00=1", "step=1&automatic=true", "cursor=&cursor=", "=", "&&&", "email=\xff", "limit=5#x"} {
		for i := range paths {
			f.Add(byte(i), seed)
		}
	}
	s := newService(f, &recorder{})
	f.Fuzz(func(t *testing.T, path byte, query string) {
		r := httptest.NewRequest("GET", Base+paths[int(path)%len(paths)], strings.NewReader(""))
		r.URL.RawQuery = query
		r.Header.Set("Authorization", "Bearer "+string(s.tokens.token))
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		if w.Code != 200 && w.Code != 400 {
			t.Errorf("%q: %d", query, w.Code)
		}
	})
}
