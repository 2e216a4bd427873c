package imapclient_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// converse runs a client against a server which answers its first commands, and
// then the first UID command, with the given bytes.
func converse(t *testing.T, greeting, answer string, run func(c *imapclient.Client) error) error {
	t.Helper()
	clientConn, serverConn := net.Pipe()
	go func() {
		defer serverConn.Close()
		io.WriteString(serverConn, greeting)
		lines := bufio.NewReader(serverConn)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			fields := strings.Fields(line)
			if len(fields) > 1 && fields[1] == "UID" {
				io.WriteString(serverConn, answer)
			}
			fmt.Fprintf(serverConn, "%v OK done\r\n", fields[0])
		}
	}()
	client := imapclient.New(clientConn, nil)
	defer client.Close()

	done := make(chan error, 1)
	go func() { done <- run(client) }()
	select {
	case err := <-done:
		return err
	case <-time.After(30 * time.Second):
		t.Fatal("the client did not come back")
		return nil
	}
}

const hostileGreeting = "* OK [CAPABILITY IMAP4rev1] hello\r\n"

func fetchAll(c *imapclient.Client) error {
	_, err := c.Fetch(imap.UIDSet{{Start: 1}}, &imap.FetchOptions{UID: true}).Collect()
	return err
}

func searchAll(c *imapclient.Client) error {
	_, err := c.UIDSearch(&imap.SearchCriteria{}, nil).Wait()
	return err
}

func TestHostile_refused(t *testing.T) {
	wide := strings.Repeat("a ", 1<<20)
	tests := []struct {
		name   string
		answer string
		want   string
	}{
		{"nested body structure", "* 1 FETCH (BODYSTRUCTURE " + strings.Repeat("(", 1<<16), "max depth"},
		{"endless body structure", "* 1 FETCH (BODYSTRUCTURE " + strings.Repeat("(", 4<<20), "max depth"},
		{"nested message", "* 1 FETCH (BODYSTRUCTURE " + strings.Repeat(`("message" "rfc822" NIL NIL NIL "7bit" 1 (NIL NIL NIL NIL NIL NIL NIL NIL NIL NIL) `, 5000), "max depth"},
		{"nested value", "* 1 FETCH (BODYSTRUCTURE (\"a\" \"b\" NIL NIL NIL \"7bit\" 1 NIL NIL NIL NIL " + strings.Repeat("(", 1<<16), "max depth"},
		{"nested threads", "* THREAD " + strings.Repeat("(", 1<<16), "max depth"},
		{"wide flags", "* 1 FETCH (FLAGS (" + wide + "a) UID 1)\r\n", "max size"},
		{"wide body structure", "* 1 FETCH (BODYSTRUCTURE (" + strings.Repeat(`("a" "b" NIL NIL NIL "7bit" 1)`, 1<<16), "max size"},
		{"long text", "* OK " + strings.Repeat("x", 2<<20) + "\r\n", "max size"},
		{"long atom", "* " + strings.Repeat("x", 2<<20) + "\r\n", "max size"},
		{"long quoted string", `* LIST () "/" "` + strings.Repeat("x", 2<<20) + "\"\r\n", "max size"},
		{"large literal", "* LIST () \"/\" {9223372036854775807}\r\n" + wide, "max size"},
		{"many literals", "* 1 FETCH (ENVELOPE (" + strings.Repeat("{4096}\r\n"+strings.Repeat("x", 4096)+" ", 2) + strings.Repeat(" ", 2<<20), ""},
		{"list as capability", "* CAPABILITY (a)\r\n", "expected"},
		{"long capabilities", "* CAPABILITY " + wide + "\r\n", "max size"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			err := converse(t, hostileGreeting, tc.answer, fetchAll)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("Collect() = %.200v, want an error with %q", err, tc.want)
			}
			if len(err.Error()) > 8<<10 {
				t.Errorf("the error has %v bytes", len(err.Error()))
			}
		})
	}
}

func TestHostile_greeting(t *testing.T) {
	err := converse(t, "* 1 FETCH (BODYSTRUCTURE "+strings.Repeat("(", 4<<20), "", func(c *imapclient.Client) error {
		return c.WaitGreeting()
	})
	if err == nil {
		t.Fatal("WaitGreeting() = nil")
	}
}

// Numbers in descending order took quadratic time.
func TestHostile_order(t *testing.T) {
	const n = 400_000
	var search, searches, fetches, set bytes.Buffer
	search.WriteString("* SEARCH")
	set.WriteString("* ESEARCH (TAG \"T1\") UID ALL 1")
	for i := n; i > 0; i-- {
		fmt.Fprintf(&search, " %v", 2*i)
		fmt.Fprintf(&searches, "* SEARCH %v\r\n", 2*i)
		fmt.Fprintf(&fetches, "* 1 FETCH (UID %v)\r\n", 2*i)
		fmt.Fprintf(&set, ",%v", 2*i+1)
	}
	search.WriteString("\r\n")
	set.WriteString("\r\n")
	tests := []struct {
		name   string
		answer string
		run    func(c *imapclient.Client) error
	}{
		{"one search response", search.String(), searchAll},
		{"many search responses", searches.String(), searchAll},
		{"number set", set.String(), searchAll},
		{"fetch", fetches.String(), fetchAll},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			began := time.Now()
			if err := converse(t, hostileGreeting, tc.answer, tc.run); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}
