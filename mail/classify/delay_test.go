package classify_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"outreach/mail/classify"
)

// A notice of a mail server that still tries to deliver changes nothing, in
// whatever form it comes and whatever reply it shows.
func TestDelayNoticesAreNotFinal(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/delays/*.eml")
	if err != nil || len(files) < 40 {
		t.Fatalf("found %d delay notices, want at least 40: %v", len(files), err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v := read(t, string(raw)).Kind(clock)
		if v.Class != classify.Transient || !v.Delayed {
			if v.Class != classify.SenderFault || !v.Delayed {
				t.Errorf("%s: got %s, delayed %v (%s), want a delay", filepath.Base(file), v.Class, v.Delayed, v.Reason)
			}
		}
		for _, r := range v.Recipients {
			if !r.Delayed || r.Class == classify.RecipientFault {
				t.Errorf("%s: recipient %s is %s, delayed %v", filepath.Base(file), r.Address, r.Class, r.Delayed)
			}
		}
	}
}

// Every bounce of the corpora whose delivery ended is final, so that reading
// delays more widely loses none of them.
func TestFinalNoticesStayFinal(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"testdata", sharedBounces()} {
		if _, err := os.Stat(filepath.Join(dir, "expected.tsv")); err != nil {
			continue
		}
		c := openCorpus(t, dir)
		delayed, counted := []string{}, 0
		for _, want := range c.rows {
			if want.class != classify.RecipientFault {
				continue // only what is dead is certain to be final
			}
			counted++
			_, v := c.read(t, want.file)
			if len(v.Recipients) > 0 && v.Recipients[min(want.recipient, len(v.Recipients))-1].Delayed {
				delayed = append(delayed, want.file)
			}
		}
		if len(delayed) > 0 {
			t.Errorf("%s: %d of %d read as delayed: %s", dir, len(delayed), counted, strings.Join(delayed, " "))
		}
	}
}
