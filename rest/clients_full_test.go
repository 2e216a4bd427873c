//go:build full

package rest_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Clients that foreign generators make of openapi.yaml, compiled and used against
// the running program. They are Go, node and npm; `make tools` installs them.

// devFile is what of dev.json a client needs.
type devFile struct {
	BaseURL  string `json:"base_url"`
	APIToken string `json:"api_token"`
}

// startProgram builds the program and runs `outreach dev` with an empty workspace.
func startProgram(t *testing.T) (environment []string) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "outreach")
	command(t, "..", nil, "go", "build", "-o", program, "./cmd/outreach")
	server := exec.Command(program, "dev", "--no-demo", "--addr", "127.0.0.1:0", "--data", filepath.Join(dir, "data"))
	server.Stdout, server.Stderr = t.Output(), t.Output()
	must(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	var dev devFile
	deadline := time.Now().Add(2 * time.Minute)
	for !ready(filepath.Join(dir, "data", "dev.json"), &dev) {
		if time.Now().After(deadline) {
			t.Fatal("the service is not ready after two minutes")
		}
		<-time.After(100 * time.Millisecond)
	}
	return []string{"BASE_URL=" + dev.BaseURL, "API_TOKEN=" + dev.APIToken}
}

func ready(path string, dev *devFile) bool {
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, dev) != nil {
		return false
	}
	response, err := http.Get(dev.BaseURL + "/readyz")
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// command runs a program in a folder and returns what it printed.
func command(t *testing.T, dir string, environment []string, name string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), environment...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// workshop copies a folder of testdata/clients, so that what is generated and
// installed never lies in the tree.
func workshop(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	from := filepath.Join("testdata", "clients", name)
	entries, err := os.ReadDir(from)
	must(t, err)
	for _, entry := range entries {
		if entry.IsDir() {
			continue // a node_modules folder made by hand
		}
		text, err := os.ReadFile(filepath.Join(from, entry.Name()))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, entry.Name()), text, 0o600))
	}
	return dir
}

func document(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("openapi.yaml")
	must(t, err)
	return path
}

func TestGeneratedClients(t *testing.T) {
	t.Parallel()
	service := startProgram(t)
	t.Run("go", func(t *testing.T) {
		t.Parallel()
		dir, environment := workshop(t, "go"), append(service, "GOFLAGS=-mod=readonly -buildvcs=false", "GOWORK=off")
		command(t, dir, environment, "go", "tool", "oapi-codegen", "-config", "config.yaml", document(t))
		said(t, command(t, dir, environment, "go", "run", "."), "go client: done")
	})
	t.Run("typescript", func(t *testing.T) {
		t.Parallel()
		dir := workshop(t, "ts")
		command(t, dir, nil, "npm", "ci", "--no-audit", "--no-fund")
		command(t, dir, nil, "npx", "openapi-typescript", document(t), "--default-non-nullable=false", "-o", "schema.d.ts")
		command(t, dir, nil, "npx", "tsc", "-p", ".")
		said(t, command(t, dir, service, "node", "out/main.js"), "ts client: done")
		lint := command(t, dir, []string{"REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true"}, "npx", "redocly", "lint", document(t))
		said(t, lint, "Your API description is valid")
		if strings.Contains(lint, "warning") && !strings.Contains(lint, "Deprecation warning") {
			t.Error(lint)
		}
	})
}

// The clients that three more generators make, and the zod schemas of one, compile under strict rules.
func TestClientsOfOtherGeneratorsCompile(t *testing.T) {
	t.Parallel()
	dir := workshop(t, "more")
	command(t, dir, nil, "npm", "ci", "--no-audit", "--no-fund")
	for _, generator := range [][]string{
		{"openapi-ts", "-i", document(t), "-o", "hey"},
		{"orval", "--input", document(t), "--output", "orval/api.ts", "--client", "fetch"},
		{"orval", "--input", document(t), "--output", "zod/api.ts", "--client", "zod"},
		{"swagger-typescript-api", "generate", "-p", document(t), "-o", "swagger", "-n", "api.ts"},
	} {
		command(t, dir, nil, "npx", generator...)
	}
	if files := command(t, dir, nil, "npx", "tsc", "-p", ".", "--listFilesOnly"); !strings.Contains(files, "hey/sdk.gen.ts") ||
		!strings.Contains(files, "orval/api.ts") || !strings.Contains(files, "zod/api.ts") || !strings.Contains(files, "swagger/api.ts") {
		t.Errorf("tsc compiles %s", files)
	}
	command(t, dir, nil, "npx", "tsc", "-p", ".")
}

// said looks for a line that has to be there.
func said(t *testing.T, output, want string) {
	t.Helper()
	lines := bufio.NewScanner(strings.NewReader(output))
	for lines.Scan() {
		if strings.Contains(lines.Text(), want) {
			return
		}
	}
	t.Errorf("no %q in\n%s", want, output)
}
