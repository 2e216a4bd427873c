package engine_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// tenDays is a team of three with four mailboxes and three campaigns that share them.
type tenDays struct {
	*office
	campaigns map[string]string // ids by name
	said      evening
	compared  int
}

// evening is what the service says will happen.
type evening struct {
	enrollments map[string]object
	statuses    map[string]object
	messages    map[string]bool
}

// A team uses the service for ten days, over REST alone where REST has the call. Each day it changes
// something while people wait. What the service then says about each person is compared with what it does
// until the next day.
func TestTenDays(t *testing.T) {
	t.Parallel()
	o := &tenDays{office: newOffice(t, time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)), campaigns: map[string]string{}}
	o.monday()
	for _, day := range []func(){
		o.edits, o.automaticByHand, o.newAddresses, o.weekend, o.nothing, o.nothing, o.suppressed, o.disconnected, o.reconnected,
	} {
		o.evening()
		o.sleep(o.clock.Now().Add(24 * time.Hour).Truncate(time.Hour))
		o.morning()
		day()
	}
	t.Logf("%d steps compared with what was said before", o.compared)
}

func stepsOf(delays ...int) (list []object) {
	for i, delay := range delays {
		list = append(list, object{"delay_minutes": delay, "body_text": fmt.Sprintf("Step %d", i+1)})
	}
	list[0]["subject"] = `Hello {{ first_name | default: "there" }}`
	return list
}

// monday connects mailboxes, imports people and activates campaigns.
func (o *tenDays) monday() {
	ann := o.connect("ann@acme.test", object{"daily_limit": 40, "min_gap_seconds": 0, "ramp_up": object{"start": 10, "increase": 10}})
	bob := o.connect("bob@acme.test", object{"daily_limit": 30, "min_gap_seconds": 120})
	cho := o.connect("cho@acme.test", object{"daily_limit": 15, "min_gap_seconds": 900})
	dee := o.connect("dee@acme.test", object{"daily_limit": 30, "min_gap_seconds": 0})
	zones := []any{nil, "Europe/Berlin", "America/New_York", "Australia/Sydney", "Pacific/Chatham", nil}
	people := []object{{"email": "not an address"}, {"email": "zone@x.test", "timezone": "europe/berlin"}}
	for i := range 60 {
		people = append(people, object{"email": fmt.Sprintf(" P%d@Firm%d.test", i, i/3), "timezone": zones[i%len(zones)]})
	}
	people = append(people, object{"email": "p0@firm0.test."}, object{"email": "bounce.1@firm0.test"})
	outcomes := map[string]int{}
	var ids []string
	for _, r := range o.call(http.StatusOK, http.MethodPost, "/prospects/bulk", object{"prospects": people})["results"].([]any) {
		outcomes[r.(object)["outcome"].(string)]++
		if id, ok := r.(object)["prospect_id"].(string); ok && r.(object)["outcome"] == "created" {
			ids = append(ids, id)
		}
	}
	if want := "map[created:61 invalid:2 skipped:1]"; fmt.Sprint(outcomes) != want {
		o.t.Errorf("import: %v, want %s", outcomes, want)
	}
	all := []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}
	for name, c := range map[string]struct {
		settings object
		people   []string
	}{
		"Berlin": {object{"timezone": "Europe/Berlin", "mailbox_ids": []string{ann, bob}, "daily_new_limit": 8,
			"stop_company_on_reply": true, "steps": stepsOf(0, 2*1440, 2*1440)}, append(ids[:25:25], ids[60])},
		"America": {object{"timezone": "America/New_York", "mailbox_ids": []string{bob, cho}, "company_daily_limit": 1,
			"skip_dates": []string{"2026-12-03"}, "steps": stepsOf(0, 1440, 1440)}, ids[15:40]},
		"Asia": {object{"timezone": "Asia/Singapore", "mailbox_ids": []string{cho, dee}, "send_days": all, "send_from": "00:00",
			"send_until": "23:59", "starts_on": "2026-12-01", "steps": stepsOf(0, 60)}, ids[35:60]},
	} {
		c.settings["name"] = name
		id := o.call(http.StatusCreated, http.MethodPost, "/campaigns", c.settings)["id"].(string)
		o.campaigns[name] = id
		for _, person := range c.people {
			o.call(http.StatusCreated, http.MethodPost, "/enrollments", object{"campaign_id": id, "prospect_id": person})
		}
		o.call(http.StatusOK, http.MethodPost, "/campaigns/"+id+"/activate", nil)
	}
}

func (o *tenDays) nothing() {}

