package storage_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"outreach"
)

func TestCreateCampaign(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := outreach.NewCampaign()
	c.WorkspaceID, c.Name, c.MailboxIDs = s.ws, " Spring ", []uuid.UUID{box.ID}
	c.Steps = []outreach.Step{{Subject: new("Hi"), BodyText: new("text")}, {DelayMinutes: 5, Subject: new("  "), BodyHTML: new("<p>")}}
	made := got(s.CreateCampaign(s.ctx, c))(t)
	want := c
	want.ID, want.Name, want.CreatedAt, want.NotSendingReason = made.ID, "Spring", s.clock.Now(),
		new("The campaign is a draft: activate it to send.")
	want.Steps = []outreach.Step{{ID: made.Steps[0].ID, Subject: new("Hi"), BodyText: new("text")},
		{ID: made.Steps[1].ID, DelayMinutes: 5, BodyHTML: new("<p>")}}
	same(t, "answer", made, want)
	same(t, "stored", got(s.Campaign(s.ctx, s.ws, made.ID))(t), want)
	same(t, "sends nothing", s.claimAll(box), nil)

	c.Steps = []outreach.Step{{ID: made.Steps[0].ID, Subject: new("Hi"), BodyText: new("text")}}
	_, err := s.CreateCampaign(s.ctx, c)
	refused(t, err, outreach.CodeUnknownReference)
	same(t, "where", faults(t, err), []string{"/steps/0/id unknown_reference"})
}

func TestCampaignRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	for name, c := range map[string]struct {
		change func(*outreach.Campaign)
		code   outreach.Code
		want   []string
	}{
		"name":   {func(c *outreach.Campaign) { c.Name = " " }, outreach.CodeValidation, []string{"/name required"}},
		"zone":   {func(c *outreach.Campaign) { c.Timezone = "Nowhere" }, outreach.CodeValidation, []string{"/timezone invalid"}},
		"no day": {func(c *outreach.Campaign) { c.SendDays = nil }, outreach.CodeValidation, []string{"/send_days required"}},
		"a day twice": {func(c *outreach.Campaign) { c.SendDays = []outreach.Weekday{"mon", "mon"} },
			outreach.CodeValidation, []string{"/send_days/1 invalid"}},
		"hours": {func(c *outreach.Campaign) { c.SendUntil = "24:00" }, outreach.CodeValidation, []string{"/send_until invalid"}},
		"backwards": {func(c *outreach.Campaign) { c.SendFrom, c.SendUntil = "17:00", "09:00" },
			outreach.CodeValidation, []string{"/send_until invalid"}},
		"company limit": {func(c *outreach.Campaign) { c.CompanyDailyLimit = new(0) }, outreach.CodeValidation,
			[]string{"/company_daily_limit invalid"}},
		"limit": {func(c *outreach.Campaign) { c.DailyNewLimit = new(0) }, outreach.CodeValidation,
			[]string{"/daily_new_limit invalid"}},
		"a date": {func(c *outreach.Campaign) { c.SkipDates = []string{"2026-12-25", "2026-02-30"} },
			outreach.CodeValidation, []string{"/skip_dates/1 invalid"}},
		"its end": {func(c *outreach.Campaign) { c.StartsOn, c.EndsOn = new("2026-12-02"), new("2026-12-01") },
			outreach.CodeValidation, []string{"/ends_on invalid"}},
		"no body": {func(c *outreach.Campaign) { c.Steps[0].BodyText = nil }, outreach.CodeValidation,
			[]string{"/steps/0/body_text required"}},
		"no first subject": {func(c *outreach.Campaign) { c.Steps[0].Subject = nil }, outreach.CodeValidation,
			[]string{"/steps/0/subject required"}},
		"delay": {func(c *outreach.Campaign) { c.Steps[0].DelayMinutes = -1 }, outreach.CodeValidation,
			[]string{"/steps/0/delay_minutes invalid"}},
		"unknown mailbox": {func(c *outreach.Campaign) { c.MailboxIDs = []uuid.UUID{box.ID, uuid.New()} },
			outreach.CodeUnknownReference, []string{"/mailbox_ids/1 unknown_reference"}},
		"a mailbox twice": {func(c *outreach.Campaign) { c.MailboxIDs = []uuid.UUID{box.ID, box.ID} },
			outreach.CodeValidation, []string{"/mailbox_ids/1 invalid"}},
		"mailbox and limit": {func(c *outreach.Campaign) { c.DailyNewLimit, c.Name = new(0), "" }, outreach.CodeValidation,
			[]string{"/name required", "/daily_new_limit invalid"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := outreach.NewCampaign()
			k.WorkspaceID, k.Name, k.Steps = s.ws, "C", steps(0)
			c.change(&k)
			_, err := s.CreateCampaign(s.ctx, k)
			refused(t, err, c.code)
			same(t, "fields", faults(t, err), c.want)
			there := s.draft("There", box, steps(0)...)
			_, err = s.UpdateCampaign(s.ctx, s.ws, there.ID, c.change)
			refused(t, err, c.code)
			same(t, "fields of an update", faults(t, err), c.want)
			same(t, "unchanged", got(s.Campaign(s.ctx, s.ws, there.ID))(t), there)
		})
	}
}

