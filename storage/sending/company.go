package sending

import (
	"context"

	"github.com/google/uuid"

	"outreach"
	"outreach/storage"
)

// firm is a company in one campaign.
type firm struct{ campaign, company uuid.UUID }

// Claimed messages count too. A message that is withdrawn, or is known as not sent, frees its place.
const selectBegun = `
SELECT one.campaign_id, one.company_id, (SELECT count(*) FROM messages m
	WHERE m.workspace_id = $1 AND m.campaign_id = one.campaign_id AND m.company_id = one.company_id
		AND m.begun_on = one.today::date AND m.status <> 'not_sent')
FROM unnest($2::uuid[], $3::uuid[], $4::text[]) one(campaign_id, company_id, today)`

// countCompanies reads how many people of the companies of the picks their campaigns have begun
// with today. Only campaigns with company_daily_limit are counted: fetch has locked them, so that
// no other claim takes a place.
func (b *claimTx) countCompanies(ctx context.Context, picks []pick, people map[uuid.UUID]*person) error {
	b.begun = map[firm]int{}
	var campaigns, companies []uuid.UUID
	var today []string
	for _, p := range picks {
		for _, d := range p.due {
			f, limited := firmOf(p.campaign, d, people[d.prospect])
			if _, known := b.begun[f]; limited && !known {
				b.begun[f] = 0
				campaigns, companies, today = append(campaigns, f.campaign), append(companies, f.company), append(today, p.campaign.Today(b.now))
			}
		}
	}
	if len(campaigns) == 0 {
		return nil
	}
	var f firm
	var count int
	return storage.ForEach(ctx, b.tx, "count new prospects of companies", selectBegun, []any{b.workspace, campaigns, companies, today},
		[]any{&f.campaign, &f.company, &count}, func() { b.begun[f] = count })
}

// companyFull reports whether a step has to wait for the campaign's limit of new prospects of one
// company.
func (b *claimTx) companyFull(c *outreach.Campaign, d due, one *person) bool {
	f, limited := firmOf(c, d, one)
	return limited && b.begun[f] >= *c.CompanyDailyLimit
}

func (b *claimTx) countBegun(c *outreach.Campaign, d due, one *person) {
	if f, limited := firmOf(c, d, one); limited {
		b.begun[f]++
	}
}

// firmOf returns the company of a first step, and whether the campaign limits its people.
func firmOf(c *outreach.Campaign, d due, one *person) (firm, bool) {
	if c.CompanyDailyLimit == nil || d.step > 1 || one == nil || one.CompanyID == nil {
		return firm{}, false
	}
	return firm{c.ID, *one.CompanyID}, true
}
