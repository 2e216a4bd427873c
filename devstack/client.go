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

// state is what a supervisor writes into the server's folder, so that other processes find it and
// the next supervisor can clean up after a crash.
type state struct {
	Run        string `json:"run"`        // folder of the sockets
	PID        int    `json:"pid"`        // process of the server, 0 before it runs
	Supervisor int    `json:"supervisor"` // process of the supervisor
}

// greeting is the first line of the supervisor on every connection.
type greeting struct {
	URL string `json:"url"`
	PID int    `json:"pid"` // of the server at that moment
}

// order is a request of a connected process; answer is the reply.
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

// attachLimit bounds the time until a server runs, including a download on a slow line.
const attachLimit = 10 * time.Minute

// errAbsent reports that no supervisor answers for the folder.
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
	// The holder of a lock may never answer, for example in a folder shared with another machine or
	// container, so the wait is bounded.
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

// startIfFree starts a supervisor unless another one holds the lock. In that case it waits a
// moment, because the other one is starting or stopping.
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

// join connects to a running supervisor and waits for its greeting, which comes when the server is
// ready.
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

// startSupervisor runs this program again as the supervisor and waits until the server is ready. If
// this process dies in between, the supervisor finds no client and exits.
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
		// A session of its own: on Ctrl-C this process must finish its work while the database
		// still runs.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	err = cmd.Start()
	_ = out.Close()
	if err != nil {
		return fmt.Errorf("start supervisor: %w", err)
	}
	go func() { _ = cmd.Wait() }() // reaps the process when it ends
	return awaitSupervisor(ctx, in, p)
}

// awaitSupervisor reads the report of the supervisor: "ready", "busy" if another one was faster, or
// an error.
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
		return fmt.Errorf("the supervisor of %s ended without a report, see %s", p.Kind, filepath.Join(p.Dir, logName))
	default:
		return errors.New(text)
	}
}

// ask sends one order and waits for its answer. The context bounds the wait. After an interrupted
// wait the link must not be used again.
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

// close ends the use of the server. If this was the last client, close returns after the server has
// stopped.
func (l *link) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := json.NewEncoder(l.conn).Encode(order{Do: doClose}); err == nil {
		// The supervisor closes the connection when it has finished.
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
