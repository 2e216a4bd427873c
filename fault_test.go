package outreach_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

func ExampleFaults() {
	var faults outreach.Faults
	faults.Add(outreach.At("name"), outreach.FieldRequired, "name is required.")
	faults.Add(outreach.At("steps").Index(1).Join("subject"), outreach.FieldTooLong, "subject is too long.")
	for _, fault := range outreach.FaultsOf(faults.Err()) {
		fmt.Println(fault.Path, fault.Pointer(), fault.Code)
	}
	// Output:
	// name /name required
	// steps[1].subject /steps/1/subject too_long
}

// Several faults share one code only if clients act on it.
func TestFaultsErr(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		codes []outreach.Code
		want  outreach.Code
	}{
		"fields":        {[]outreach.Code{outreach.FieldRequired, outreach.FieldInvalid}, outreach.CodeValidation},
		"one field":     {[]outreach.Code{outreach.FieldInvalid}, outreach.CodeValidation},
		"read only":     {[]outreach.Code{outreach.CodeReadOnlyField, outreach.CodeReadOnlyField}, outreach.CodeReadOnlyField},
		"references":    {[]outreach.Code{outreach.CodeUnknownReference}, outreach.CodeUnknownReference},
		"URL":           {[]outreach.Code{outreach.CodeURLNotAllowed}, outreach.CodeURLNotAllowed},
		"mailbox":       {[]outreach.Code{outreach.CodeMailboxUnreachable, outreach.CodeMailboxUnreachable}, outreach.CodeMailboxUnreachable},
		"several kinds": {[]outreach.Code{outreach.CodeReadOnlyField, outreach.CodeUnknownReference}, outreach.CodeValidation},
	} {
		var faults outreach.Faults
		for i, code := range c.codes {
			faults.Add(outreach.At().Index(i), code, "fault %d of %s", i, name)
		}
		refusal, ok := errors.AsType[*outreach.Error](faults.Err())
		if !ok || refusal.Code != c.want || len(refusal.Fields) != len(c.codes) || refusal.Message != "fault 0 of "+name {
			t.Errorf("%s: %v", name, refusal)
		}
	}
	if err := (outreach.Faults{}).Err(); err != nil {
		t.Errorf("no fault: %v", err)
	}
}

// A later fault about a value that is at fault already says nothing new.
func TestMerge(t *testing.T) {
	t.Parallel()
	var faults, later outreach.Faults
	faults.Add(outreach.At("email"), outreach.FieldType, "first")
	faults.Add(outreach.At("smtp"), outreach.FieldType, "first")
	later.Add(outreach.At("email"), outreach.FieldRequired, "later")
	later.Add(outreach.At("smtp", "host"), outreach.FieldRequired, "later")
	later.Add(outreach.At("email_key"), outreach.FieldInvalid, "later")
	later.Add(outreach.At("email_key"), outreach.FieldTooLong, "later")
	faults.Merge(later)
	var got []string
	for _, fault := range faults {
		got = append(got, fault.Pointer()+" "+fault.Detail)
	}
	if diff := cmp.Diff([]string{"/email first", "/smtp first", "/email_key later", "/email_key later"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestPointers(t *testing.T) {
	t.Parallel()
	for want, path := range map[string]outreach.Path{
		"":                       nil,
		"/email":                 outreach.At("email"),
		"/steps/0/subject":       outreach.At("steps").Index(0).Join("subject"),
		"/custom_fields/a~1b~0c": outreach.At("custom_fields", "a/b~c"),
		"/custom_fields/":        outreach.At("custom_fields", ""),
	} {
		if got := path.Pointer(); got != want {
			t.Errorf("%v: %q, want %q", path, got, want)
		}
	}
}

// The faults of one value come in the same order each time.
func TestFaultsHaveAFixedOrder(t *testing.T) {
	t.Parallel()
	c := outreach.Campaign{SendFrom: "x", SendUntil: "y", SendDays: []outreach.Weekday{"mon", "mon"}, Steps: make([]outreach.Step, 2)}
	first := outreach.FaultsOf(c.Validate())
	var box outreach.Mailbox
	boxFirst := outreach.FaultsOf(box.Validate())
	for range 50 {
		if diff := cmp.Diff(first, outreach.FaultsOf(c.Validate())); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(boxFirst, outreach.FaultsOf(box.Validate())); diff != "" {
			t.Fatal(diff)
		}
	}
}

// An error lists at most MaxFaults faults.
func TestFaultsAreLimited(t *testing.T) {
	t.Parallel()
	c := outreach.NewCampaign()
	c.Name = "C"
	for range 100_000 {
		c.SendDays = append(c.SendDays, "mon")
	}
	s := outreach.Subscription{URL: "https://a.test/", Events: make([]outreach.SubscriptionEvent, 100_000)}
	for name, err := range map[string]error{"days": c.Validate(), "events": s.Validate()} {
		if n := len(outreach.FaultsOf(err)); n != outreach.MaxFaults {
			t.Errorf("%s: %d faults, want %d", name, n, outreach.MaxFaults)
		}
	}
}

func TestCodeOf(t *testing.T) {
	t.Parallel()
	for want, err := range map[outreach.Code]error{
		outreach.CodeNotFound: fmt.Errorf("wrapped: %w", outreach.ErrNotFound),
		outreach.CodeInternal: errors.New("ours"),
		outreach.CodeInUse:    outreach.Errorf(outreach.CodeInUse, "x"),
	} {
		if got := outreach.CodeOf(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}
