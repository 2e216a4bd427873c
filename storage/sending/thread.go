package sending

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// thread holds what a follow-up continues.
type thread struct {
	mails   []mail // messages of the run, oldest first
	mailbox uuid.UUID
}

// mail is an earlier message of the run.
type mail struct {
	header, subject, recipient string
	seen                       string // the Message-ID that its provider gave it, "" if it kept ours
	mailbox                    uuid.UUID
	root, arrived              bool
	enrollment                 uuid.UUID
}

var mailColumns = storage.NewColumns(func(m *mail) []storage.Column {
	return []storage.Column{
		{SQL: "m.enrollment_id", To: &m.enrollment},
		{SQL: "m.message_id", To: &m.header},
		{SQL: "coalesce(m.filed_id, m.named_id, '')", To: &m.seen},
		{SQL: "m.subject", To: &m.subject},
		{SQL: "m.recipient", To: &m.recipient},
		{SQL: "m.mailbox_id", To: &m.mailbox},
		{SQL: "m.thread_root", To: &m.root},
		{SQL: "m.status <> 'bounced'", To: &m.arrived},
	}
})

// OFFSET 0 keeps the planner from reading all messages of a workspace that seem few.
var selectThreads = `
SELECT ` + mailColumns.SQL + `
FROM unnest($2::uuid[], $3::int[]) one(enrollment_id, run)
	JOIN enrollments e ON e.workspace_id = $1 AND e.id = one.enrollment_id
	CROSS JOIN LATERAL (SELECT * FROM messages m WHERE m.workspace_id = $1 AND m.prospect_id = e.prospect_id
		AND m.enrollment_id = one.enrollment_id AND m.run = one.run AND m.status IN ('sent', 'bounced', 'unknown') OFFSET 0) m
ORDER BY m.enrollment_id, m.step, m.sent_at`

// queueThreads adds a statement that reads the earlier messages of each follow-up of the picks.
func (b *claimTx) queueThreads(batch *pgx.Batch, picks []pick, of map[uuid.UUID]thread) {
	var ids []uuid.UUID
	var runs []int
	for _, p := range picks {
		for _, d := range p.due {
			if d.step > 1 {
				ids, runs = append(ids, d.id), append(runs, d.run)
				of[d.id] = thread{mailbox: p.box.ID}
			}
		}
	}
	if len(ids) == 0 {
		return
	}
	batch.Queue(selectThreads, b.workspace, ids, runs).Query(func(rows pgx.Rows) error {
		return mailColumns.Each(rows, func(m *mail) {
			t := of[m.enrollment]
			t.mails = append(t.mails, *m)
			of[m.enrollment] = t
		})
	})
}

// into fills in the thread of a draft (docs/reference.md#threads): its messages, back to the start
// of the thread. A step to another address or from another mailbox than the step before begins a
// new thread and takes the old subject if it has none. Whether a step has a subject is known when
// it is rendered.
func (t thread) into(d *outreach.Draft) {
	if len(t.mails) == 0 {
		return
	}
	last := t.mails[len(t.mails)-1]
	for _, m := range t.mails {
		if m.root {
			d.Thread = nil
		}
		if m.arrived {
			d.Thread, d.ThreadSubject = append(d.Thread, m.header), m.subject
		}
		if m.arrived && m.seen != "" { // last: the recipient's copy has this one
			d.Thread = append(d.Thread, m.seen)
		}
	}
	moved := last.mailbox != t.mailbox || !outreach.SameEmail(last.recipient, d.Prospect.Email)
	if len(d.Thread) == 0 || moved {
		d.Thread, d.ThreadSubject, d.BouncedSubject = nil, "", plainSubject(last.subject)
	}
}

// plainSubject removes the reply prefix, for a message that begins a thread.
func plainSubject(subject string) string {
	if len(subject) > 4 && (subject[:4] == "Re: " || subject[:4] == "RE: ") {
		return subject[4:]
	}
	return subject
}
