//go:build full

package house

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

var session = regexp.MustCompile("(?s)second shell.*?```sh\n(.*?)```")

// The session that README shows runs as it stands against `outreach dev`, and
// Ann's mail, her answer and a delivered webhook come out of it.
func TestReadmeSession(t *testing.T) {
	t.Parallel()
	match := session.FindStringSubmatch(read(t, "README.md"))
	if match == nil {
		t.Fatal("README.md shows no session")
	}
	folder := t.TempDir()
	startDev(t, folder)
	waitForDemo(t, folder)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "sh", "-eu")
	shell.Dir = folder
	shell.Stdin = strings.NewReader(match[1])
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("run the session: %v\n%s", err, out)
	}
	for _, want := range []string{
		`"prospect_created":true`, `"email":"reply.ann@initech.example"`,
		`"status":"sent"`, `"from":"reply.ann@initech.example"`, `"interest":"positive"`, `"status":"delivered"`,
	} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("the session does not show %s:\n%s", want, out)
		}
	}
}

// startDev builds and starts `outreach dev` in a folder and waits until it is
// ready. The end of the test ends it, and everything that it started.
func startDev(t *testing.T, folder string) {
	t.Helper()
	program := filepath.Join(folder, "outreach")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, "./cmd/outreach")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the service: %v\n%s", err, out)
	}
	command := exec.Command(program, "dev", "--addr", "127.0.0.1:0")
	command.Dir = folder
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Start(); err != nil {
		t.Fatalf("start the service: %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			t.Errorf("the service ended with %v:\n%s", err, said.String())
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	for !ready(ctx, folder) {
		select {
		case err := <-ended:
			ended <- nil
			t.Fatalf("the service ended: %v\n%s", err, said.String())
		case <-ctx.Done():
			t.Fatal("the service is not ready after three minutes")
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// waitForDemo waits until the session would find the newest campaign of the demo
// workspace. It is created after the service is ready. The older ones, which show
// the past, send during working hours only.
func waitForDemo(t *testing.T, folder string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	look := strings.Split(session.FindStringSubmatch(read(t, "README.md"))[1], "\n\n")[0] + "\napi 'campaigns?status=active'\n"
	for {
		shell := exec.CommandContext(ctx, "sh", "-eu")
		shell.Dir, shell.Stdin = folder, strings.NewReader(look)
		if out, err := shell.Output(); err == nil && bytes.Contains(out, []byte(`"name":"Autumn introduction"`)) {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatal("the demo workspace has no campaign for the session after a minute")
		case <-time.After(200 * time.Millisecond):
		}
	}
}

var baseURL = regexp.MustCompile(`"base_url": "(.*)"`)

// ready reports whether dev.json exists and the service is ready.
func ready(ctx context.Context, folder string) bool {
	text, err := os.ReadFile(filepath.Join(folder, ".outreach", "dev.json"))
	match := baseURL.FindSubmatch(text)
	if err != nil || match == nil {
		return false
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, string(match[1])+"/readyz", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}
