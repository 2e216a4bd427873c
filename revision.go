package outreach

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Revision returns a digest, as 32 hex digits, of every field that UpdateCampaign can change. It
// does not depend on status and sent messages.
func (c *Campaign) Revision() string {
	digest := sha256.New()
	fmt.Fprintf(digest, "%q %q %q %q %q %q %t %t %t %t %s %q %q %q %q", c.Name, c.Timezone, c.SendDays, c.SendFrom,
		c.SendUntil, optional(c.DailyNewLimit),
		c.StopOnReply, c.StopCompanyOnReply, c.TrackClicks, c.TrackOpens, c.MailboxIDs,
		c.SkipDates, optional(c.StartsOn), optional(c.EndsOn), optional(c.CompanyDailyLimit))
	for _, step := range c.Steps {
		fmt.Fprintf(digest, " %s %d %q %q %q", step.ID, step.DelayMinutes, optional(step.Subject), optional(step.BodyHTML),
			optional(step.BodyText))
	}
	return hex.EncodeToString(digest.Sum(nil)[:16])
}

// optional returns a list that distinguishes nil from every value.
func optional[T any](value *T) []any {
	if value == nil {
		return nil
	}
	return []any{*value}
}
