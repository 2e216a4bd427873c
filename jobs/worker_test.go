package jobs

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9/logging"
)

// workerVariable makes the test binary a worker process; it holds what the
// process needs.
const workerVariable = "OUTREACH_JOBS_TEST_WORKER"

type workerOrder struct {
	Database    string
	Redis       string
	Certificate string
	Timeout     time.Duration
	Concurrency int
	LeaseTTL    time.Duration
	Interval    time.Duration // of scans and between attempts
	Servers     int
}

func discardLog() *log.Logger { return log.New(io.Discard, "", 0) }

// runWorkerProcess is main of a worker process: it runs until SIGTERM.
func runWorkerProcess() error {
	var order workerOrder
	if err := json.Unmarshal([]byte(os.Getenv(workerVariable)), &order); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	logging.Disable() // as the program does
	db, err := openStore(ctx, order.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	der, err := base64.StdEncoding.DecodeString(order.Certificate)
	if err != nil {
		return err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return err
	}
	hook := &endpoint{}
	hook.trust(certificate)
	options, err := ParseRedis(order.Redis)
	if err != nil {
		return err
	}
	return Run(ctx, Config{
		Store: db, Post: hook.post(order.Timeout), Redis: options,
		ScanInterval: order.Interval, RetryDelay: order.Interval, Concurrency: order.Concurrency, Servers: order.Servers,
		LeaseTTL: order.LeaseTTL,
	})
}

// process starts a worker process of its own, at the pace of a demo, and gives
// it to be killed.
func (s *stage) process() *exec.Cmd {
	s.t.Helper()
	return s.processAs(workerOrder{Concurrency: 128, Servers: 2, LeaseTTL: 5 * time.Second, Interval: time.Second})
}

// processAs starts a worker process with what order says beside the addresses;
// what it leaves out is as it is by default.
func (s *stage) processAs(asked workerOrder) *exec.Cmd {
	s.t.Helper()
	asked.Database, asked.Redis, asked.Timeout = s.dbURL, s.redis, patience
	asked.Certificate = base64.StdEncoding.EncodeToString(s.hook.server.Certificate().Raw)
	order, err := json.Marshal(asked)
	s.must(err)
	program, err := os.Executable()
	s.must(err)
	worker := exec.Command(program)
	worker.Env = append(os.Environ(), workerVariable+"="+string(order))
	worker.Stderr = os.Stderr
	s.must(worker.Start())
	s.t.Cleanup(func() { kill(worker) })
	return worker
}

// kill ends a worker as a crash would.
func kill(worker *exec.Cmd) {
	if worker.ProcessState == nil {
		_ = worker.Process.Kill()
		_ = worker.Wait()
	}
}

func describe(visits []visit) string { return fmt.Sprintf("%d requests", len(visits)) }