// An element with a step's id keeps that step; one without is new; what a prospect has passed can
// be edited, but not removed or moved.
func TestStepsOfACampaign(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	fresh := outreach.Step{Subject: new("New"), BodyText: new("new")}
	for name, c := range map[string]struct {
		change func(steps []outreach.Step) []outreach.Step
		unsent []int // places of the old steps after the change when nothing was sent, 0 for a new one; nil: refused
		sent   bool  // allowed as well when step 1 was sent
	}{
		"same":           {func(s []outreach.Step) []outreach.Step { return s }, []int{1, 2, 3}, true},
		"edited":         {func(s []outreach.Step) []outreach.Step { s[0].Subject = new("Other"); return s }, []int{1, 2, 3}, true},
		"appended":       {func(s []outreach.Step) []outreach.Step { return append(s, fresh) }, []int{1, 2, 3, 0}, true},
		"last removed":   {func(s []outreach.Step) []outreach.Step { return s[:2] }, []int{1, 2}, true},
		"later swapped":  {func(s []outreach.Step) []outreach.Step { return []outreach.Step{s[0], s[2], s[1]} }, []int{1, 3, 2}, true},
		"inserted after": {func(s []outreach.Step) []outreach.Step { return []outreach.Step{s[0], fresh, s[1], s[2]} }, []int{1, 0, 2, 3}, true},
		"first removed":  {func(s []outreach.Step) []outreach.Step { return s[1:] }, []int{2, 3}, false},
		"first replaced": {func(s []outreach.Step) []outreach.Step { return []outreach.Step{fresh, s[1], s[2]} }, []int{0, 2, 3}, false},
		"put before":     {func(s []outreach.Step) []outreach.Step { return append([]outreach.Step{fresh}, s...) }, []int{0, 1, 2, 3}, false},
		"an unknown id": {func(s []outreach.Step) []outreach.Step {
			return append(s, outreach.Step{ID: uuid.New(), Subject: new("x"), BodyText: new("x")})
		}, nil, false},
		"an id twice": {func(s []outreach.Step) []outreach.Step { return append(s, s[0]) }, nil, false},
	} {
		for _, sent := range []string{"nothing sent", "claimed", "sent"} {
			t.Run(name+", "+sent, func(t *testing.T) {
				t.Parallel()
				s := house.room(t)
				box := s.mailbox("me@acme.test")
				k := s.campaign("C", box, steps(0, 10, 20)...)
				s.enroll(k, s.prospect("a@x.test"))
				switch sent {
				case "claimed":
					s.claim(box)
				case "sent":
					s.send(box)
				}
				after, err := s.UpdateCampaign(s.ctx, s.ws, k.ID,
					func(k *outreach.Campaign) { k.Steps = c.change(append([]outreach.Step{}, k.Steps...)) })
				if c.unsent == nil {
					refused(t, err, outreach.CodeUnknownReference)
					return
				}
				if sent != "nothing sent" && !c.sent {
					refused(t, err, outreach.CodeCampaignStepInUse)
					same(t, "unchanged", got(s.Campaign(s.ctx, s.ws, k.ID))(t).Steps, k.Steps)
					return
				}
				must(t, err)
				var places []int
				for _, step := range after.Steps {
					place := 0
					for i, old := range k.Steps {
						if old.ID == step.ID {
							place = i + 1
						}
					}
					places = append(places, place)
				}
				same(t, "places", places, c.unsent)
				same(t, "stored", got(s.Campaign(s.ctx, s.ws, k.ID))(t), after)
			})
		}
	}
}

