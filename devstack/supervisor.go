package devstack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// supervisorName is argv[0] of a supervisor. Process lists show it, and the program recognises by
// it that it was started as a supervisor.
const supervisorName = "outreach-devstack-supervisor"

const (
	startLimit  = 60 * time.Second // for initdb and recovery on a slow machine
	stopLimit   = 20 * time.Second // for a clean stop, after which we kill
	firstClient = 10 * time.Second // until the first client must have connected
)

// plan is what a supervisor runs.
type plan struct {
	Kind       string        `json:"kind"`                 // "postgres" or "redis"
	Dir        string        `json:"dir"`                  // absolute
	Program    string        `json:"program"`              // Postgres: folder of its programs; Redis: the server
	Major      int           `json:"major,omitempty"`      // Postgres: its major version
	Durable    bool          `json:"durable,omitempty"`    // survive a power cut
	Disposable bool          `json:"disposable,omitempty"` // delete the data if it may be damaged
	Temporary  bool          `json:"temporary,omitempty"`  // delete Dir at the end
	Linger     time.Duration `json:"linger,omitempty"`     // how long to stay without a client
}

// server holds the differences between Postgres and Redis.
type server interface { //nolint:interfacebloat // the six things in which Postgres and Redis differ
	// prepare makes the data folder ready.
	prepare(ctx context.Context) error
	// command returns a new process, not started yet.
	command() *exec.Cmd
	// probe returns nil once the server answers.
	probe(ctx context.Context) error
	// stopSignal asks the server to stop cleanly.
	stopSignal() syscall.Signal
	// stopped is called after the server ended cleanly.
	stopped()
	url() string
}

