package sandbox

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// hookPath is the path for webhooks.
const hookPath = "/hook"

// maxHookBytes bounds one webhook. A larger one gets 413 and is not recorded.
const maxHookBytes = 1 << 20

// Hang is the result of ReceiverConfig.Respond for no answer: the connection stays open until the
// client closes it or the receiver is closed.
const Hang = -1

// ReceiverConfig configures a Receiver.
type ReceiverConfig struct {
	// Dir holds receiver.json (port and secrets), received.jsonl, and the authority and certificate
	// with their keys (0600). It is required, and created if it is missing. Only one receiver may
	// use a folder at a time.
	Dir string
	// Secret is a signing secret in addition to those of the last run. It may be empty; see
	// SetSecret.
	Secret string
	// Verify checks one signature header over the raw body. It returns nil for a valid one.
	Verify func(secret, header string, body []byte, now time.Time) error
	// Logger gets errors; by default they are dropped.
	Logger *slog.Logger
	// Now is the clock; default time.Now.
	Now func() time.Time
	// Respond chooses the status of each answer. It may be Hang, or 3xx, which redirects to another
	// path of this receiver. The default is 200, also for an invalid signature, so that the
	// receiver shows it.
	Respond func(*ReceivedHook) int
	// Observe is called with each webhook in the order of Received, before the
	// answer is sent; nil calls nothing.
	Observe func(ReceivedHook)
}

// Receiver is an https server on loopback that accepts webhooks, verifies them and shows them: as
// JSON at URL + "/received", as a page at its root.
type Receiver struct {
	config  ReceiverConfig
	path    string
	log     *hookLog
	server  *http.Server
	closing context.CancelFunc
	stopped chan struct{}

	mu    sync.Mutex
	state receiverState
}

// receiverState is the content of receiver.json.
type receiverState struct {
	Port    int      `json:"port"`
	Secrets []string `json:"secrets"` // newest first
}

// StartReceiver opens the port (that of the last run, like StartMailServer) and reads the webhooks
// of the last run. It runs until Close or until ctx is done.
func StartReceiver(ctx context.Context, config ReceiverConfig) (*Receiver, error) {
	if config.Verify == nil {
		return nil, errors.New("start receiver: Verify is missing")
	}
	config.setDefaults()
	if err := os.MkdirAll(config.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make sandbox folder: %w", err)
	}
	r := &Receiver{config: config, path: filepath.Join(config.Dir, receiverStateFile), stopped: make(chan struct{})}
	if err := readState(r.path, &r.state); err != nil {
		return nil, err
	}
	listener, err := listenKept(ctx, &r.state.Port, "webhooks")
	if err != nil {
		return nil, err
	}
	if err := r.open(ctx, listener); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return r, nil
}

func (c *ReceiverConfig) setDefaults() {
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Respond == nil {
		c.Respond = func(*ReceivedHook) int { return http.StatusOK }
	}
	if c.Observe == nil {
		c.Observe = func(ReceivedHook) {}
	}
}

// open reads the kept data and starts to serve on the listener.
func (r *Receiver) open(ctx context.Context, listener net.Listener) error {
	certificate, err := serverCertificate(r.config.Dir, r.config.Now())
	if err != nil {
		return err
	}
	if err := r.SetSecret(r.config.Secret); err != nil {
		return err
	}
	if r.log, err = openHookLog(filepath.Join(r.config.Dir, hookLogFile)); err != nil {
		return err
	}
	r.serve(ctx, listener, certificate)
	return nil
}

func (r *Receiver) serve(ctx context.Context, listener net.Listener, certificate tls.Certificate) {
	ctx, r.closing = context.WithCancel(ctx)
	r.server = &http.Server{
		Handler:           r.routes(),
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          slog.NewLogLogger(r.config.Logger.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	go func() {
		defer close(r.stopped)
		if err := r.server.ServeTLS(listener, "", ""); !errors.Is(err, http.ErrServerClosed) {
			r.config.Logger.ErrorContext(ctx, "sandbox receiver stopped", slog.Any("error", err))
		}
	}()
	context.AfterFunc(ctx, func() { r.server.Close() })
}

func (r *Receiver) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+hookPath, r.take)
	mux.HandleFunc("GET "+hookPath+"/received", r.list)
	mux.HandleFunc("GET /{$}", r.page)
	return mux
}