// edits: a delay is shortened and a step is added while people wait. One replies, one is away.
func (o *tenDays) edits() {
	berlin := "/campaigns/" + o.campaigns["Berlin"]
	steps := o.call(http.StatusOK, http.MethodGet, berlin, nil)["steps"].([]any)
	steps[1].(object)["delay_minutes"] = 1440
	o.call(http.StatusOK, http.MethodPatch, berlin,
		object{"steps": []any{steps[0], steps[1], object{"delay_minutes": 60, "body_text": "Between"}, steps[2]}})
	o.call(http.StatusConflict, http.MethodPatch, berlin,
		object{"steps": append([]any{object{"subject": "Before", "body_text": "the one that was sent"}}, steps...)})
	replies, away := o.mailed("Berlin")[0], o.mailed("Berlin")[2]
	o.answers(replies, "Who are you, and what does it cost?")
	o.is(replies, "Berlin", "replied")
	o.answers(away, "I am out of the office until Wednesday, 9 December 2026.", "Auto-Submitted: auto-replied")
}

// automaticByHand: a reply that was read as a person's is marked as automatic, and its person goes on.
func (o *tenDays) automaticByHand() {
	email := o.mailed("America")[0]
	before := o.enrollment(email, "America")
	o.answers(email, "Who are you, and what does it cost?")
	o.is(email, "America", "replied")
	reply := o.list("/replies", url.Values{"campaign_id": {o.campaigns["America"]}})[0]
	o.call(http.StatusOK, http.MethodPatch, "/replies/"+reply["id"].(string), object{"automatic": true})
	if after := o.enrollment(email, "America"); fmt.Sprint(after) != fmt.Sprint(before) {
		o.t.Errorf("marked as automatic, the enrollment is %v, want %v", after, before)
	}
}

// newAddresses: an address is corrected, a person is deleted and added again, and one goes on after a stop.
func (o *tenDays) newAddresses() {
	active := o.mailed("America")
	moved, gone, stopped := o.enrollment(active[0], "America"), o.enrollment(active[1], "America"), o.enrollment(active[2], "America")
	o.call(http.StatusOK, http.MethodPatch, "/prospects/"+moved["prospect_id"].(string), object{"email": "moved@firm.test"})
	o.call(http.StatusNoContent, http.MethodDelete, "/prospects/"+gone["prospect_id"].(string), nil)
	o.call(http.StatusCreated, http.MethodPost, "/enrollments",
		object{"campaign_id": o.campaigns["America"], "prospect": object{"email": active[1]}})
	path := "/enrollments/" + stopped["id"].(string)
	o.call(http.StatusOK, http.MethodPost, path+"/stop", nil)
	back := o.call(http.StatusOK, http.MethodPost, path+"/resume", nil)
	if fmt.Sprint(back) != fmt.Sprint(stopped) {
		o.t.Errorf("stopped and resumed, the enrollment is %v, want %v", back, stopped)
	}
}

// weekend: a campaign is paused from Friday on, and a mailbox is taken away from another.
func (o *tenDays) weekend() {
	o.call(http.StatusOK, http.MethodPost, "/campaigns/"+o.campaigns["Berlin"]+"/pause", nil)
	o.call(http.StatusOK, http.MethodPatch, "/campaigns/"+o.campaigns["America"], object{"mailbox_ids": []string{o.boxes["cho@acme.test"]}})
}

// suppressed: a domain is suppressed by mistake, and the mistake is undone. Berlin goes on.
func (o *tenDays) suppressed() {
	o.call(http.StatusOK, http.MethodPost, "/campaigns/"+o.campaigns["Berlin"]+"/activate", nil)
	before := o.list("/enrollments", url.Values{})
	_, domain, _ := strings.Cut(o.mailed("Berlin")[0], "@")
	made := o.application("suppress", object{"i": object{"domain": domain}})["made"].(object)
	if len(made["stopped"].([]any)) == 0 {
		o.t.Errorf("suppressing %s stopped nobody", domain)
	}
	o.application("undo", object{"ids": []any{made["suppression"].(object)["id"]}, "stopped": made["stopped"]})
	if after := o.list("/enrollments", url.Values{}); fmt.Sprint(after) != fmt.Sprint(before) {
		o.t.Error("after Undo the enrollments are not as before")
	}
}

// disconnected: the password of a mailbox is changed elsewhere.
func (o *tenDays) disconnected() {
	_, err := o.mail.AddMailbox("bob@acme.test", "another")
	must(o.t, err)
	o.engine.ReceiveOnce(o.ctx)
	if status := o.call(http.StatusOK, http.MethodGet, "/mailboxes/"+o.boxes["bob@acme.test"], nil)["status"]; status != "error" {
		o.t.Errorf("the mailbox is %v, want error", status)
	}
}