// The steps of an active campaign cannot be removed, and of the reasons the one that lasts is named:
// a step that was sent cannot be removed from a paused campaign either.
func TestStepsOfAnActiveCampaign(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for sent, want := range map[bool]outreach.Code{false: outreach.CodeInvalidState, true: outreach.CodeCampaignStepInUse} {
		s := house.room(t)
		box := s.mailbox("me@acme.test")
		k := s.campaign("C", box, steps(0, 10)...)
		s.enroll(k, s.prospect("a@x.test"))
		if sent {
			s.send(box)
		}
		_, err := s.UpdateCampaign(s.ctx, s.ws, k.ID, func(k *outreach.Campaign) { k.Steps = nil })
		refused(t, err, want)
	}
}

func TestCampaignTransitions(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	activate, pause, archive := (*stage).activate, (*stage).pause, (*stage).archive
	for from, allowed := range map[outreach.CampaignStatus]map[string]func(*stage, uuid.UUID) error{
		outreach.CampaignDraft:     {"activate": activate, "archive": archive},
		outreach.CampaignActive:    {"pause": pause, "archive": archive},
		outreach.CampaignPaused:    {"activate": activate, "archive": archive},
		outreach.CampaignCompleted: {"activate": activate, "archive": archive},
		outreach.CampaignArchived:  {},
	} {
		for name, move := range map[string]func(*stage, uuid.UUID) error{"activate": activate, "pause": pause, "archive": archive} {
			t.Run(string(from)+" "+name, func(t *testing.T) {
				t.Parallel()
				s := house.room(t)
				c := s.draft("C", s.mailbox("me@acme.test"), steps(0)...)
				s.exec(`UPDATE campaigns SET status = $2 WHERE id = $1`, c.ID, string(from))
				err := move(s, c.ID)
				if allowed[name] != nil {
					must(t, err)
				} else {
					refused(t, err, outreach.CodeInvalidState)
				}
			})
		}
	}
}

func (s *stage) activate(id uuid.UUID) error {
	_, err := s.ActivateCampaign(s.ctx, s.ws, id)
	return err
}
func (s *stage) pause(id uuid.UUID) error   { _, err := s.PauseCampaign(s.ctx, s.ws, id); return err }
func (s *stage) archive(id uuid.UUID) error { _, err := s.ArchiveCampaign(s.ctx, s.ws, id); return err }

func TestActivationNeedsStepsAndMailbox(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	empty := s.draft("empty", box)
	refused(t, s.activate(empty.ID), outreach.CodePrecondition)
	alone := outreach.NewCampaign()
	alone.WorkspaceID, alone.Name, alone.Steps = s.ws, "alone", steps(0)
	alone = got(s.CreateCampaign(s.ctx, alone))(t)
	refused(t, s.activate(alone.ID), outreach.CodePrecondition)
	active := s.campaign("active", box, steps(0)...)
	_, err := s.UpdateCampaign(s.ctx, s.ws, active.ID, func(c *outreach.Campaign) { c.Steps = nil })
	refused(t, err, outreach.CodeInvalidState)
}

