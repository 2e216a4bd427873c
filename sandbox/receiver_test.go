package sandbox_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach/sandbox"
)

var errForged = errors.New("forged")

func sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func verify(secret, header string, body []byte, _ time.Time) error {
	if sign(secret, body) != header {
		return errForged
	}
	return nil
}

func receive(t *testing.T, config sandbox.ReceiverConfig) *sandbox.Receiver {
	t.Helper()
	if config.Dir == "" {
		config.Dir = t.TempDir()
	}
	config.Verify = verify
	receiver, err := sandbox.StartReceiver(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { receiver.Close() })
	return receiver
}

// client trusts the receiver's authority and nothing else.
func client(t *testing.T, receiver *sandbox.Receiver) *http.Client {
	t.Helper()
	authority, err := os.ReadFile(receiver.CAFile())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority) {
		t.Fatal("the authority's file holds no certificate")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func post(t *testing.T, receiver *sandbox.Receiver, secret, delivery, body string) (status int) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, receiver.URL(), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Service-Event", "sent")
	request.Header.Set("X-Service-Delivery", delivery)
	request.Header.Set("X-Service-Signature", sign(secret, []byte(body)))
	response, err := client(t, receiver).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

func get(t *testing.T, receiver *sandbox.Receiver, url string) string {
	t.Helper()
	response, err := client(t, receiver).Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v", url, response.Status, err)
	}
	return string(text)
}

func TestReceiverVerifiesAndLists(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC().Truncate(time.Second)
	receiver := receive(t, sandbox.ReceiverConfig{Secret: "one", Now: func() time.Time { return now }})
	if got := strings.TrimSpace(get(t, receiver, receiver.URL()+"/received")); got != "[]" {
		t.Errorf("an empty list reads %s", got)
	}
	post(t, receiver, "one", "d1", `{"a": "<raw>"}`)
	post(t, receiver, "two", "d2", `{}`)
	if err := receiver.SetSecret("two"); err != nil {
		t.Fatal(err)
	}
	post(t, receiver, "two", "d2", `{}`)
	post(t, receiver, "one", "d3", `{}`)

	var listed []map[string]any
	if err := json.Unmarshal([]byte(get(t, receiver, receiver.URL()+"/received")), &listed); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, hook := range listed {
		headers := hook["headers"].(map[string]any)
		got = append(got,
			fmt.Sprint(hook["received_at"], hook["delivery_id"], hook["event"], hook["signature_valid"], hook["attempt"],
				hook["body"], headers["X-Service-Delivery"]))
	}
	at := now.Format(time.RFC3339)
	want := []string{
		fmt.Sprint(at, "d1", "sent", true, 1, `{"a": "<raw>"}`, "d1"),
		fmt.Sprint(at, "d2", "sent", false, 1, "{}", "d2"),
		fmt.Sprint(at, "d2", "sent", true, 2, "{}", "d2"),
		fmt.Sprint(at, "d3", "sent", true, 1, "{}", "d3"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
	page := get(t, receiver, strings.TrimSuffix(receiver.URL(), "/hook")+"/")
	if !strings.Contains(page, "d3") || !strings.Contains(page, "forged") || strings.Contains(page, "<raw>") {
		t.Errorf("page reads %s", page)
	}
}

func TestReceiverKeepsEverythingOverARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := receive(t, sandbox.ReceiverConfig{Dir: dir, Secret: "one"})
	post(t, first, "one", "d1", "{}")
	trusting := client(t, first)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := receive(t, sandbox.ReceiverConfig{Dir: dir})
	if first.URL() != second.URL() {
		t.Errorf("the URL changed from %s to %s", first.URL(), second.URL())
	}
	response, err := trusting.Post(second.URL(), "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatalf("the authority changed: %v", err)
	}
	response.Body.Close()
	post(t, second, "one", "d1", "{}")
	got := second.Received()
	if len(got) != 3 || got[0].Body != "{}" || got[2].Attempt != 2 || !got[2].SignatureValid {
		t.Errorf("received %+v", got)
	}
}

func TestReceiverRenewsWhatExpires(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	issued := time.Now().AddDate(-1, 0, -1)
	old := receive(t, sandbox.ReceiverConfig{Dir: dir, Now: func() time.Time { return issued }})
	authority, err := os.ReadFile(old.CAFile())
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	renewed := receive(t, sandbox.ReceiverConfig{Dir: dir, Secret: "one"})
	if status := post(t, renewed, "one", "d1", "{}"); status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	after, err := os.ReadFile(renewed.CAFile())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(authority, after) {
		t.Error("the authority was replaced though it was good")
	}
}

func TestReceiverKeysArePrivate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	receive(t, sandbox.ReceiverConfig{Dir: dir})
	for _, name := range []string{"ca.key", "receiver.key", "receiver.json", "received.jsonl"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, want 0600", name, info.Mode())
		}
	}
}

