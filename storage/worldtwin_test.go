package storage_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// twin is the installation of a world in Postgres. Whatever happens in the world is done
// to it too, by the production code, and every decision of its claims is compared.
// A nil twin does nothing.
type twin struct {
	*stage
	claimed *outreach.Outgoing
	waiting []idleBox
	week    time.Time // for which partitions were made
	numbers map[uuid.UUID]*worldEnrollment
}

// idleBox is a mailbox that found no person to write to, and when it is checked again.
type idleBox struct {
	box  *worldBox
	look *time.Time
}

func newTwin(s *stage) *twin { return &twin{stage: s, numbers: map[uuid.UUID]*worldEnrollment{}} }

func (t *twin) sync(w *world) {
	if t == nil {
		return
	}
	t.clock.Set(w.now)
	// The database was made with the partitions of the real present.
	if week := w.now.Truncate(7 * 24 * time.Hour); !week.Equal(t.week) && w.now.AddDate(0, 0, 7).After(time.Now()) {
		must(w.t, t.EnsurePartitions(t.ctx, laterOf(w.now, time.Now())))
		t.week = week
	}
}

func (t *twin) addBox(b *worldBox) {
	if t == nil {
		return
	}
	m := t.mailbox(b.box.Email)
	b.box.ID = m.ID
	t.editBox(b)
}

func (t *twin) editBox(b *worldBox) {
	if t == nil {
		return
	}
	m := got(t.MailboxWithPasswords(t.ctx, t.ws, b.box.ID))(t.t)
	m.DailyLimit, m.MinGapSeconds, m.RampUp = b.box.DailyLimit, b.box.MinGapSeconds, b.box.RampUp
	got(t.UpdateMailbox(t.ctx, m))(t.t)
}

func (t *twin) moveBox(b *worldBox) {
	if t == nil {
		return
	}
	move := t.ResumeMailbox
	if b.box.Status == outreach.MailboxPaused {
		move = t.PauseMailbox
	}
	got(move(t.ctx, t.ws, b.box.ID))(t.t)
}

func (t *twin) addCampaign(c *worldCampaign) {
	if t == nil {
		return
	}
	made := c.Campaign
	made.WorkspaceID = t.ws
	made = got(t.CreateCampaign(t.ctx, made))(t.t)
	c.Campaign = got(t.ActivateCampaign(t.ctx, t.ws, made.ID))(t.t)
}

func (t *twin) edit(c *worldCampaign) {
	if t == nil {
		return
	}
	after := got(t.UpdateCampaign(t.ctx, t.ws, c.ID, func(stored *outreach.Campaign) {
		status := stored.Status
		*stored = c.Campaign
		stored.Status = status
	}))(t.t)
	c.Steps = after.Steps
}

func (t *twin) moveCampaign(c *worldCampaign) {
	if t == nil {
		return
	}
	move := t.ActivateCampaign
	if c.Status == outreach.CampaignPaused {
		move = t.PauseCampaign
	}
	got(move(t.ctx, t.ws, c.ID))(t.t)
}

func (t *twin) addPerson(p *worldPerson) {
	if t == nil {
		return
	}
	made := outreach.Prospect{WorkspaceID: t.ws, Email: p.email, Timezone: zoneOf(p)}
	if p.firm != "" {
		made.CompanyName = &p.firm
	}
	p.id = got(t.CreateProspect(t.ctx, made))(t.t).ID
}

func (t *twin) deletePerson(p *worldPerson, erase bool) {
	if t == nil {
		return
	}
	drop := t.DeleteProspect
	if erase {
		drop = t.EraseProspect
	}
	must(t.t, drop(t.ctx, t.ws, p.id))
}

// allowed compares the answer to a call with the code of the expected refusal, empty for none. It
// reports whether the call did something.
func (t *twin) allowed(what string, err error, want outreach.Code) bool {
	t.t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || outreach.CodeOf(err) != want) {
		t.t.Fatalf("%s: got %v, want the refusal %q", what, err, want)
	}
	return want == ""
}

// refuseSteps tries a change of steps that moves or removes one that was sent.
func (t *twin) refuseSteps(c *worldCampaign, steps []outreach.Step) {
	if t == nil {
		return
	}
	_, err := t.UpdateCampaign(t.ctx, t.ws, c.ID, func(stored *outreach.Campaign) { stored.Steps = steps })
	t.allowed("change steps", err, outreach.CodeCampaignStepInUse)
}

