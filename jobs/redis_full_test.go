//go:build full

package jobs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"outreach/devstack"
	"outreach/internal/testkit"
)

// A worker process delivers over a Redis that speaks nothing but TLS, under an
// authority that the operator names.
func TestDeliveryOverRedisWithTLS(t *testing.T) {
	s := newStage(t)
	dir, port := t.TempDir(), freePort(t)
	certificate, key := authority(t, dir)
	startRedis(t, port, "--port", "0", "--tls-port", port, "--tls-cert-file", certificate, "--tls-key-file", key,
		"--tls-auth-clients", "no", "--save", "", "--dir", dir)
	t.Setenv("SSL_CERT_FILE", certificate)
	s.redis = "rediss://localhost:" + port
	s.deliversOver()
}

// The worker asks a Sentinel where the master is.
func TestDeliveryOverSentinel(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	dir, master, sentinel := t.TempDir(), freePort(t), freePort(t)
	startRedis(t, master, "--port", master, "--bind", "127.0.0.1", "--save", "", "--dir", dir)
	config := filepath.Join(dir, "sentinel.conf")
	s.must(os.WriteFile(config,
		[]byte("port "+sentinel+"\nbind 127.0.0.1\ndir "+dir+"\nsentinel monitor main 127.0.0.1 "+master+" 1\n"), 0o600))
	startRedis(t, sentinel, config, "--sentinel")
	s.redis = "redis-sentinel://127.0.0.1:" + sentinel + "/main"
	s.deliversOver()
}

// deliversOver has a worker process deliver with what is set up.
func (s *stage) deliversOver() {
	s.t.Helper()
	s.queue(s.subscription(s.hook.on("ok", status(http.StatusOK))), 20)
	s.process()
	s.settled()
	if total := s.hook.total(); total != 20 {
		s.t.Errorf("%d requests for 20 deliveries", total)
	}
}

// startRedis runs a server until the test ends and waits for its port.
func startRedis(t *testing.T, port string, args ...string) {
	t.Helper()
	server := exec.Command(devstack.FindRedis(), args...)
	server.Stdout = t.Output()
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(server) })
	for end := time.Now().Add(deadline); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", "localhost:"+port)
		if err == nil {
			conn.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatalf("redis does not listen: %v", err)
		}
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	_, port, err := net.SplitHostPort(testkit.ReserveAddr(t))
	testkit.NoError(t, err)
	return port
}

// authority writes a certificate for localhost that vouches for itself.
func authority(t *testing.T, dir string) (certificate, key string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	must(err)
	sealed, err := x509.MarshalPKCS8PrivateKey(private)
	must(err)
	certificate, key = filepath.Join(dir, "ca.pem"), filepath.Join(dir, "key.pem")
	must(os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	must(os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: sealed}), 0o600))
	return certificate, key
}