func TestArchivingStopsEverybody(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	must(t, s.archive(s.c.ID))
	e := s.enrollment(s.e)
	same(t, "stopped", e.Status, outreach.EnrollmentStopped)
	same(t, "why", e.StopReason, new("the campaign was archived"))
	same(t, "prospect", s.status(s.p), outreach.ProspectFinished)
}

func TestDeleteCampaign(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		send func(s *stage, box outreach.Mailbox)
		code outreach.Code
	}{
		"never sent": {func(*stage, outreach.Mailbox) {}, ""},
		"sent":       {func(s *stage, box outreach.Mailbox) { s.send(box) }, outreach.CodeInUse},
		"claimed":    {func(s *stage, box outreach.Mailbox) { s.claim(box) }, outreach.CodeInUse},
		"refused": {func(s *stage, box outreach.Mailbox) {
			s.sendWith(box, outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultRecipient})
		}, outreach.CodeInUse},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box := s.mailbox("me@acme.test")
			k := s.campaign("C", box, steps(0)...)
			p := s.prospect("a@x.test")
			s.enroll(k, p)
			c.send(s, box)
			err := s.DeleteCampaign(s.ctx, s.ws, k.ID)
			if c.code != "" {
				refused(t, err, c.code)
				return
			}
			must(t, err)
			same(t, "its prospects are new again", s.status(p), outreach.ProspectNew)
			refused(t, s.DeleteCampaign(s.ctx, s.ws, k.ID), outreach.CodeNotFound)
		})
	}
}

// allFigures names every figure of outreach.CampaignStats.
var allFigures = []string{"prospects", "active", "held", "statuses", "sent", "accepted", "replied", "positive", "clicked",
	"bounced", "unsubscribed", "opens"}

