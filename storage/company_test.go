package storage_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Companies and campaigns are found by any part of their names, without case and accents, page by page,
// and in their workspace alone. A wildcard of LIKE is a letter like others.
func TestNamesAreFound(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	s, other := house.room(t), house.room(t)
	for _, in := range []*stage{s, other} {
		box := in.mailbox("me@acme.test")
		for _, name := range []string{"Öberg & Söhne", "Nordic 100%", "Øresund_Öl", "Plain"} {
			in.draft(name, box, steps(0)...)
			in.clock.Advance(time.Millisecond)
		}
		for email, company := range map[string]string{"a@oberg.test": "Öberg & Söhne", "b@nordic.test": "Nordic 100%",
			"c@olje.test": "Øresund_Öl"} {
			got(in.CreateProspect(in.ctx, outreach.Prospect{WorkspaceID: in.ws, Email: email, CompanyName: &company}))(t)
			in.clock.Advance(time.Millisecond)
		}
	}
	// each returns the names that a search finds, one row a page.
	campaigns := func(search string) []string {
		return namesOf(func(page outreach.Page) outreach.Rows[outreach.Campaign] {
			return got(s.ListCampaigns(s.ctx, s.ws, outreach.CampaignFilter{Search: &search}, page))(t)
		}, func(c outreach.Campaign) string { return c.Name })
	}
	companies := func(filter outreach.CompanyFilter) []string {
		return namesOf(func(page outreach.Page) outreach.Rows[outreach.Company] {
			return got(s.ListCompanies(s.ctx, s.ws, filter, page))(t)
		}, func(c outreach.Company) string { return c.Name })
	}
	for _, c := range []struct {
		search string
		want   []string
	}{
		{"oberg", []string{"Öberg & Söhne"}},
		{"ÖBERG & s", []string{"Öberg & Söhne"}},
		{" sohn ", []string{"Öberg & Söhne"}},
		{"0%", []string{"Nordic 100%"}},
		{"d_o", []string{"Øresund_Öl"}},
		{"c_1", nil},
		{"o", []string{"Nordic 100%", "Öberg & Söhne", "Øresund_Öl"}},
		{"nobody", nil},
	} {
		same(t, "campaigns with "+c.search, sorted(campaigns(c.search)), c.want)
		same(t, "companies with "+c.search, sorted(companies(outreach.CompanyFilter{Search: &c.search})), c.want)
		same(t, "cold companies with "+c.search, sorted(companies(outreach.CompanyFilter{Search: &c.search,
			Temperature: new(outreach.TemperatureCold)})), c.want)
		same(t, "hot companies with "+c.search, companies(outreach.CompanyFilter{Search: &c.search,
			Temperature: new(outreach.TemperatureHot)}), nil)
	}
	same(t, "a domain", companies(outreach.CompanyFilter{Search: new("olje.t")}), []string{"Øresund_Öl"})
	same(t, "all campaigns", campaigns("  "), []string{"Plain", "Øresund_Öl", "Nordic 100%", "Öberg & Söhne"})
}

// namesOf walks a list one row a page, by keys and by offsets at once.
func namesOf[T any](list func(outreach.Page) outreach.Rows[T], name func(T) string) (names []string) {
	page := outreach.Page{Limit: 1}
	for {
		rows := list(page)
		for _, row := range rows.Rows {
			names = append(names, name(row))
		}
		if !rows.More {
			return names
		}
		page.Offset++
		if last := rows.Last; last.ID != uuid.Nil {
			page.After = &last
		}
	}
}