// RunIfSupervisor must be the first call in main. In a process that devstack started as a
// supervisor it does the supervisor's work and never returns. In any other process it returns at
// once.
func RunIfSupervisor() {
	if os.Args[0] != supervisorName || len(os.Args) != 2 {
		return
	}
	// The parent-death signal follows the thread that started the child: the
	// main thread lives as long as the process.
	runtime.LockOSThread()
	report := os.NewFile(3, "report")
	syscall.CloseOnExec(3)
	if err := supervise(os.Args[1], report); err != nil {
		_, _ = fmt.Fprintln(report, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// supervise runs one server from its start to its stop. It reports "ready" or "busy" to the starter
// and closes the report. The caller reports an error.
func supervise(text string, report *os.File) error {
	var p plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return fmt.Errorf("decode plan: %w", err)
	}
	lock, err := tryLock(filepath.Join(p.Dir, lockName))
	if errors.Is(err, errLocked) {
		_, _ = fmt.Fprintln(report, "busy")
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	s, err := newSupervisor(p)
	if err != nil {
		return fmt.Errorf("start %s: %w", p.Kind, err)
	}
	defer s.clear()
	if err := s.start(); err != nil {
		return fmt.Errorf("start %s: %w", p.Kind, err)
	}
	_, _ = fmt.Fprintln(report, "ready")
	_ = report.Close()
	s.serve()
	return nil
}

// supervisor owns one server process. All its fields belong to the main
// goroutine.
type supervisor struct {
	plan
	run      string
	log      *os.File
	listener net.Listener
	server   server
	child    *exec.Cmd
	exit     chan error // the child's end
	clients  map[net.Conn]bool
}

// newSupervisor cleans up after a supervisor that crashed, then makes the folder for the sockets
// and listens. Processes that connect now wait in the backlog until the server is ready.
func newSupervisor(p plan) (*supervisor, error) {
	if old, err := readState(p.Dir); err == nil {
		if err := endLeftover(old); err != nil {
			return nil, err
		}
	}
	log, err := os.OpenFile(filepath.Join(p.Dir, logName), os.O_CREATE|os.O_WRONLY|os.O_TRUNC|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	s := &supervisor{plan: p, log: log, clients: map[net.Conn]bool{}}
	who, err := s.account()
	if err != nil {
		return nil, err
	}
	if err := openTo(p.Dir, who); err != nil {
		return nil, err
	}
	if s.run, err = makeRunFolder(who); err != nil {
		return nil, err
	}
	if p.Kind == "redis" {
		s.server = newRedisServer(p, s.run)
	} else {
		s.server = newPostgresServer(p, s.run, who, log)
	}
	if s.listener, err = net.Listen("unix", controlSocket(s.run)); err != nil {
		return nil, fmt.Errorf("listen for control: %w", err)
	}
	return s, writeState(p.Dir, state{Run: s.run, Supervisor: os.Getpid()})
}

func (s *supervisor) account() (*account, error) {
	if s.Kind == "redis" {
		return nil, nil
	}
	return serverAccount()
}

// start prepares the data and starts the server for the first time.
func (s *supervisor) start() error {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	if err := s.server.prepare(ctx); err != nil {
		return err
	}
	return s.launch(ctx)
}

// launch starts the server process and waits until it answers.
func (s *supervisor) launch(ctx context.Context) error {
	cmd := s.server.command()
	cmd.Stdout, cmd.Stderr = s.log, s.log
	tieToParent(cmd.SysProcAttr, s.server.stopSignal())
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	s.child, s.exit = cmd, make(chan error, 1)
	go func(exit chan<- error) { exit <- cmd.Wait() }(s.exit)
	// If the supervisor dies before this line, the next one does not know the process, but the
	// kernel has stopped it.
	if err := writeState(s.Dir, state{Run: s.run, PID: cmd.Process.Pid, Supervisor: os.Getpid()}); err != nil {
		s.halt()
		return err
	}
	return s.awaitReady(ctx)
}

func (s *supervisor) awaitReady(ctx context.Context) error {
	for {
		if s.server.probe(ctx) == nil {
			return nil
		}
		select {
		case err := <-s.exit:
			s.child = nil
			return fmt.Errorf("it ended at once (%w):\n%s", err, tail(s.log.Name()))
		case <-ctx.Done():
			s.halt()
			return fmt.Errorf("it did not answer in %s:\n%s", startLimit, tail(s.log.Name()))
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// halt stops the server cleanly, or kills it if that takes too long.
func (s *supervisor) halt() {
	if s.child == nil {
		return
	}
	_ = s.child.Process.Signal(s.server.stopSignal())
	select {
	case <-s.exit: //nolint:errcheck // how it ended is in its log
		s.server.stopped()
	case <-time.After(stopLimit):
		_, _ = fmt.Fprintf(s.log, "supervisor: no stop within %s, killing the server\n", stopLimit)
		_ = s.child.Process.Kill()
		<-s.exit //nolint:errcheck // it was killed
	}
	s.child = nil
}

// kill ends the server like a crash. It stays down until a restart.
func (s *supervisor) kill() {
	if s.child == nil {
		return
	}
	_ = s.child.Process.Kill()
	<-s.exit //nolint:errcheck // it was killed
	s.child = nil
}

// clear removes the files of the supervisor, sockets first.
func (s *supervisor) clear() {
	s.halt()
	_ = s.listener.Close()
	_ = os.RemoveAll(s.run)
	_ = os.Remove(filepath.Join(s.Dir, stateName))
	if s.Temporary {
		_ = os.RemoveAll(s.Dir)
	}
}

// event is an action of a connected process.
type event struct {
	client net.Conn
	do     string // an order, or "" for a new connection, or doGone
}

const doGone = "gone"

// serve accepts processes until the last one has closed its connection, the server ends by itself,
// or the system asks the supervisor to stop.
func (s *supervisor) serve() {
	events := make(chan event)
	go s.accept(events)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
	alone := time.After(firstClient)
	for {
		select {
		case e := <-events:
			s.handle(e)
			alone = nil
			if len(s.clients) == 0 && s.Linger == 0 {
				return
			}
			if len(s.clients) == 0 {
				alone = time.After(s.Linger)
			}
		case <-alone:
			return
		case <-s.childExit(): //nolint:errcheck // it ended by itself; its log says why
			s.child = nil
			return
		case <-signals:
			return
		}
	}
}

// childExit receives a value when the running child ends, but not after it was killed on purpose.
func (s *supervisor) childExit() <-chan error {
	if s.child == nil {
		return nil
	}
	return s.exit
}

func (s *supervisor) accept(events chan<- event) {
	for {
		client, err := s.listener.Accept()
		if err != nil {
			return
		}
		events <- event{client: client}
		go listen(client, events)
	}
}

// listen passes on the orders of a client until it closes the connection. The kernel closes the
// connection of a killed process.
func listen(client net.Conn, events chan<- event) {
	in := json.NewDecoder(client)
	for {
		var o order
		if err := in.Decode(&o); err != nil {
			events <- event{client: client, do: doGone}
			return
		}
		events <- event{client: client, do: o.Do}
	}
}

func (s *supervisor) handle(e event) {
	out := json.NewEncoder(e.client)
	switch e.do {
	case "":
		s.clients[e.client] = true
		_ = out.Encode(greeting{URL: s.server.url(), PID: s.pid()})
	case doRestart:
		_ = out.Encode(reply(s.restart()))
	case doKill:
		s.kill()
		_ = out.Encode(answer{})
	case doClose:
		delete(s.clients, e.client)
		// The last client sees the exit of the supervisor.
		if len(s.clients) > 0 || s.Linger > 0 {
			_ = e.client.Close()
		}
	default:
		delete(s.clients, e.client)
	}
}

func (s *supervisor) restart() error {
	s.halt()
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	return s.launch(ctx)
}

func (s *supervisor) pid() int {
	if s.child == nil {
		return 0
	}
	return s.child.Process.Pid
}

func reply(err error) answer {
	if err == nil {
		return answer{}
	}
	return answer{Error: err.Error()}
}

// endLeftover stops the server of a supervisor that was killed and removes its sockets. The command
// line names the run folder, whose name is random, so another process that got the same number is
// not stopped.
func endLeftover(old state) error {
	deadline := time.Now().Add(stopLimit)
	for old.PID != 0 && strings.Contains(commandLine(old.PID), old.Run) {
		// SIGINT stops Postgres and Redis cleanly.
		_ = syscall.Kill(old.PID, syscall.SIGINT)
		if time.Now().After(deadline) {
			return fmt.Errorf("process %d of an earlier run does not stop", old.PID)
		}
		time.Sleep(20 * time.Millisecond)
	}
	if !strings.HasPrefix(filepath.Base(old.Run), "outreach-") {
		return nil
	}
	return os.RemoveAll(old.Run)
}

// tail returns the last lines of a log, for an error message.
func tail(path string) string {
	raw, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}