func TestCampaignStats(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	same(t, "after one mail", got(s.CampaignStats(s.ctx, s.ws, s.c.ID, allFigures))(t),
		outreach.CampaignStats{CampaignID: s.c.ID, Prospects: 1, Active: 1, Sent: 1, Accepted: 1,
			Statuses: []outreach.EnrollmentCount{{Status: outreach.EnrollmentActive, Prospects: 1}}})
	s.replyTo(s.box, "ann@x.test", s.out, new(outreach.InterestPositive))
	s.replyTo(s.box, "ann@x.test", s.out, new(outreach.InterestPositive))
	s.enroll(s.c, s.prospect("bob@x.test"))
	s.sendWith(s.box, outreach.SendResult{Kind: outreach.SendRefused, Response: "550", Fault: outreach.FaultRecipient})
	s.exec(`
INSERT INTO opens (workspace_id, campaign_id, day, count) VALUES ($1, $2, '2026-11-20', 3), ($1, $2, '2026-11-21', 4)`, s.ws, s.c.ID)
	other := s.campaign("Other", s.box, steps(0)...)
	held := s.enroll(s.c, s.prospect("carl@x.test"))
	s.enroll(s.c, s.prospect("dora@x.test"))
	s.exec(`UPDATE enrollments SET status = 'held', hold_reason = 'no name' WHERE id = $1`, held.ID)
	want := outreach.CampaignStats{CampaignID: s.c.ID, Prospects: 4, Active: 1, Held: 1, Sent: 2, Accepted: 1, Replied: 1,
		Positive: 1, Bounced: 1, Opens: 7, Statuses: []outreach.EnrollmentCount{
			{Status: outreach.EnrollmentActive, Prospects: 1}, {Status: outreach.EnrollmentBounced, Prospects: 1},
			{Status: outreach.EnrollmentHeld, Prospects: 1}, {Status: outreach.EnrollmentReplied, Prospects: 1}}}
	none := outreach.CampaignStats{CampaignID: other.ID, Statuses: []outreach.EnrollmentCount{}}
	same(t, "after all", got(s.CampaignStats(s.ctx, s.ws, s.c.ID, allFigures))(t), want)
	same(t, "of another", got(s.CampaignStats(s.ctx, s.ws, other.ID, allFigures))(t), none)
	people := outreach.CampaignStats{Prospects: want.Prospects, Active: want.Active, Held: want.Held, Statuses: want.Statuses}
	for figure, alone := range map[string]outreach.CampaignStats{
		"campaignId": {}, "clicked": {}, "sent": {Sent: 2}, "accepted": {Accepted: 1}, "replied": {Replied: 1},
		"positive": {Positive: 1}, "bounced": {Bounced: 1}, "opens": {Opens: 7},
		"prospects": people, "active": people, "held": people, "statuses": people,
	} {
		alone.CampaignID = s.c.ID
		if alone.Statuses == nil {
			alone.Statuses = []outreach.EnrollmentCount{}
		}
		same(t, "only "+figure, got(s.CampaignStats(s.ctx, s.ws, s.c.ID, []string{figure}))(t), alone)
	}
	byID := func(a, b outreach.CampaignStats) int { return bytes.Compare(a.CampaignID[:], b.CampaignID[:]) }
	all := got(s.CampaignsStats(s.ctx, s.ws, []uuid.UUID{other.ID, uuid.New(), s.c.ID}, allFigures))(t)
	report := got(s.CampaignReport(s.ctx, s.ws, s.c.ID, 2))(t)
	same(t, "people written to", report.Contacted, 2)
	same(t, "step by step", report.Steps, []outreach.StepCounts{{Step: 1, Sent: 2, Bounced: 1, Replied: 1, Positive: 1}})
	same(t, "one row a day", len(report.Days), 2)
	today := report.Days[1]
	same(t, "today", []int{today.Sent, today.Replied, today.Positive, today.Bounced}, []int{2, 2, 2, 1})
	report = got(s.CampaignReport(s.ctx, s.ws, other.ID, 1))(t)
	same(t, "of one that has sent nothing", []int{report.Contacted, len(report.Steps), report.Days[0].Sent}, []int{0, 0, 0})
	same(t, "people found", got(s.CountEnrollments(s.ctx, s.ws, s.c.ID, got(outreach.ParseSearch("bob x.te"))(t)))(t),
		[]outreach.EnrollmentCount{{Status: outreach.EnrollmentBounced, Prospects: 1}})
	same(t, "all people", got(s.CountEnrollments(s.ctx, s.ws, s.c.ID, nil))(t), want.Statuses)
	same(t, "of both", slices.SortedFunc(slices.Values(all), byID), []outreach.CampaignStats{want, none})
}

// Of two changes of one campaign at the same time the later builds on the earlier:
// a step that one adds is not lost by another that only renames.
func TestChangesOfOneCampaignAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.campaign("C", s.mailbox("me@acme.test"), steps(0)...)
	request := &outreach.KeyedRequest{} // holds the first back, uncommitted
	got(s.UpdateCampaign(outreach.WithKeyedRequest(s.ctx, request), s.ws, c.ID,
		func(c *outreach.Campaign) { c.Steps = append(c.Steps, steps(5)...) }))(t)
	second := make(chan error, 1)
	go func() {
		_, err := s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) { c.Name = "Other" })
		second <- err
	}()
	s.untilOneWaits()
	must(t, request.Take().Commit(s.ctx))
	must(t, <-second)
	now := got(s.Campaign(s.ctx, s.ws, c.ID))(t)
	same(t, "campaign", fmt.Sprint(now.Name, " of ", len(now.Steps)), "Other of 2")
}