// reconnected: the mailbox works again, a campaign that was completed gets one more step, and is copied.
func (o *tenDays) reconnected() {
	_, err := o.mail.AddMailbox("bob@acme.test", "a secret")
	must(o.t, err)
	o.call(http.StatusOK, http.MethodPost, "/mailboxes/"+o.boxes["bob@acme.test"]+"/check", nil)
	asia := "/campaigns/" + o.campaigns["Asia"]
	steps := o.call(http.StatusOK, http.MethodGet, asia, nil)["steps"].([]any)
	o.call(http.StatusOK, http.MethodPatch, asia, object{"steps": append(steps, object{"body_text": "One more"})})
	o.call(http.StatusOK, http.MethodPost, asia+"/continue_finished", nil)
	o.evening()
	o.sleep(o.clock.Now().Add(24 * time.Hour))
	o.morning()
	if copied := o.application("duplicate", object{"id": o.campaigns["Asia"]})["copy"].(object); len(copied["steps"].([]any)) != 3 ||
		copied["status"] != "draft" {
		o.t.Errorf("the copy is %v", copied)
	}
}

// enrollment returns the enrollment of an address in a campaign.
func (o *tenDays) enrollment(email, campaign string) object {
	o.t.Helper()
	person := o.list("/prospects", url.Values{"email": {email}})[0]["id"].(string)
	return o.list("/enrollments", url.Values{"prospect_id": {person}, "campaign_id": {o.campaigns[campaign]}})[0]
}

func (o *tenDays) is(email, campaign, want string) {
	o.t.Helper()
	if e := o.enrollment(email, campaign); e["status"] != want {
		o.t.Errorf("%s is %v in %s, want %s", email, e["status"], campaign, want)
	}
}

// mailed returns the addresses of a campaign that were mailed and wait for a further step.
func (o *tenDays) mailed(campaign string) (list []string) {
	o.t.Helper()
	for _, e := range o.list("/enrollments", url.Values{"campaign_id": {o.campaigns[campaign]}, "status": {"active"}}) {
		if step, ok := e["next_step"].(float64); ok && step > 1 {
			person := o.call(http.StatusOK, http.MethodGet, "/prospects/"+e["prospect_id"].(string), nil)
			list = append(list, person["email"].(string))
		}
	}
	if len(list) < 3 {
		o.t.Fatalf("%d people of %s wait for a further step on %s, want three", len(list), campaign, o.clock.Now())
	}
	return list
}

// evening writes down what the service says about each person.
func (o *tenDays) evening() {
	o.t.Helper()
	o.said = evening{map[string]object{}, map[string]object{}, map[string]bool{}}
	var people []any
	for _, e := range o.list("/enrollments", url.Values{}) {
		o.said.enrollments[e["id"].(string)] = e
	}
	for _, p := range o.list("/prospects", url.Values{}) {
		people = append(people, p["id"])
	}
	for _, s := range o.application("statuses", object{"ids": people})["all"].([]any) {
		o.said.statuses[s.(object)["prospectId"].(string)] = s.(object)
	}
	for _, m := range o.steps() {
		o.said.messages[m["id"].(string)] = true
	}
}

// steps returns the messages of steps, oldest first.
func (o *tenDays) steps() []object {
	o.t.Helper()
	all := o.list("/messages", url.Values{"kind": {"step"}})
	slices.Reverse(all)
	return slices.SortedStableFunc(slices.Values(all),
		func(a, b object) int { return cmp.Compare(a["sent_at"].(string), b["sent_at"].(string)) })
}

// morning compares the first step that each enrollment got with what was said of it, and the numbers of the
// campaigns with their lists.
func (o *tenDays) morning() {
	o.t.Helper()
	all := o.steps()
	met := map[any]bool{}
	sent := map[any]float64{}
	for _, m := range all {
		if m["status"] == "sent" {
			sent[m["campaign_id"]]++
		}
		if o.said.messages[m["id"].(string)] || met[m["enrollment_id"]] {
			continue
		}
		met[m["enrollment_id"]] = true
		o.compared++
		e, status := o.said.enrollments[m["enrollment_id"].(string)], o.said.statuses[m["prospect_id"].(string)]
		if e["next_step"] != m["step"] || e["next_send_at"] == nil || m["sent_at"].(string) < e["next_send_at"].(string) {
			o.t.Errorf("step %v was sent at %v; announced was step %v at %v", m["step"], m["sent_at"], e["next_step"], e["next_send_at"])
		}
		planned := status["state"] == "waiting" || status["state"] == "held" && status["at"] != nil
		if at, ok := status["at"].(string); !planned || ok && m["sent_at"].(string) < at {
			o.t.Errorf("step %v was sent at %v; of its person was said %v", m["step"], m["sent_at"], status)
		}
	}
	for name, id := range o.campaigns {
		stats := o.call(http.StatusOK, http.MethodGet, "/campaigns/"+id+"/stats", nil)
		people := float64(len(o.list("/enrollments", url.Values{"campaign_id": {id}})))
		if stats["prospects"] != people || stats["sent"] != sent[id] {
			o.t.Errorf("%s says %v; its lists have %v people and %v messages", name, stats, people, sent[id])
		}
	}
}