// URL returns the address for webhooks. It stays the same after a restart.
func (r *Receiver) URL() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf("https://%s:%d%s", loopback, r.state.Port, hookPath)
}

// Address returns the address that the receiver listens on.
func (r *Receiver) Address() netip.AddrPort {
	r.mu.Lock()
	defer r.mu.Unlock()
	return addressOf(r.state.Port)
}

// CAFile returns the path of the authority that signed the receiver's certificate, in PEM.
func (r *Receiver) CAFile() string { return filepath.Join(r.config.Dir, caFile) }

// SetSecret adds a signing secret and stores it. A webhook is valid if any of the secrets verifies
// it. Adding a secret again, or an empty one, changes nothing.
func (r *Receiver) SetSecret(secret string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if secret != "" && !slices.Contains(r.state.Secrets, secret) {
		r.state.Secrets = slices.Insert(r.state.Secrets, 0, secret)
	}
	return writeState(r.path, r.state)
}

// Received returns the last 10,000 webhooks, oldest first.
func (r *Receiver) Received() []ReceivedHook { return r.log.list() }

// Close stops the server at once and ends answers that hang. A second call does nothing.
func (r *Receiver) Close() error {
	r.closing()
	err := r.server.Close()
	<-r.stopped
	return errors.Join(err, r.log.close())
}

// take records one webhook, then answers. If the process dies before the record, nothing was
// recorded or answered. If it dies after it and before the answer, the next attempt of the delivery
// arrives.
func (r *Receiver) take(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxHookBytes))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		http.Error(w, "a webhook has at most 1 MiB", http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		http.Error(w, "the body did not arrive", http.StatusBadRequest)
		return
	}
	hook, err := r.log.add(r.examine(request, body), r.config.Observe)
	if err != nil {
		r.config.Logger.ErrorContext(request.Context(), "sandbox cannot record a webhook", slog.Any("error", err))
		http.Error(w, "the webhook could not be recorded", http.StatusInternalServerError)
		return
	}
	r.answer(w, request, hook)
}

func (r *Receiver) examine(request *http.Request, body []byte) ReceivedHook {
	hook := ReceivedHook{
		ReceivedAt: r.config.Now().UTC(),
		DeliveryID: request.Header.Get("X-Service-Delivery"),
		Event:      request.Header.Get("X-Service-Event"),
		Headers:    map[string]string{},
		Body:       string(body),
	}
	for name, values := range request.Header {
		hook.Headers[name] = strings.Join(values, ", ")
	}
	err := r.verify(request.Header.Get("X-Service-Signature"), body, hook.ReceivedAt)
	if hook.SignatureValid = err == nil; err != nil {
		hook.SignatureError = err.Error()
	}
	return hook
}

// verify tries every secret and returns the error of the newest one.
func (r *Receiver) verify(header string, body []byte, now time.Time) error {
	r.mu.Lock()
	secrets := slices.Clone(r.state.Secrets)
	r.mu.Unlock()
	var first error
	for _, secret := range secrets {
		err := r.config.Verify(secret, header, body, now)
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	if first == nil {
		return errors.New("the receiver has no secret yet")
	}
	return first
}

func (r *Receiver) answer(w http.ResponseWriter, request *http.Request, hook ReceivedHook) {
	status := r.config.Respond(&hook)
	if status == Hang {
		// The context ends when the client closes the connection or the receiver is closed.
		<-request.Context().Done()
		return
	}
	if status >= 300 && status < 400 {
		w.Header().Set("Location", "/elsewhere")
	}
	w.WriteHeader(status)
}
