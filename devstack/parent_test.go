package devstack

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// parentEnv makes the test binary play a program that holds private servers;
// its value is the folder for them.
const parentEnv = "DEVSTACK_TEST_PARENT"

func TestMain(m *testing.M) {
	RunIfSupervisor()
	if dir := os.Getenv(parentEnv); dir != "" {
		os.Exit(playParent(dir))
	}
	os.Exit(m.Run())
}

// held is what the played program prints once its servers run.
type held struct {
	Postgres string
	Redis    string
	Error    string
}

// playParent starts the servers and holds them until its input ends.
func playParent(dir string) int {
	var got held
	closeAll, err := startBoth(dir, &got)
	if err != nil {
		got.Error = err.Error()
	}
	_ = json.NewEncoder(os.Stdout).Encode(got)
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err == nil {
		closeAll()
	}
	return 0
}

func startBoth(dir string, got *held) (func(), error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	postgres, err := StartPostgres(ctx, PostgresConfig{Dir: filepath.Join(dir, "postgres")})
	if err != nil {
		return nil, err
	}
	redis, err := StartRedis(ctx, RedisConfig{Dir: filepath.Join(dir, "redis"), Persist: true})
	if err != nil {
		return nil, err
	}
	got.Postgres, got.Redis = postgres.URL(), redis.URL()
	return func() { _ = redis.Close(); _ = postgres.Close() }, nil
}

// parent is a played program.
type parent struct {
	held
	cmd   *exec.Cmd
	input io.Closer
}

// startParent plays the program; change may alter its user and environment.
func startParent(t *testing.T, dir string, change func(*exec.Cmd)) *parent {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), parentEnv+"="+dir)
	cmd.Stderr = os.Stderr
	if change != nil {
		change(cmd)
	}
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &parent{cmd: cmd, input: input}
	t.Cleanup(p.kill)
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		t.Fatalf("the played program ended: %v", err)
	}
	if err := json.Unmarshal(line, &p.held); err != nil || p.Error != "" {
		t.Fatalf("the played program failed: %v %s", err, p.Error)
	}
	return p
}

func (p *parent) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

func (p *parent) leave() {
	_ = p.input.Close()
	_ = p.cmd.Wait()
}

// folder returns a new folder that other accounts may pass through, unlike
// t.TempDir, whose parent is closed.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "devstack-test-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, sub := range []string{"", "postgres"} {
			if home := keptElsewhere(filepath.Join(dir, sub)); home != "" {
				_ = os.RemoveAll(home)
			}
		}
		_ = os.RemoveAll(dir)
	})
	return dir
}

// processes returns the server and its supervisor, as the state names them.
func processes(t *testing.T, dir string) []int {
	t.Helper()
	known, err := readState(dir)
	if err != nil {
		t.Fatal(err)
	}
	if known.PID == 0 || known.Supervisor == 0 {
		t.Fatalf("state names no processes: %+v", known)
	}
	return []int{known.PID, known.Supervisor}
}

// awaitEnd waits until none of the processes is there any more.
func awaitEnd(t *testing.T, pids ...int) {
	t.Helper()
	eventually(t, func() error {
		for _, pid := range pids {
			if line := commandLine(pid); line != "" {
				return fmt.Errorf("process %d still runs: %s", pid, line)
			}
		}
		return nil
	})
}

func eventually(t *testing.T, check func() error) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	err := check()
	for err != nil && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
		err = check()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func query(t *testing.T, url, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

func startPostgres(t *testing.T, dir string) *Postgres {
	t.Helper()
	postgres, err := StartPostgres(t.Context(), PostgresConfig{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = postgres.Close() })
	return postgres
}

func TestKilledParentLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	p := startParent(t, dir, nil)
	left := processes(t, filepath.Join(dir, "postgres"))
	if strings.HasPrefix(p.Redis, "redis-socket:") {
		left = append(left, processes(t, filepath.Join(dir, "redis"))...)
	}
	run, err := readState(filepath.Join(dir, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	p.kill()
	awaitEnd(t, left...)
	if _, err := os.Stat(run.Run); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the sockets is still there: %v", err)
	}
}

func TestProcessesShareOneServerUntilTheLastLeaves(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	first, second := startParent(t, dir, nil), startParent(t, dir, nil)
	if first.Postgres != second.Postgres {
		t.Fatalf("two servers: %s and %s", first.Postgres, second.Postgres)
	}
	left := processes(t, filepath.Join(dir, "postgres"))
	first.leave()
	query(t, second.Postgres, "SELECT 'still there'")
	second.leave()
	// Leaving waits for the stop, so there is nothing to poll for.
	if line := commandLine(left[0]); line != "" {
		t.Errorf("the server outlives the last process: %s", line)
	}
	awaitEnd(t, left...)
}

func TestProcessesThatStartAtOnceGetOneServer(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	type result struct {
		postgres *Postgres
		err      error
	}
	results := make(chan result)
	for range 4 {
		go func() {
			postgres, err := StartPostgres(t.Context(), PostgresConfig{Dir: dir})
			results <- result{postgres, err}
		}()
	}
	urls := map[string]bool{}
	for range 4 {
		got := <-results
		if got.err != nil {
			t.Error(got.err)
			continue
		}
		defer func() { _ = got.postgres.Close() }()
		urls[got.postgres.URL()] = true
	}
	if len(urls) != 1 {
		t.Errorf("addresses = %v, want one", urls)
	}
}

// As root the program runs as the user nobody, in an empty home.
func TestPlainUserWithAnEmptyHome(t *testing.T) {
	t.Parallel()
	dir, home := folder(t), folder(t)
	program := filepath.Join(folder(t), "program")
	raw, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, raw, 0o755); err != nil {
		t.Fatal(err)
	}
	p := startParent(t, dir, func(cmd *exec.Cmd) {
		cmd.Path, cmd.Dir = program, home
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), parentEnv + "=" + dir}
		if os.Geteuid() == 0 {
			const nobody = 65534
			for _, path := range []string{dir, home} {
				if err := os.Chown(path, nobody, nobody); err != nil {
					t.Fatal(err)
				}
			}
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		}
	})
	left := processes(t, filepath.Join(dir, "postgres"))
	var stat syscall.Stat_t
	if err := syscall.Stat(filepath.Join(dir, "postgres", stateName), &stat); err != nil {
		t.Fatal(err)
	}
	if stat.Uid == 0 {
		t.Error("the supervisor runs as root")
	}
	if got := query(t, p.Postgres, "SELECT current_user::text"); got != databaseName {
		t.Errorf("role = %q, want %q", got, databaseName)
	}
	p.leave()
	awaitEnd(t, left...)
}