func zoneOf(p *worldPerson) *string {
	if p.zone == "" {
		return nil
	}
	return &p.zone
}

func (t *twin) enroll(e *worldEnrollment, force, restart bool, refusal outreach.Code) {
	if t == nil {
		return
	}
	made, err := t.Enroll(t.ctx, outreach.EnrollRequest{WorkspaceID: t.ws, CampaignID: e.campaign.ID, ProspectID: &e.person.id,
		Force: force, Restart: restart})
	if t.allowed("enroll", err, refusal) {
		e.id = made.Enrollment.ID
		t.numbers[e.id] = e
	}
}

// bulkEnroll puts many into a campaign. want are the outcomes, with the code of a refusal; began are the
// enrollments that begin, by person.
func (t *twin) bulkEnroll(w *world, c *worldCampaign, asked []*worldPerson, force, restart bool, want []string,
	began map[*worldPerson]*worldEnrollment) {
	if t == nil {
		return
	}
	request := outreach.BulkEnrollRequest{WorkspaceID: t.ws, CampaignID: c.ID, Force: force, Restart: restart}
	for _, p := range asked {
		request.ProspectIDs = append(request.ProspectIDs, p.id)
	}
	var have []string
	for i, r := range got(t.BulkEnroll(t.ctx, request))(t.t) {
		said := string(r.Outcome)
		if r.Refusal != nil {
			said += " " + string(r.Refusal.Code)
		}
		have = append(have, said)
		if e := began[asked[i]]; e != nil && r.EnrollmentID != nil {
			e.id = *r.EnrollmentID
			t.numbers[e.id] = e
		}
	}
	if !slices.Equal(have, want) {
		w.fail("bulk enrolling in %s answers %v, want %v", c.Name, have, want)
	}
}

// readdress changes the address of a person.
func (t *twin) readdress(p *worldPerson) {
	if t != nil {
		got(t.UpdateProspect(t.ctx, t.ws, p.id, func(stored *outreach.Prospect) { stored.Email = p.email }))(t.t)
	}
}

func (t *twin) pause(e *worldEnrollment) {
	if t != nil {
		got(t.PauseEnrollment(t.ctx, t.ws, e.id))(t.t)
	}
}

func (t *twin) endPause(e *worldEnrollment) {
	if t != nil {
		got(t.ResumeEnrollment(t.ctx, t.ws, e.id, false))(t.t)
	}
}

// resume lets an ended enrollment go on. plain and forced are the refusals without force and with
// it. What is said before is compared too.
func (t *twin) resume(w *world, e *worldEnrollment, force bool, plain, forced outreach.Code) {
	if t == nil {
		return
	}
	needsForce := plain == outreach.CodeProspectReplied || plain == outreach.CodeCompanyReplied
	said := got(t.EnrollmentContinuation(t.ctx, t.ws, e.id))(t.t)
	refusal := plain
	if needsForce {
		refusal = forced
	}
	if saidRefusal(&said) != refusal || said.NeedsForce != needsForce || said.Step != nil && *said.Step != e.after() {
		w.fail("%d may go on by %+v, want step %d, force %v, refusal %q", e.number, said, e.after(), needsForce, refusal)
	}
	_, err := t.ResumeEnrollment(t.ctx, t.ws, e.id, force)
	if force {
		plain = forced
	}
	t.allowed("resume", err, plain)
}

// continueFinished lets the finished people of a campaign go on: those of on do, refused ones may
// not. What is said before is compared too.
func (t *twin) continueFinished(w *world, c *worldCampaign, on []*worldEnrollment, refused int) {
	if t == nil {
		return
	}
	var refusal outreach.Code
	if c.Status != outreach.CampaignActive {
		refusal = outreach.CodeInvalidState
	}
	said, err := t.FinishedContinuation(t.ctx, t.ws, c.ID)
	t.allowed("preview of continue_finished", err, refusal)
	done, err := t.ContinueFinished(t.ctx, t.ws, c.ID)
	if !t.allowed("continue_finished", err, refusal) {
		return
	}
	want := map[int]int{} // people by step
	for _, e := range on {
		want[e.after()]++
	}
	for _, have := range []outreach.CampaignContinuation{said, done} {
		steps := map[int]int{}
		for _, s := range have.Steps {
			steps[s.Step] = s.People
		}
		if have.Continued != len(on) || have.Refused != refused || !maps.Equal(steps, want) {
			w.fail("%s continues with %d people by step %v, %d refused, want %d, %v, %d", c.Name,
				have.Continued, steps, have.Refused, len(on), want, refused)
		}
	}
}

