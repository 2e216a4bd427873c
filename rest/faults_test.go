package rest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const unknownID = "0199f3a2-5c1e-7b44-9a01-3f6d1c2b7e10"

// A 422 lists every fault of a body at once: types, read-only keys, formats, unknown
// ids. Nothing is stored.
func TestAllFaultsAreListedAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.workspace()
	for _, c := range []struct {
		path, body string
		want       []string
	}{
		{"/prospects", `{"email":"bad","timezone":"Nope","first_name":7}`,
			[]string{"/email invalid", "/first_name invalid_type", "/timezone invalid"}},
		{"/prospects", `{"email":7,"status":"new","timezone":" ","custom_fields":{"a":[],"b":9007199254740993}}`,
			[]string{"/custom_fields/b invalid", "/email invalid_type", "/status read_only_field"}},
		{"/offers", `{"title":7,"target_url":"nope","prospect_id":"` + unknownID + `","company_id":"7","url":"x"}`,
			[]string{"/company_id unknown_reference", "/prospect_id unknown_reference", "/target_url invalid",
				"/title invalid_type", "/url read_only_field"}},
		{"/offers", `{"title":"","target_url":"nope","campaign_id":"` + unknownID + `"}`,
			[]string{"/campaign_id unknown_reference", "/target_url invalid", "/title required"}},
		{"/campaigns", `{"name":7,"timezone":"Nope","mailbox_ids":["` + unknownID + `","x"],"steps":[{"id":"` + unknownID +
			`","subject":"{{ a","body_text":5}]}`,
			[]string{"/mailbox_ids/0 unknown_reference", "/mailbox_ids/1 unknown_reference", "/name invalid_type", "/steps/0/body_text invalid_type",
				"/steps/0/id unknown_reference", "/steps/0/subject invalid", "/timezone invalid"}},
		{"/enrollments", `{"campaign_id":"` + unknownID + `","prospect":{"email":"bad","phone":5}}`,
			[]string{"/campaign_id unknown_reference", "/prospect/email invalid", "/prospect/phone invalid_type"}},
		{"/subscriptions", `{"url":"","events":["sent","sent"],"enabled":1}`,
			[]string{"/enabled invalid_type", "/events/1 invalid", "/url required"}},
		{"/subscriptions", `{"url":"https://a.example/","events":["opened"]}`, []string{"/events/0 invalid"}},
		{"/suppressions", `{"email":"bad","note":7,"reason":"manual"}`,
			[]string{"/email invalid", "/note invalid_type", "/reason read_only_field"}},
		{"/mailboxes", `{"email":"bad","daily_limit":-1,"smtp":{"host":5},"status":"connected"}`,
			[]string{"/daily_limit invalid", "/email invalid", "/imap required", "/imap/host required",
				"/imap/password required", "/imap/port required",
				"/imap/security required", "/imap/username required", "/smtp/host invalid_type",
				"/smtp/password required", "/smtp/port required",
				"/smtp/security required", "/smtp/username required", "/status read_only_field"}},
	} {
		w := s.call(s.checked, ws, http.MethodPost, c.path, c.body)
		if diff := cmp.Diff(c.want, faultsIn(t, w.Body.Bytes())); w.Code != http.StatusUnprocessableEntity || diff != "" {
			t.Errorf("POST %s %s: %d\n%s", c.path, c.body, w.Code, diff)
		}
	}
	// A body with a fault that only the decoder sees has no effect.
	w := s.call(s.checked, ws, http.MethodPost, "/prospects", `{"email":"ann@x.example","first_name":7}`)
	if n := s.count(`SELECT count(*) FROM prospects`); w.Code != http.StatusUnprocessableEntity || n != 0 {
		t.Errorf("%d %s, %d prospects", w.Code, w.Body, n)
	}
}

// faultsIn returns pointers and codes of a problem document, sorted.
func faultsIn(t *testing.T, body []byte) (faults []string) {
	t.Helper()
	var problem struct {
		Errors []struct{ Pointer, Code string }
	}
	must(t, json.Unmarshal(body, &problem))
	for _, fault := range problem.Errors {
		faults = append(faults, fault.Pointer+" "+fault.Code)
	}
	slices.Sort(faults)
	return faults
}

// A number in custom_fields is answered as it was sent, and as it is stored.
func TestNumbersKeepTheirValue(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.workspace()
	const fields = `{"a":1,"b":-0.5,"c":19.9,"d":9007199254740992,"e":123456789012345680000,"f":1e-7}`
	created := s.call(s.checked, ws, http.MethodPost, "/prospects", `{"email":"n@x.example","custom_fields":`+fields+`}`)
	if created.Code != http.StatusCreated {
		t.Fatalf("%d %s", created.Code, created.Body)
	}
	read := s.call(s.checked, ws, http.MethodGet, created.Header().Get("Location")[len("/api/v1"):], "")
	var want any
	must(t, json.Unmarshal([]byte(fields), &want))
	for _, body := range [][]byte{created.Body.Bytes(), read.Body.Bytes()} {
		var prospect map[string]any
		must(t, json.Unmarshal(body, &prospect))
		if diff := cmp.Diff(want, prospect["custom_fields"]); diff != "" {
			t.Error(diff)
		}
	}
}
