package sandbox

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

const hookLogFile = "received.jsonl"

// maxHooks is how many webhooks the receiver keeps.
const maxHooks = 10_000

// ReceivedHook is one webhook that arrived.
type ReceivedHook struct {
	ReceivedAt     time.Time         `json:"received_at"`
	DeliveryID     string            `json:"delivery_id"` // X-Service-Delivery
	Event          string            `json:"event"`       // X-Service-Event
	SignatureValid bool              `json:"signature_valid"`
	SignatureError string            `json:"signature_error,omitempty"`
	Headers        map[string]string `json:"headers"`
	Body           string            `json:"body"`
	// Attempt counts the webhooks seen with this delivery id, from 1.
	Attempt int `json:"attempt"`
}

// hookLog keeps the last maxHooks webhooks in memory and in a file of JSON lines, which is cut to
// that length when it is opened.
type hookLog struct {
	mu       sync.Mutex
	hooks    []ReceivedHook
	attempts map[string]int // by delivery id, of those remembered
	file     *os.File
}

func openHookLog(path string) (*hookLog, error) {
	l := &hookLog{attempts: map[string]int{}}
	if err := l.load(path); err != nil {
		return nil, fmt.Errorf("read webhook log: %w", err)
	}
	if err := l.rewrite(path); err != nil {
		return nil, err
	}
	var err error
	if l.file, err = os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return nil, fmt.Errorf("open webhook log: %w", err)
	}
	return l, nil
}

// load reads the complete lines. A process that died may have left half a line at the end.
func (l *hookLog) load(path string) error {
	file, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	for reader := bufio.NewReader(file); ; {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var hook ReceivedHook
		if err := json.Unmarshal(line, &hook); err != nil {
			return err
		}
		l.remember(hook)
	}
}

func (l *hookLog) rewrite(path string) error {
	var lines []byte
	for _, hook := range l.hooks {
		line, err := encodeHook(hook)
		if err != nil {
			return err
		}
		lines = append(lines, line...)
	}
	return writePrivate(path, lines)
}

func encodeHook(hook ReceivedHook) ([]byte, error) {
	line, err := json.Marshal(hook)
	if err != nil {
		return nil, fmt.Errorf("encode webhook: %w", err)
	}
	return append(line, '\n'), nil
}

// remember adds a webhook and drops the oldest above maxHooks.
func (l *hookLog) remember(hook ReceivedHook) {
	l.hooks = append(l.hooks, hook)
	l.attempts[hook.DeliveryID] = max(l.attempts[hook.DeliveryID], hook.Attempt)
	if len(l.hooks) <= maxHooks {
		return
	}
	oldest := l.hooks[0]
	l.hooks = l.hooks[1:]
	// Attempts count up, so this was the last kept attempt of its delivery if it has the highest
	// number.
	if l.attempts[oldest.DeliveryID] == oldest.Attempt {
		delete(l.attempts, oldest.DeliveryID)
	}
}

// add numbers, writes and keeps a webhook, and calls the observer, in the same order for all
// webhooks.
func (l *hookLog) add(hook ReceivedHook, observe func(ReceivedHook)) (ReceivedHook, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	hook.Attempt = l.attempts[hook.DeliveryID] + 1
	line, err := encodeHook(hook)
	if err != nil {
		return hook, err
	}
	if _, err := l.file.Write(line); err != nil {
		return hook, fmt.Errorf("write webhook log: %w", err)
	}
	l.remember(hook)
	observe(hook)
	return hook, nil
}

func (l *hookLog) list() []ReceivedHook {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.hooks)
}

func (l *hookLog) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.file.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
