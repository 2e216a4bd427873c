package nearest_test

import (
	"strings"
	"testing"

	"outreach/internal/nearest"
)

func TestName(t *testing.T) {
	t.Parallel()
	names := []string{"as", "company_name", "email", "first_name", "last_name"}
	for text, want := range map[string]string{
		"emial": "email", "e-mail": "email", "firstName": "first_name", "first": "", "lastname": "last_name",
		"company": "", "": "", "a": "as", "xy": "", "phone": "", strings.Repeat("e", 101): "",
	} {
		if name, ok := nearest.Name(names, text); name != want || ok != (want != "") {
			t.Errorf("%q: %q %v, want %q", text, name, ok, want)
		}
	}
}