// Every edit makes another revision; what happens to the campaign otherwise does not.
func TestRevisionOfACampaign(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box, other := s.mailbox("me@acme.test"), s.mailbox("you@acme.test")
	c := s.draft("C", box, steps(0, 5)...)
	seen := map[string]string{c.Revision(): "the draft"}
	for name, change := range map[string]func(*outreach.Campaign){
		"name":            func(c *outreach.Campaign) { c.Name = "D" },
		"zone":            func(c *outreach.Campaign) { c.Timezone = "Asia/Tokyo" },
		"days":            func(c *outreach.Campaign) { c.SendDays = []outreach.Weekday{"sun"} },
		"from":            func(c *outreach.Campaign) { c.SendFrom = "00:01" },
		"until":           func(c *outreach.Campaign) { c.SendUntil = "22:59" },
		"limit":           func(c *outreach.Campaign) { c.DailyNewLimit = new(7) },
		"of a company":    func(c *outreach.Campaign) { c.CompanyDailyLimit = new(7) },
		"skipped":         func(c *outreach.Campaign) { c.SkipDates = []string{"2026-12-25"} },
		"start":           func(c *outreach.Campaign) { c.StartsOn = new("2026-12-25") },
		"end":             func(c *outreach.Campaign) { c.EndsOn = new("2026-12-25") },
		"on reply":        func(c *outreach.Campaign) { c.StopOnReply = !c.StopOnReply },
		"company":         func(c *outreach.Campaign) { c.StopCompanyOnReply = !c.StopCompanyOnReply },
		"clicks":          func(c *outreach.Campaign) { c.TrackClicks = !c.TrackClicks },
		"opens":           func(c *outreach.Campaign) { c.TrackOpens = !c.TrackOpens },
		"mailboxes":       func(c *outreach.Campaign) { c.MailboxIDs = []uuid.UUID{box.ID, other.ID} },
		"fewer steps":     func(c *outreach.Campaign) { c.Steps = c.Steps[:1] },
		"order":           func(c *outreach.Campaign) { slices.Reverse(c.Steps) },
		"delay":           func(c *outreach.Campaign) { c.Steps[1].DelayMinutes = 6 },
		"subject":         func(c *outreach.Campaign) { c.Steps[1].Subject = new("<nil>") },
		"another subject": func(c *outreach.Campaign) { c.Steps[1].Subject = new(`x" "y`) },
		"html":            func(c *outreach.Campaign) { c.Steps[0].BodyHTML = new("x") },
		"text":            func(c *outreach.Campaign) { c.Steps[0].BodyText = new("x") },
	} {
		changed := c
		changed.Steps = slices.Clone(c.Steps)
		change(&changed)
		if was, ok := seen[changed.Revision()]; ok {
			t.Errorf("%s: the revision is that of %s", name, was)
		}
		seen[changed.Revision()] = name
	}
	must(t, s.activate(c.ID))
	active := got(s.Campaign(s.ctx, s.ws, c.ID))(t)
	same(t, "of the active campaign", active.Revision(), c.Revision())
}

// Of several who edit the same revision one is heard; the others are told.
func TestReviseCampaign(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.draft("C", s.mailbox("me@acme.test"), steps(0)...)
	var group sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		group.Go(func() {
			errs[i] = second(s.ReviseCampaign(s.ctx, s.ws, c.ID, c.Revision(), func(c *outreach.Campaign) { c.Name = fmt.Sprint("of ", i) }))
		})
	}
	group.Wait()
	winner := slices.Index(errs, nil)
	for i, err := range errs {
		if i != winner {
			refused(t, err, outreach.CodeConflict)
		}
	}
	after := got(s.Campaign(s.ctx, s.ws, c.ID))(t)
	same(t, "stored", after.Name, fmt.Sprint("of ", winner))
	same(t, "on it",
		got(s.ReviseCampaign(s.ctx, s.ws, c.ID, after.Revision(), func(c *outreach.Campaign) { c.Name = "next" }))(t).Name, "next")
}