func (t *twin) stop(e *worldEnrollment) {
	if t != nil {
		got(t.StopEnrollment(t.ctx, t.ws, e.id))(t.t)
	}
}

func (t *twin) reply(p *worldPerson) { t.arrives(p, outreach.ReceivedReply, nil) }

func (t *twin) leave(p *worldPerson, day time.Time) { t.arrives(p, outreach.ReceivedAutomatic, &day) }

func (t *twin) arrives(p *worldPerson, kind outreach.ReceivedKind, back *time.Time) {
	if t == nil {
		return
	}
	in := outreach.Received{Key: uuid.NewString(), Kind: kind, From: p.email, Subject: new("Re"), Text: "words", ReturnDate: back,
		References: []string{p.lastMessage}}
	box := got(t.MailboxWithPasswords(t.ctx, t.ws, p.lastOf.box0()))(t.t)
	t.ingest(box, in)
}

func (t *twin) setGap(gap time.Duration) {
	if t != nil {
		got(t.UpdateMe(t.ctx, t.ws, func(me *outreach.Me) { me.ContactGapHours = int(gap / time.Hour) }))(t.t)
	}
}

func (t *twin) move(p *worldPerson) {
	if t != nil {
		got(t.UpdateProspect(t.ctx, t.ws, p.id, func(stored *outreach.Prospect) { stored.Timezone = zoneOf(p) }))(t.t)
	}
}

func (t *twin) refresh() {
	if t != nil {
		must(t.t, t.RefreshCampaigns(t.ctx))
	}
}

// due compares which mailboxes look now.
func (t *twin) due(w *world) {
	if t == nil {
		return
	}
	want, have := map[string]bool{}, map[string]bool{}
	names := map[uuid.UUID]string{}
	for _, b := range w.boxes {
		names[b.box.ID] = b.box.Email
		if b.look != nil && !b.look.After(w.now) {
			want[b.box.Email] = true
		}
	}
	for _, ref := range got(t.Senders(t.ctx))(t.t) {
		have[names[ref.ID]] = true
	}
	if !maps.Equal(want, have) {
		w.fail("the mailboxes %v look now, want %v", slices.Sorted(maps.Keys(have)), slices.Sorted(maps.Keys(want)))
	}
}

// claims compares the decision of a claim. Claims that find no person are compared for several
// mailboxes at once, unless the claim settles something.
func (t *twin) claims(w *world, b *worldBox, want *worldEnrollment, settled bool) {
	if t == nil {
		return
	}
	if want == nil && !settled {
		t.waiting = append(t.waiting, idleBox{b, b.look})
		return
	}
	t.idle(w)
	t.claimed = t.claim(outreach.Mailbox{ID: b.box.ID, WorkspaceID: t.ws})
	if t.claimed == nil {
		if want != nil {
			w.fail("%s sends nothing, want step %d of %d of %s", b.box.Email, want.step, want.number, want.campaign.Name)
			return
		}
		t.looks(w, []idleBox{{b, b.look}})
		return
	}
	var enrollment uuid.UUID
	var step int
	var subject string
	row := t.sql.QueryRow(t.ctx, `SELECT enrollment_id, step, subject, gap_factor FROM messages WHERE id = $1`, t.claimed.ID)
	must(t.t, row.Scan(&enrollment, &step, &subject, &b.factor))
	have := t.numbers[enrollment]
	if have != want || have.step != step {
		w.fail("%s sends step %d to %d of %s, want %s", b.box.Email, step, have.number, have.campaign.Name, describe(want))
		return
	}
	if right := *want.campaign.Steps[step-1].Subject; subject != right || t.claimed.Recipient != want.person.email {
		w.fail("%s sends %q to %s, want %q to %s", b.box.Email, subject, t.claimed.Recipient, right, want.person.email)
	}
}

// idle compares that the waiting mailboxes send nothing, and when they look again.
func (t *twin) idle(w *world) {
	if t == nil || len(t.waiting) == 0 {
		return
	}
	waiting := t.waiting
	t.waiting = nil
	boxes := make([]outreach.Mailbox, len(waiting))
	for i, one := range waiting {
		boxes[i] = outreach.Mailbox{ID: one.box.box.ID, WorkspaceID: t.ws}
	}
	for i, claimed := range got(t.ClaimSends(t.ctx, boxes, "me", plainCompose))(t.t) {
		if claimed != nil {
			w.fail("%s writes to %s, want nothing", waiting[i].box.box.Email, claimed.Recipient)
		}
	}
	t.looks(w, waiting)
}