func TestReceiverAnswersAsTold(t *testing.T) {
	t.Parallel()
	receiver := receive(t, sandbox.ReceiverConfig{Secret: "one", Respond: func(hook *sandbox.ReceivedHook) int {
		switch {
		case hook.DeliveryID == "moved":
			return http.StatusFound
		case hook.Attempt < 3:
			return http.StatusServiceUnavailable
		}
		return http.StatusNoContent
	}})
	got := []int{post(t, receiver, "one", "moved", "{}")}
	for range 3 {
		got = append(got, post(t, receiver, "one", "d", "{}"))
	}
	if diff := cmp.Diff([]int{302, 503, 503, 204}, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestReceiverHangsUntilTheClientLeaves(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 1)
	receiver := receive(t, sandbox.ReceiverConfig{Secret: "one", Respond: func(*sandbox.ReceivedHook) int {
		arrived <- struct{}{}
		return sandbox.Hang
	}})
	ctx, cancel := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, receiver.URL(), strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	patient := client(t, receiver)
	go func() {
		_, err := patient.Do(request)
		failed <- err
	}()
	<-arrived
	select {
	case err := <-failed:
		t.Errorf("it answered: %v", err)
	default:
	}
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestReceiverRefusesHugeBodies(t *testing.T) {
	t.Parallel()
	receiver := receive(t, sandbox.ReceiverConfig{Secret: "one"})
	if status := post(t, receiver, "one", "d", strings.Repeat("x", 1<<20+1)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d, want 413", status)
	}
	if n := len(receiver.Received()); n != 0 {
		t.Errorf("%d were recorded", n)
	}
}

func TestReceiverPrintsOneLineForEach(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	print := sandbox.PrintLines(&out)
	print(sandbox.ReceivedHook{ReceivedAt: at, Event: "sent", DeliveryID: "d1",
		Body: `{"prospect_email":"ann@example.test"}`, SignatureValid: true, Attempt: 1})
	print(sandbox.ReceivedHook{ReceivedAt: at, Event: "te\x1b[2J\nst", DeliveryID: "d2", Body: `{"prospect_email":null}`,
		SignatureError: "forged", Attempt: 2})
	want := "2026-11-20T09:00:00Z  sent          ann@example.test  d1  signature ok\n" +
		"2026-11-20T09:00:00Z  te[2Jst       -  d2  SIGNATURE BAD: forged (attempt 2)\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestReceiverObserverSeesEachWebhook(t *testing.T) {
	t.Parallel()
	seen := make(chan sandbox.ReceivedHook, 1)
	receiver := receive(t, sandbox.ReceiverConfig{Secret: "one", Observe: func(hook sandbox.ReceivedHook) { seen <- hook }})
	post(t, receiver, "one", "d1", "{}")
	if hook := <-seen; hook.DeliveryID != "d1" || !hook.SignatureValid {
		t.Errorf("saw %+v", hook)
	}
}

func TestBothServersShareAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mailServer := start(t, sandbox.Config{Dir: dir})
	receiver := receive(t, sandbox.ReceiverConfig{Dir: dir, Secret: "one"})
	mustSend(t, mailServer.SMTP(), "ann@example.test", "", "hello")
	if status := post(t, receiver, "one", "d1", "{}"); status != http.StatusOK || mailServer.ReceivedCount() != 1 {
		t.Errorf("status %d, %d messages", status, mailServer.ReceivedCount())
	}
}
