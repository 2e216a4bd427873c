package testdb

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"outreach/internal/testkit"
)

// authority writes a self-signed certificate for this machine and returns the file names of the
// certificate and its key.
func authority(t testing.TB, dir string) (certificate, key string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	testkit.NoError(t, err)
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	testkit.NoError(t, err)
	sealed, err := x509.MarshalPKCS8PrivateKey(private)
	testkit.NoError(t, err)
	certificate, key = filepath.Join(dir, "ca.pem"), filepath.Join(dir, "key.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	testkit.NoError(t, os.WriteFile(certificate, text, 0o600))
	testkit.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: sealed}), 0o600))
	roots = x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	return certificate, key, roots
}
