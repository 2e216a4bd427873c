//go:build full

package webhook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stripeRequest is what a receiver hands to Stripe's library.
type stripeRequest struct {
	Payload string `json:"payload"`
	Header  string `json:"header"`
	Secret  string `json:"secret"`
}

// Stripe's library for Node takes what arrives of every kind of event, and
// refuses it with one byte more. Needs node and npm.
func TestStripeForNode(t *testing.T) {
	t.Parallel()
	var asked bytes.Buffer
	var want strings.Builder
	lines := json.NewEncoder(&asked)
	tell := func(request stripeRequest, answer string) {
		if err := lines.Encode(request); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&want, answer)
	}
	for _, event := range goldenEvents() {
		body, err := Encode(event)
		if err != nil {
			t.Fatal(err)
		}
		got := sendOnce(t, body)
		request := stripeRequest{string(got.body), got.header.Get("X-Service-Signature"), vectorSecret}
		tell(request, "taken: "+string(event.Type))
		request.Payload += " "
		tell(request, "refused: StripeSignatureVerificationError")
	}
	dir := stripeWorkshop(t)
	node := exec.CommandContext(t.Context(), "node", "verify.mjs")
	node.Dir, node.Stdin, node.Stderr = dir, &asked, t.Output()
	out, err := node.Output()
	if err != nil {
		t.Fatalf("verify.mjs: %v\n%s", err, out)
	}
	if diff := cmp.Diff(want.String(), string(out)); diff != "" {
		t.Errorf("stripe (-want +got):\n%s", diff)
	}
}

// sendOnce delivers a body and returns what arrived.
func sendOnce(t *testing.T, body []byte) received {
	t.Helper()
	arrived := make(chan received, 1)
	request := requestTo(serve(t, true, tlsConfig(certificate(nil)), recorder(arrived)))
	request.Body = body
	wantDelivered(t, "delivery", newTestClient(t, patience, loopbackResolver()).Post(t.Context(), request), 204)
	return <-arrived
}

// stripeWorkshop installs the library in a folder outside the tree.
func stripeWorkshop(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json", "verify.mjs"} {
		text := readText(t, filepath.Join("testdata", "stripe", name))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	npm := exec.CommandContext(t.Context(), "npm", "ci", "--no-audit", "--no-fund")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	return dir
}
