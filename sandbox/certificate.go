package sandbox

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// The files of the receiver's authority and of the certificate that it signed.
const (
	caFile      = "ca.pem"
	caKeyFile   = "ca.key"
	leafFile    = "receiver.pem"
	leafKeyFile = "receiver.key"
)

const (
	caLife   = 10 * 365 * 24 * time.Hour
	leafLife = 365 * 24 * time.Hour
	// renewBefore is how early a certificate is replaced, because both are checked only when the
	// receiver starts.
	renewBefore = 30 * 24 * time.Hour
)

// authority signs the receiver's certificate. Its certificates are valid for loopback only, so that
// it is safe to trust it.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// serverCertificate reads the certificate in dir, and makes what is missing, unreadable or about to
// expire. A new authority needs a new certificate.
func serverCertificate(dir string, now time.Time) (tls.Certificate, error) {
	ca, err := readAuthority(dir, now)
	if err != nil {
		if ca, err = newAuthority(dir, now); err != nil {
			return tls.Certificate{}, fmt.Errorf("make certificate authority: %w", err)
		}
	}
	leaf, err := tls.LoadX509KeyPair(filepath.Join(dir, leafFile), filepath.Join(dir, leafKeyFile))
	if err == nil && fresh(leaf.Leaf, now) && leaf.Leaf.CheckSignatureFrom(ca.certificate) == nil {
		return leaf, nil
	}
	if leaf, err = ca.issue(dir, now); err != nil {
		return tls.Certificate{}, fmt.Errorf("issue certificate: %w", err)
	}
	return leaf, nil
}

func fresh(c *x509.Certificate, now time.Time) bool {
	return !now.Before(c.NotBefore) && now.Add(renewBefore).Before(c.NotAfter)
}

var errStale = errors.New("certificate has expired or will expire soon")

func readAuthority(dir string, now time.Time) (authority, error) {
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, caFile), filepath.Join(dir, caKeyFile))
	if err != nil {
		return authority{}, err
	}
	key, ok := pair.PrivateKey.(*ecdsa.PrivateKey)
	if !ok || !fresh(pair.Leaf, now) {
		return authority{}, errStale
	}
	return authority{certificate: pair.Leaf, key: key}, nil
}

func newAuthority(dir string, now time.Time) (authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return authority{}, err
	}
	template := certificateTemplate("Outreach sandbox authority", now, caLife)
	template.IsCA, template.BasicConstraintsValid, template.MaxPathLenZero = true, true, true
	template.KeyUsage = x509.KeyUsageCertSign
	template.PermittedDNSDomainsCritical = true
	template.PermittedDNSDomains = []string{"localhost"}
	template.PermittedIPRanges = []*net.IPNet{
		{IP: net.IPv4(127, 0, 0, 0).To4(), Mask: net.CIDRMask(8, 32)},
		{IP: net.IPv6loopback, Mask: net.CIDRMask(128, 128)},
	}
	ca := authority{certificate: template, key: key}
	pair, err := ca.sign(template, key, dir, caFile, caKeyFile)
	if err != nil {
		return authority{}, err
	}
	ca.certificate = pair.Leaf
	return ca, nil
}

func (ca authority) issue(dir string, now time.Time) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := certificateTemplate("Outreach sandbox receiver", now, leafLife)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	template.DNSNames = []string{"localhost"}
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	return ca.sign(template, key, dir, leafFile, leafKeyFile)
}

func certificateTemplate(name string, now time.Time, life time.Duration) *x509.Certificate {
	// 127 bits keep the serial number positive (RFC 5280, section 4.1.2.2).
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    now.Add(-time.Hour), // clocks may differ
		NotAfter:     now.Add(life),
	}
}

// sign makes the certificate and writes it with its key. If the process dies between the two files,
// the pair does not load and is made again.
func (ca authority) sign(template *x509.Certificate, key *ecdsa.PrivateKey, dir, certificateName, keyName string) (tls.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, ca.certificate, &key.PublicKey, ca.key)
	if err != nil {
		return tls.Certificate{}, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return tls.Certificate{}, err
	}
	certificatePEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
	if err := writePrivate(filepath.Join(dir, keyName), keyPEM); err != nil {
		return tls.Certificate{}, err
	}
	path := filepath.Join(dir, certificateName)
	if err := writePrivate(path, certificatePEM); err != nil {
		return tls.Certificate{}, err
	}
	// A certificate is public: every program that trusts it must be able to read it.
	if err := os.Chmod(path, fs.FileMode(0o644)); err != nil {
		return tls.Certificate{}, fmt.Errorf("open certificate to readers: %w", err)
	}
	return tls.X509KeyPair(certificatePEM, keyPEM)
}
