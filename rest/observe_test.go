package rest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestEveryAnswerIsObserved(t *testing.T) {
	t.Parallel()
	var got []Observation
	s := newService(t, &recorder{}, func(c *Config) { c.Observe = func(o Observation) { got = append(got, o) } })
	s.do("GET", "/api/v1/prospects", "")
	s.do("GET", "/api/v1/prospects/"+anID, "")
	s.do("PUT", "/api/v1/campaigns/"+anID+"/pause", "")
	s.do("GET", "/api/v1/people/"+anID, "")
	s.do("GET", "/docs", "")
	s.do("GET", "/", "")
	want := []Observation{
		{Method: "GET", Route: "/api/v1/prospects", Status: 200},
		{Method: "GET", Route: "/api/v1/prospects/{id}", Status: 500}, // a list is no answer here
		{Method: "PUT", Route: "/api/v1/campaigns/{id}/pause", Status: 405},
		{Method: "GET", Route: "", Status: 404},
		{Method: "GET", Route: "/docs", Status: 200},
		{Method: "GET", Route: "", Status: 404},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Observation{}, "Took")); diff != "" {
		t.Error(diff)
	}
}
