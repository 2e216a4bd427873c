package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// UserAgent is what receivers see; its number is the version of the format.
const UserAgent = "Service-Webhook/1"

// AttemptTimeout is the longest that one attempt takes, DNS included.
const AttemptTimeout = 10 * time.Second

// ClientConfig is what a Client is made of; only Policy is required.
type ClientConfig struct {
	Policy *Policy
	// Roots are the authorities a receiver's certificate may come from; nil
	// means the system's. LoadRoots adds the operator's file to those.
	Roots *x509.CertPool
	// Timeout bounds one attempt; AttemptTimeout when zero.
	Timeout time.Duration
	// MaxConnsPerHost caps the connections to one host and port; zero means no
	// cap. An attempt that waits for its turn spends its own time, so a cap
	// belongs to the one who admits attempts, and this only backs it up.
	MaxConnsPerHost int
	// MaxIdleConnsPerHost is how many connections to one host and port stay open
	// between attempts; 512 when zero. Below the number of concurrent attempts
	// it costs a handshake for most of them.
	MaxIdleConnsPerHost int
	// UserAgent replaces the User-Agent header; the constant when empty.
	UserAgent string
}

// Client makes delivery attempts. It is safe for concurrent use and shares
// connections between them; one per process is enough.
type Client struct {
	policy    *Policy
	transport *http.Transport
	timeout   time.Duration
	userAgent string
}

// Request is one attempt at one delivery.
type Request struct {
	URL        string // as it was frozen with the delivery
	EventType  outreach.EventType
	DeliveryID uuid.UUID
	Secret     string // in force now; it is used for the signature and kept nowhere
	Body       []byte // as Encode made it
	At         time.Time
}

// Result says how an attempt went. It was a success when Error is nil, which
// is when HTTPStatus is any 2xx. HTTPStatus is nil when no status line and
// headers arrived. Error is one of a closed set of words, the Error
// constants or "http " and the status, and may be shown to the customer.
type Result struct {
	HTTPStatus *int
	Error      *string
	StartedAt  time.Time
	Duration   time.Duration
}

// Interrupted reports whether the attempt ended early because the caller's context was
// cancelled; a deadline of the caller that passes is a timeout. The endpoint may or may
// not have received the request, so this does not count as an attempt.
func (r Result) Interrupted() bool { return r.Error != nil && *r.Error == ErrorInterrupted }

// NewClient makes a client whose every connection is subject to config.Policy.
func NewClient(config ClientConfig) (*Client, error) {
	if config.Policy == nil {
		return nil, errors.New("webhook client: a policy is required")
	}
	if config.Timeout == 0 {
		config.Timeout = AttemptTimeout
	}
	if config.MaxIdleConnsPerHost == 0 {
		config.MaxIdleConnsPerHost = 512
	}
	if config.UserAgent == "" {
		config.UserAgent = UserAgent
	}
	return &Client{
		policy:    config.Policy,
		transport: newTransport(config),
		timeout:   config.Timeout,
		userAgent: config.UserAgent,
	}, nil
}

// LoadRoots returns the system's certificate authorities together with those of a
// PEM file; an empty name means the system's alone.
func LoadRoots(caFile string) (*x509.CertPool, error) {
	roots, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("load system certificate authorities: %w", err)
	}
	if caFile == "" {
		return roots, nil
	}
	pem, err := os.ReadFile(caFile)
	if err != nil {
		return nil, fmt.Errorf("read certificate authorities: %w", err)
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("read certificate authorities: no certificate in %s", caFile)
	}
	return roots, nil
}

