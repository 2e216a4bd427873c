package storage_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"outreach"
)

// The rule of the root package, told by events: what happened how many hours ago,
// and the temperature that Postgres and the rule make of it.
func TestTemperatureOfEvents(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	type fact struct {
		kind, interest string
		hours          int
		again          bool
	}
	cases := map[string]struct {
		facts []fact
		want  outreach.Temperature
		why   string
	}{
		"nothing":                 {nil, "cold", "no engagement in the last seven days"},
		"a mail sent":             {[]fact{{kind: "sent"}}, "cold", "no engagement in the last seven days"},
		"a positive reply":        {[]fact{{"replied", "positive", 1, false}}, "hot", "positive reply"},
		"a neutral reply":         {[]fact{{"replied", "neutral", 1, false}}, "warm", "reply"},
		"a reply nobody has read": {[]fact{{"replied", "", 1, false}}, "warm", "reply"},
		"an automatic reply":      {[]fact{{"replied", "automatic", 1, false}}, "cold", "no engagement in the last seven days"},
		"a negative reply":        {[]fact{{"replied", "negative", 1, false}}, "cold", "negative reply or unsubscribe"},
		"a click":                 {[]fact{{"clicked", "", 1, false}}, "warm", "click"},
		"an offer read":           {[]fact{{"offer_read", "", 1, false}}, "warm", "offer read"},
		"an offer read again":     {[]fact{{"offer_read", "", 1, true}}, "hot", "offer read again"},
		"neutral and a click": {[]fact{{"replied", "neutral", 9, false}, {"clicked", "", 1, false}}, "hot",
			"neutral reply and a click"},
		"neutral and an offer read": {[]fact{{"replied", "neutral", 1, false}, {"offer_read", "", 9, false}},
			"hot", "neutral reply and an offer read"},
		"a click and an offer read": {[]fact{{"clicked", "", 1, false}, {"offer_read", "", 1, false}}, "warm", "offer read"},
		"marked positive by hand": {
			[]fact{{"replied", "positive", 24 * 8, false}, {"interest_marked", "positive", 1, false}}, "hot", "positive reply"},
		"unsubscribed after a positive": {[]fact{{"replied", "positive", 5, false}, {"unsubscribed", "", 1, false}},
			"cold", "negative reply or unsubscribe"},
		"positive after an unsubscribe": {[]fact{{"unsubscribed", "", 5, false}, {"replied", "positive", 1, false}},
			"hot", "positive reply"},
		"a click after a no": {[]fact{{"replied", "negative", 5, false}, {"clicked", "", 1, false}}, "warm", "click"},
		"a no between neutral and click": {[]fact{{"replied", "neutral", 5, false}, {"replied", "negative", 3, false},
			{"clicked", "", 1, false}}, "warm", "click"},
		"a positive reply eight days ago":    {[]fact{{"replied", "positive", 24 * 8, false}}, "cold", "no engagement in the last seven days"},
		"a positive reply within seven days": {[]fact{{"replied", "positive", 24*7 - 1, false}}, "hot", "positive reply"},
		"a no that is over":                  {[]fact{{"clicked", "", 24*7 - 1, false}, {"unsubscribed", "", 24 * 8, false}}, "warm", "click"},
	}
	ids := map[string]uuid.UUID{}
	want := map[outreach.Temperature]map[uuid.UUID]bool{"hot": {}, "warm": {}, "cold": {}}
	n := 0
	for name, c := range cases {
		n++
		p := s.prospect(fmt.Sprintf("a@c%d.test", n))
		ids[name] = *p.CompanyID
		want[c.want][*p.CompanyID] = true
		for _, f := range c.facts {
			metadata, _ := json.Marshal(map[string]any{"again": f.again})
			s.exec(`INSERT INTO events (id, workspace_id, type, occurred_at, company_id, interest, metadata)
				VALUES (gen_random_uuid(), $1, $2, now() - make_interval(hours => $3), $4, nullif($5, ''), $6)`, s.ws, f.kind,
				f.hours, *p.CompanyID, f.interest, metadata)
		}
	}
	for name, c := range cases {
		company := got(s.Company(s.ctx, s.ws, ids[name]))(t)
		same(t, name, []string{string(company.Temperature), company.TemperatureReason}, []string{string(c.want), c.why})
	}
	for temperature, companies := range want { // the filtered list judges the same
		found := map[uuid.UUID]bool{}
		page := outreach.Page{Limit: 2}
		for {
			list := got(s.ListCompanies(s.ctx, s.ws, outreach.CompanyFilter{Temperature: &temperature}, page))(t)
			for _, c := range list.Rows {
				same(t, "temperature", c.Temperature, temperature)
				found[c.ID] = true
			}
			if !list.More {
				break
			}
			page.Offset += 2
		}
		same(t, string(temperature), found, companies)
	}
	beyond := got(s.ListCompanies(s.ctx, s.ws, outreach.CompanyFilter{Temperature: new(outreach.TemperatureHot)},
		outreach.Page{Limit: 2, Offset: 1000}))(t)
	same(t, "beyond the end", []any{len(beyond.Rows), beyond.More}, []any{0, false})
}
