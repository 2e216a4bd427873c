package classify_test

import (
	"encoding/base64"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"outreach/mail/classify"
)

// mutations change how a mail looks and not what it says. Each takes a header and a
// plain body in UTF-8.
var mutations = map[string]func(r *rand.Rand, header, body string) string{
	"wrapped": func(r *rand.Rand, header, body string) string {
		return header + "\n" + wrap(body, 40+r.IntN(40))
	},
	"base64": func(_ *rand.Rand, header, body string) string {
		return header + "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(body)) + "\n"
	},
	"windows-1252": func(_ *rand.Rand, header, body string) string {
		encoded, err := charmap.Windows1252.NewEncoder().String(body)
		if err != nil {
			return header + "\n" + body
		}
		return header + "Content-Type: text/plain; charset=windows-1252\n\n" + encoded
	},
	"html": func(_ *rand.Rand, header, body string) string {
		escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\n", "<br>\n").Replace(body)
		return header + "Content-Type: text/html; charset=utf-8\n\n<html><body><div>" + escaped + "</div></body></html>\n"
	},
	"attachment first": func(_ *rand.Rand, header, body string) string {
		return header + "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=zz\n\n--zz\nContent-Type: image/png; name=logo.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n" +
			"--zz\nContent-Type: text/plain; charset=utf-8\n\n" + body + "\n--zz--\n"
	},
	"footer": func(_ *rand.Rand, header, body string) string {
		return header + "\n" + body + "\n\n-- \nThis e-mail is confidential and meant for its addressee only.\n"
	},
}

func wrap(body string, width int) string {
	var out strings.Builder
	for line := range strings.SplitSeq(body, "\n") {
		column := 0
		for _, word := range strings.Fields(line) {
			if column > 0 && column+1+len(word) > width {
				out.WriteByte('\n')
				column = 0
			}
			if column > 0 {
				out.WriteByte(' ')
				column++
			}
			out.WriteString(word)
			column += len(word)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// However a person's mail is encoded, wrapped and dressed, it does not turn into
// that of a program or into a bounce.
func TestMutationsKeepPeoplePeople(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	files, err := filepath.Glob(filepath.Join(sharedQuotes(), "trimmed", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	bodies := []string{"Yes, I am interested. Please call me on Monday.\n", "Wir haben leider kein Interesse, vielen Dank für Ihre Nachricht.\n",
		"Désolé pour ma réponse tardive, j'étais en congé. Pouvez-vous m'envoyer vos tarifs ?\n", "Was kostet das für zwanzig Personen?\n"}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, string(body))
	}
	const header = "From: Tom <tom@werk.test>\nSubject: Re: Quotes\nMessage-ID: <a@werk.test>\n"
	checked := 0
	for _, body := range bodies {
		plain := read(t, header+"\n"+body).Kind(clock)
		if plain.Class != classify.Reply {
			continue
		}
		for name, mutate := range mutations {
			checked++
			if v := read(t, mutate(r, header, body)).Kind(clock); v.Class != classify.Reply {
				t.Errorf("%s: got %s (%s) for %.200q", name, v.Class, v.Reason, body)
			}
		}
	}
	t.Logf("%d mutated mails", checked)
}

// However a report is dressed, a living address does not become a dead one.
func TestMutationsKeepLivingAlive(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "*.eml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no messages: %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before := read(t, string(raw)).Kind(clock)
		if before.Class == classify.RecipientFault {
			continue
		}
		for name, mutated := range map[string]string{
			"footer":      string(raw) + "\nThis e-mail is confidential.\n",
			"CRLF":        strings.ReplaceAll(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n", "\r\n"),
			"no received": dropFields(string(raw), "Received:", "X-", "DKIM-Signature:"),
			"envelope":    "From x@y.test Fri Nov 20 10:00:00 2026\n" + string(raw),
		} {
			if v := read(t, mutated).Kind(clock); v.Class == classify.RecipientFault {
				t.Errorf("%s, %s: %s became %s (%s)", filepath.Base(file), name, before.Class, v.Class, v.Reason)
			}
		}
	}
}

// dropFields removes header fields of one line.
func dropFields(raw string, names ...string) string {
	head, body, _ := strings.Cut(raw, "\n\n")
	var kept []string
	for line := range strings.SplitSeq(head, "\n") {
		drop := false
		for _, name := range names {
			drop = drop || strings.HasPrefix(line, name)
		}
		if !drop {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n") + "\n\n" + body
}
