package devstack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Files in a server's folder.
const (
	lockName  = "lock"
	stateName = "supervisor.json"
	logName   = "server.log"
)

// state is what a supervisor writes into the server's folder so that others
// find it, and so that its successor can clear up after a crash.
type state struct {
	Run        string `json:"run"`        // folder of the sockets
	PID        int    `json:"pid"`        // process of the server, 0 before it runs
	Supervisor int    `json:"supervisor"` // process of the supervisor
}

// greeting is the supervisor's first line to everyone who connects.
type greeting struct {
	URL string `json:"url"`
	PID int    `json:"pid"` // of the server at that moment
}

// order is what a connected process may ask for; answer is the reply.
type (
	order struct {
		Do string `json:"do"`
	}
	answer struct {
		Error string `json:"error,omitempty"`
	}
)

const (
	doRestart = "restart"
	doKill    = "kill"
	doClose   = "close"
)

// link is a process's hold on a server: as long as it is open the server runs.
type link struct {
	greeting
	mu   sync.Mutex // one order at a time
	conn net.Conn
	in   *json.Decoder
}

// attachLimit bounds the way to a running server, a download on a slow line
// included.
const attachLimit = 10 * time.Minute

// errAbsent tells that no supervisor answers for the folder.
var errAbsent = errors.New("no supervisor")

// attach joins the supervisor of dir, starting one if there is none. plan is
// called only when one must be started, since finding the programs takes time.
func attach(ctx context.Context, dir string, plan func(context.Context) (plan, error)) (*link, error) {
	if os.Args[0] == supervisorName {
		return nil, errors.New("devstack.RunIfSupervisor must be the first call in main")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create folder: %w", err)
	}
	// A lock whose holder never answers (a folder shared with another machine
	// or container) must not keep us for ever.
	ctx, cancel := context.WithTimeoutCause(ctx, attachLimit, errors.New("its supervisor does not answer"))
	defer cancel()
	for {
		held, err := join(ctx, dir)
		if !errors.Is(err, errAbsent) {
			return held, err
		}
		if err := startIfFree(ctx, dir, plan); err != nil {
			return nil, err
		}
	}
}

// startIfFree starts a supervisor unless one holds the lock; then it waits a
// moment, because that one is either about to listen or about to leave.
func startIfFree(ctx context.Context, dir string, makePlan func(context.Context) (plan, error)) error {
	file, err := tryLock(filepath.Join(dir, lockName))
	if errors.Is(err, errLocked) {
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return fmt.Errorf("wait for the supervisor of %s: %w", dir, err)
		}
		return nil
	}
	if err != nil {
		return err
	}
	_ = file.Close()
	p, err := makePlan(ctx)
	if err != nil {
		return err
	}
	return startSupervisor(ctx, p)
}

// join connects to a supervisor that is there and waits for its greeting, which
// comes when the server is ready.
func join(ctx context.Context, dir string) (*link, error) {
	known, err := readState(dir)
	if err != nil {
		return nil, errAbsent
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", controlSocket(known.Run))
	if err != nil {
		return nil, errAbsent
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	l := &link{conn: conn, in: json.NewDecoder(conn)}
	err = l.in.Decode(&l.greeting)
	if !stop() {
		return nil, fmt.Errorf("wait for the server of %s: %w", dir, context.Cause(ctx))
	}
	if err != nil {
		_ = conn.Close()
		return nil, errAbsent
	}
	return l, nil
}

// startSupervisor runs this program again as the supervisor and waits until the
// server is ready. If we die meanwhile, the supervisor finds no client
// and leaves.
func startSupervisor(ctx context.Context, p plan) error {
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find our program: %w", err)
	}
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode plan: %w", err)
	}
	in, out, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("create pipe: %w", err)
	}
	defer func() { _ = in.Close() }()
	cmd := &exec.Cmd{
		Path:       exe,
		Args:       []string{supervisorName, string(text)},
		Env:        cleanEnvironment(),
		Dir:        "/",
		ExtraFiles: []*os.File{out},
		// Not our session: a Ctrl-C must reach us first, so that we can
		// finish our work with a database that still runs.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	err = cmd.Start()
	_ = out.Close()
	if err != nil {
		return fmt.Errorf("start supervisor: %w", err)
	}
	go func() { _ = cmd.Wait() }() // reaps it, whenever it ends
	return awaitSupervisor(ctx, in, p)
}

// awaitSupervisor reads the supervisor's report: "ready", "busy" when another
// one was faster, or what went wrong.
func awaitSupervisor(ctx context.Context, in *os.File, p plan) error {
	stop := context.AfterFunc(ctx, func() { _ = in.Close() })
	report, _ := io.ReadAll(in)
	if !stop() {
		return fmt.Errorf("wait for %s: %w", p.Kind, context.Cause(ctx))
	}
	switch text := strings.TrimSpace(string(report)); text {
	case "ready", "busy":
		return nil
	case "":
		return fmt.Errorf("the supervisor of %s ended without a word, see %s", p.Kind, filepath.Join(p.Dir, logName))
	default:
		return errors.New(text)
	}
}

// ask sends one order and waits for its answer. The context bounds the wait;
// after a wait that was cut short the link is of no more use.
func (l *link) ask(ctx context.Context, do string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { _ = l.conn.Close() })
	defer stop()
	if err := json.NewEncoder(l.conn).Encode(order{Do: do}); err != nil {
		return fmt.Errorf("ask supervisor to %s: %w", do, err)
	}
	var got answer
	if err := l.in.Decode(&got); err != nil {
		return fmt.Errorf("wait for supervisor to %s: %w", do, err)
	}
	if got.Error != "" {
		return fmt.Errorf("%s: %s", do, got.Error)
	}
	return nil
}

// close lets go of the server. If we were the last to hold it, close returns
// after the server has stopped.
func (l *link) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := json.NewEncoder(l.conn).Encode(order{Do: doClose}); err == nil {
		// The supervisor hangs up when it is done with us.
		_, _ = io.Copy(io.Discard, io.MultiReader(l.in.Buffered(), l.conn))
	}
	err := l.conn.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func controlSocket(run string) string { return filepath.Join(run, "control") }

func readState(dir string) (state, error) {
	var known state
	raw, err := os.ReadFile(filepath.Join(dir, stateName))
	if err != nil {
		return known, fmt.Errorf("read state: %w", err)
	}
	if err := json.Unmarshal(raw, &known); err != nil || known.Run == "" {
		return known, fmt.Errorf("decode state: %w", err)
	}
	return known, nil
}

func writeState(dir string, s state) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	path := filepath.Join(dir, stateName)
	if err := os.WriteFile(path+".new", raw, 0o600); err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("replace state: %w", err)
	}
	return nil
}