// newTransport never follows a redirect (that is http.Client's doing), reads no
// proxy from the environment and dials through the policy alone.
func newTransport(config ClientConfig) *http.Transport {
	return &http.Transport{
		Proxy:       nil,
		DialContext: newGuardedDialer(config.Policy, config.Timeout).DialContext,
		TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12,
			RootCAs:    config.Roots,
			// Retries come a minute apart, often to an endpoint that has closed
			// its connection: resuming halves what the new one costs.
			ClientSessionCache: tls.NewLRUClientSessionCache(1024),
		},
		TLSHandshakeTimeout: config.Timeout,
		// A custom dialer would otherwise switch HTTP/2 off. With HTTP/1.1 an
		// unread body costs the connection, with HTTP/2 only its stream.
		ForceAttemptHTTP2:      true,
		HTTP2:                  newHTTP2Config(config),
		DisableCompression:     true, // nothing to decompress: bodies are not read
		MaxConnsPerHost:        config.MaxConnsPerHost,
		MaxIdleConns:           4096,
		MaxIdleConnsPerHost:    config.MaxIdleConnsPerHost,
		IdleConnTimeout:        90 * time.Second, // longer than the minute between attempts
		MaxResponseHeaderBytes: 64 << 10,         // all informational (1xx) headers together, too
	}
}

// newHTTP2Config keeps what an endpoint may send of a body that nobody reads
// small, and has a connection that died silently gone before the next attempt
// comes, a minute later. Idle connections are pinged too, so the interval is not
// shorter than that takes.
func newHTTP2Config(config ClientConfig) *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxReceiveBufferPerStream:     16 << 10,
		MaxReceiveBufferPerConnection: 1 << 20,
		SendPingTimeout:               15 * time.Second,
		PingTimeout:                   5 * time.Second,
		WriteByteTimeout:              config.Timeout,
	}
}

// Post makes one attempt and never fails otherwise than in its Result. The
// address is judged again before anything is sent; the outcome is decided by the
// status line and headers, and the body is not read.
//
// If the process dies before Post, the endpoint saw nothing; if it dies inside
// or right after, the endpoint may have had the request although nobody recorded
// it. The attempt then comes again under the same delivery id, by which the
// receiver knows it.
func (c *Client) Post(ctx context.Context, r Request) Result {
	started := time.Now()
	if r.At.IsZero() {
		r.At = started
	}
	attempt, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	status, err := c.roundTrip(attempt, r)
	result := Result{StartedAt: started, Duration: time.Since(started)}
	if status != 0 {
		result.HTTPStatus = &status
	}
	if word := outcome(ctx, attempt, status, err); word != "" {
		result.Error = &word
	}
	return result
}

// CloseIdleConnections closes what no attempt is using.
func (c *Client) CloseIdleConnections() { c.transport.CloseIdleConnections() }

func (c *Client) roundTrip(ctx context.Context, r Request) (status int, err error) {
	request, err := c.newRequest(ctx, r)
	if err != nil {
		return 0, err
	}
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	response.Body.Close() // unread; what it says has no bearing on the outcome
	if response.StatusCode < 100 {
		return 0, errInvalidStatus // net/http takes any three digits
	}
	return response.StatusCode, nil
}

// newRequest resolves and judges the host, and leaves the addresses in the
// request's context for the dialer: what was judged is what gets dialled,
// whatever DNS answers a moment later.
func (c *Client) newRequest(ctx context.Context, r Request) (*http.Request, error) {
	target, h, err := parseURL(r.URL)
	if err != nil {
		return nil, err
	}
	addrs, err := c.policy.resolve(ctx, h)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(withPinned(ctx, addrs), http.MethodPost, target.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, fmt.Errorf("build webhook request: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", c.userAgent)
	request.Header.Set("X-Service-Event", string(r.EventType))
	request.Header.Set("X-Service-Delivery", r.DeliveryID.String())
	request.Header.Set("X-Service-Signature", Sign(r.Secret, r.At, r.Body))
	return request, nil
}

var errInvalidStatus = errors.New("malformed HTTP status")

// outcome returns the error to record; empty for a success.
func outcome(caller, attempt context.Context, status int, err error) string {
	switch {
	case err == nil && status >= 200 && status <= 299:
		return ""
	case err == nil:
		return "http " + strconv.Itoa(status)
	case errors.Is(caller.Err(), context.Canceled):
		return ErrorInterrupted
	case attempt.Err() != nil:
		return ErrorTimeout
	}
	return classify(err)
}