// looks compares when mailboxes look again.
func (t *twin) looks(w *world, want []idleBox) {
	found := map[uuid.UUID]*time.Time{}
	var ids []uuid.UUID
	for _, one := range want {
		ids = append(ids, one.box.box.ID)
	}
	rows, err := t.sql.Query(t.ctx, `SELECT id, look_at FROM mailboxes WHERE id = ANY($1)`, ids)
	must(t.t, err)
	var id uuid.UUID
	var look *time.Time
	_, err = pgx.ForEachRow(rows, []any{&id, &look}, func() error {
		found[id] = look
		return nil
	})
	must(t.t, err)
	for _, one := range want {
		look := found[one.box.box.ID]
		if look == nil != (one.look == nil) || look != nil && !look.Equal(*one.look) {
			w.fail("%s looks again at %v, want %v", one.box.box.Email, look, one.look)
		}
	}
}

// saidRefusal is the code of what a preview says.
func saidRefusal(c *outreach.Continuation) outreach.Code {
	if c.Refusal == nil {
		return ""
	}
	return c.Refusal.Code
}

func describe(e *worldEnrollment) string {
	if e == nil {
		return "nothing"
	}
	return fmt.Sprintf("step %d to %d of %s", e.step, e.number, e.campaign.Name)
}

func (t *twin) sends(e *worldEnrollment, refused bool) {
	if t == nil {
		return
	}
	result := outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}
	if refused {
		result = outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultRecipient, Response: "550 no such user"}
	}
	must(t.t, t.CommitMessage(t.ctx, t.claimed.Ref(), "me"))
	must(t.t, t.SettleMessage(t.ctx, t.claimed.Ref(), "me", result))
	if !refused {
		e.person.lastMessage = t.claimed.MessageID
	}
}

// worldState is what both have of an enrollment.
type worldState struct {
	Number   int
	Run      int
	Forced   bool
	Status   outreach.EnrollmentStatus
	LastStep uuid.UUID
	Step     int
	Due      time.Time
	Box      uuid.UUID
	Zone     string
}

const selectWorld = `
SELECT id, run, forced, status, coalesce(next_step, 0), coalesce(next_send_at, '0001-01-01 00:00:00+00'),
	coalesce(mailbox_id, '00000000-0000-0000-0000-000000000000'), timezone,
	coalesce(last_step_id, '00000000-0000-0000-0000-000000000000')
FROM enrollments`

// compare compares the enrollments of both.
func (t *twin) compare(w *world) {
	if t == nil {
		return
	}
	var have, want []worldState
	found, err := t.sql.Query(t.ctx, selectWorld)
	must(t.t, err)
	var id uuid.UUID
	var s worldState
	columns := []any{&id, &s.Run, &s.Forced, &s.Status, &s.Step, &s.Due, &s.Box, &s.Zone, &s.LastStep}
	_, err = pgx.ForEachRow(found, columns, func() error {
		s.Number, s.Due = t.numbers[id].number, s.Due.UTC()
		have = append(have, s)
		return nil
	})
	must(t.t, err)
	for _, e := range w.all {
		s := worldState{e.number, e.run, e.forced, e.status, e.lastStep, e.step, e.due, e.bound(), e.person.zone}
		if !e.running() {
			s.Step, s.Due = 0, time.Time{}
		}
		want = append(want, s)
	}
	slices.SortFunc(have, func(a, b worldState) int { return a.Number - b.Number })
	if diff := cmp.Diff(want, have); diff != "" {
		w.fail("enrollments (-want +got):\n%s", diff)
	}
	t.comparePeople(w)
}

// worldMarks is what both have of a person.
type worldMarks struct{ Replied, Bounced bool }

// comparePeople compares who is there, and who replied or bounced.
func (t *twin) comparePeople(w *world) {
	have, want := map[string]worldMarks{}, map[string]worldMarks{}
	found, err := t.sql.Query(t.ctx, `SELECT email, replied_at IS NOT NULL, bounced_at IS NOT NULL FROM prospects`)
	must(t.t, err)
	var email string
	var m worldMarks
	_, err = pgx.ForEachRow(found, []any{&email, &m.Replied, &m.Bounced}, func() error {
		have[email] = m
		return nil
	})
	must(t.t, err)
	for email, p := range w.present {
		want[email] = worldMarks{p.replied, p.bounced}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		w.fail("people (-want +got):\n%s", diff)
	}
}
