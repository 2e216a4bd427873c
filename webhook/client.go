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

// UserAgent is the default User-Agent; its number is the version of the format.
const UserAgent = "Service-Webhook/1"

// AttemptTimeout is the longest that one attempt takes, DNS included.
const AttemptTimeout = 10 * time.Second

// ClientConfig configures a Client; only Policy is required.
type ClientConfig struct {
	Policy *Policy
	// Roots are the certificate authorities of receivers; nil: the system's. LoadRoots adds the
	// operator's file to the system's.
	Roots *x509.CertPool
	// Timeout bounds one attempt; AttemptTimeout when zero.
	Timeout time.Duration
	// MaxConnsPerHost limits the connections to one host and port; zero means no limit. An attempt
	// that waits for a connection uses up its own time, so the caller should limit attempts too.
	MaxConnsPerHost int
	// MaxIdleConnsPerHost is how many connections to one host and port stay open between attempts;
	// 512 when zero. A number below the concurrent attempts costs most of them a handshake.
	MaxIdleConnsPerHost int
	// UserAgent replaces the User-Agent header; the constant when empty.
	UserAgent string
}

// Client makes delivery attempts. It is safe for concurrent use and shares connections; one per
// process is enough.
type Client struct {
	policy    *Policy
	transport *http.Transport
	timeout   time.Duration
	userAgent string
}

// Request is one attempt of one delivery.
type Request struct {
	URL        string // as frozen with the delivery
	EventType  outreach.EventType
	DeliveryID uuid.UUID
	Secret     string // the current one; used for the signature and not kept
	Body       []byte // as Encode made it
	At         time.Time
}

// Result is the result of one attempt. It succeeded if Error is nil, which is so if HTTPStatus is
// 2xx. HTTPStatus is nil if no status line and headers arrived. Error is one of the Error
// constants, or "http " and the status, and may be shown to the customer.
type Result struct {
	HTTPStatus *int
	Error      *string
	StartedAt  time.Time
	Duration   time.Duration
}

// Interrupted reports whether the attempt ended early because the caller's context was cancelled;
// a passed deadline of the caller counts as a timeout. The endpoint may have received the request,
// so this does not count as an attempt.
func (r Result) Interrupted() bool { return r.Error != nil && *r.Error == ErrorInterrupted }

// NewClient returns a client that checks every connection with config.Policy.
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

// LoadRoots returns the system's certificate authorities and those of a PEM file; with an empty
// name, only the system's.
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

// newTransport reads no proxy from the environment and dials only through the policy. http.Client
// is configured not to follow redirects.
func newTransport(config ClientConfig) *http.Transport {
	return &http.Transport{
		Proxy:       nil,
		DialContext: newGuardedDialer(config.Policy, config.Timeout).DialContext,
		TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12,
			RootCAs:    config.Roots,
			// Retries come a minute apart, often to an endpoint that has closed its connection:
			// resuming halves the cost of the new one.
			ClientSessionCache: tls.NewLRUClientSessionCache(1024),
		},
		TLSHandshakeTimeout: config.Timeout,
		// A custom dialer would otherwise disable HTTP/2. With HTTP/1.1 an unread body costs the
		// connection, with HTTP/2 only its stream.
		ForceAttemptHTTP2:      true,
		HTTP2:                  newHTTP2Config(config),
		DisableCompression:     true, // bodies are not read
		MaxConnsPerHost:        config.MaxConnsPerHost,
		MaxIdleConns:           4096,
		MaxIdleConnsPerHost:    config.MaxIdleConnsPerHost,
		IdleConnTimeout:        90 * time.Second, // longer than the minute between attempts
		MaxResponseHeaderBytes: 64 << 10,         // all informational (1xx) headers together, too
	}
}

// newHTTP2Config limits what an endpoint can send of an unread body, and detects a dead connection
// before the next attempt, a minute later. Idle connections are pinged too, so the interval is not
// shorter than that requires.
func newHTTP2Config(config ClientConfig) *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxReceiveBufferPerStream:     16 << 10,
		MaxReceiveBufferPerConnection: 1 << 20,
		SendPingTimeout:               15 * time.Second,
		PingTimeout:                   5 * time.Second,
		WriteByteTimeout:              config.Timeout,
	}
}

// Post makes one attempt. Failures are reported in its Result. It checks the address again before
// anything is sent. The status line and headers decide the outcome; the body is not read.
//
// If the process dies before Post, the endpoint received nothing; if it dies inside or right
// after, the endpoint may have received the request although the result was not recorded. The
// attempt is then repeated under the same delivery id, which the receiver can recognise.
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

// CloseIdleConnections closes the idle connections.
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
	response.Body.Close() // unread: the body does not affect the outcome
	if response.StatusCode < 100 {
		return 0, errInvalidStatus // net/http takes any three digits
	}
	return response.StatusCode, nil
}

// newRequest resolves and checks the host, and stores the addresses in the request's context for
// the dialer. So the checked addresses are dialled, even if DNS answers differently a moment
// later.
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
