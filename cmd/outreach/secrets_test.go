package main

import (
	"crypto/rand"
	"encoding/base64"
	"testing"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/testkit"
)

// The command counts stored secrets by the key that seals them, while a key is replaced and after.
func TestSecretsCommand(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	_, err := s.store.CreateSubscription(t.Context(), outreach.Subscription{WorkspaceID: uuid.MustParse(s.workspace),
		URL: "https://a.test/", Events: []outreach.SubscriptionEvent{outreach.OnSent}, Enabled: true}, "whsec_secret")
	testkit.NoError(t, err)
	old := s.vars["OUTREACH_SECRET_KEY"]
	key := make([]byte, 32)
	rand.Read(key)
	fresh := base64.StdEncoding.EncodeToString(key)
	for _, test := range []struct{ keys, first, former, none string }{
		{old, "1", "0", "0"},
		{old + "," + fresh, "1", "0", "0"},
		{fresh + "," + old, "0", "1", "0"},
		{fresh, "0", "0", "1"},
	} {
		s.vars["OUTREACH_SECRET_KEY"] = test.keys
		testkit.Equal(t, "secrets", s.shell(t, "secrets", "status", "--json"),
			map[string]string{"first_key": test.first, "former_keys": test.former, "no_key": test.none})
	}
}
