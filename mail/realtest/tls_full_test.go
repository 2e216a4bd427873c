//go:build full

package realtest

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/mail"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach"
	client "outreach/mail"
)

// writeCertificate writes a certificate for 127.0.0.1 for both servers, and the test the authority
// that signed it.
func (s *servers) writeCertificate() *x509.CertPool {
	s.t.Helper()
	authority, authorityKey := s.certificate("Test authority", nil, nil)
	leaf, key := s.certificate("mx.acme.example", authority, authorityKey)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	must(s.t, err)
	must(s.t, os.WriteFile(s.path("cert.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf.Raw}), 0o644))
	must(s.t, os.WriteFile(s.path("key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
	roots := x509.NewCertPool()
	roots.AddCert(authority)
	return roots
}

// certificate is signed by the parent given; without one it is an authority.
func (s *servers) certificate(name string, parent *x509.Certificate, parentKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
	s.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(s.t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	if parent == nil {
		template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
		parent, parentKey = template, key
	} else {
		template.DNSNames, template.IPAddresses = []string{name}, []net.IP{net.IPv4(127, 0, 0, 1)}
		template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, parentKey)
	must(s.t, err)
	made, err := x509.ParseCertificate(der)
	must(s.t, err)
	return made, key
}

// secured is the login of me at a port.
func (s *servers) secured(port int, security outreach.Security) outreach.MailServer {
	server := s.server(port, me)
	server.Security = security
	return server
}

// Both ways of TLS carry a message to Postfix and from Dovecot when the authority
// is known.
func TestTLSCarriesMail(t *testing.T) { //nolint:paralleltest // each runs servers of its own, one set at a time
	s := startServers(t, freePort(t), me)
	network := loopback
	network.Roots = s.roots
	var got []string
	at := client.Position{}
	for _, way := range []struct {
		security   outreach.Security
		smtp, imap int
	}{{outreach.SecurityStartTLS, s.Submission, s.IMAP}, {outreach.SecurityTLS, s.Submissions, s.IMAPS}} {
		raw := "From: " + me + "\r\nTo: " + me + "\r\nSubject: " + string(way.security) + "\r\n\r\nHello\r\n"
		out, err := client.Send(t.Context(), client.SMTPConfig{Server: s.secured(way.smtp, way.security), Network: network},
			client.Envelope{From: me, To: me}, []byte(raw), func(context.Context) error { return nil })
		must(t, err)
		if out.Status != client.StatusAccepted {
			t.Fatalf("%s: the message was %s: %s", way.security, out.Status, out.Text)
		}
		for deadline := time.Now().Add(time.Minute); len(s.messages(me, "")) < len(got)+1 && time.Now().Before(deadline); {
			time.Sleep(20 * time.Millisecond)
		}
		box, err := client.OpenMailbox(t.Context(), client.IMAPConfig{Server: s.secured(way.imap, way.security), Network: network})
		must(t, err)
		at, err = box.Fetch(t.Context(), client.FolderInbox, at, client.Limits{}, func(in client.Incoming) error {
			got = append(got, subjectOf(t, in.Raw))
			return nil
		})
		box.Close()
		must(t, err)
	}
	if diff := cmp.Diff([]string{"starttls", "tls"}, got); diff != "" {
		t.Errorf("fetched (-want +got):\n%s", diff)
	}
}

func subjectOf(t *testing.T, raw []byte) string {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	must(t, err)
	return m.Header.Get("Subject")
}

// A certificate of another name, or of an unknown authority, is refused with the
// reason, before the password is said.
func TestTLSRefusesOtherCertificates(t *testing.T) { //nolint:paralleltest // each runs servers of its own, one set at a time
	s := startServers(t, freePort(t), me)
	known, unknown := loopback, loopback
	known.Roots, unknown.Roots = s.roots, x509.NewCertPool()
	for name, c := range map[string]struct {
		host    string
		network client.Network
		want    string
	}{
		"another name":      {"localhost", known, "certificate is for another host name"},
		"unknown authority": {"127.0.0.1", unknown, "certificate is not signed by a known authority"},
	} {
		for _, security := range []outreach.Security{outreach.SecurityStartTLS, outreach.SecurityTLS} {
			smtp, imap := s.secured(s.Submission, security), s.secured(s.IMAP, security)
			if security == outreach.SecurityTLS {
				smtp.Port, imap.Port = s.Submissions, s.IMAPS
			}
			smtp.Host, imap.Host = c.host, c.host
			for protocol, err := range map[string]error{
				"smtp": client.CheckSMTP(t.Context(), client.SMTPConfig{Server: smtp, Network: c.network}),
				"imap": client.CheckIMAP(t.Context(), client.IMAPConfig{Server: imap, Network: c.network}),
			} {
				refused, ok := errors.AsType[*client.ServerError](err)
				if !ok || refused.Kind != client.KindTLS || refused.Reason != c.want {
					t.Errorf("%s, %s over %s: %v, want %q", name, protocol, security, err, c.want)
				}
			}
		}
	}
}
