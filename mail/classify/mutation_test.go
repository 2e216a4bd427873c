package classify_test

import (
	"encoding/base64"
	"maps"
	"math/rand/v2"
	"mime/quotedprintable"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"

	"outreach/mail/classify"
)

// mutation changes how a mail looks and not what it says. It takes the header lines
// and the body, both in UTF-8.
type mutation func(r *rand.Rand, header, body string) string

var mutations = map[string]mutation{
	"wrapped": func(r *rand.Rand, header, body string) string {
		return header + utf8Plain + "\n" + wrap(body, 40+r.IntN(40))
	},
	"base64": func(_ *rand.Rand, header, body string) string {
		return header + utf8Plain + "Content-Transfer-Encoding: base64\n\n" + base64Lines(body)
	},
	"quoted-printable": func(_ *rand.Rand, header, body string) string {
		return header + utf8Plain + "Content-Transfer-Encoding: quoted-printable\n\n" + quotedPrintable(body)
	},
	"CRLF": func(_ *rand.Rand, header, body string) string {
		return strings.ReplaceAll(header+utf8Plain+"\n"+body, "\n", "\r\n")
	},
	"character set": func(r *rand.Rand, header, body string) string {
		for _, i := range r.Perm(len(charsets)) {
			if encoded, err := charsets[i].encoding.NewEncoder().String(body); err == nil {
				return header + "Content-Type: text/plain; charset=" + charsets[i].name + "\nContent-Transfer-Encoding: 8bit\n\n" + encoded
			}
		}
		return header + utf8Plain + "\n" + body
	},
	"html": func(_ *rand.Rand, header, body string) string {
		return header + "Content-Type: text/html; charset=utf-8\n\n" + asHTML(body)
	},
	"html first": func(_ *rand.Rand, header, body string) string {
		return header + multipart("alternative", "Content-Type: text/html; charset=utf-8\n\n"+asHTML(body), utf8Plain+"\n"+body)
	},
	"attachment first": func(_ *rand.Rand, header, body string) string {
		return header + multipart("mixed", "Content-Type: image/png; name=logo.png\nContent-Transfer-Encoding: "+
			"base64\n\niVBORw0KGgo=\n", utf8Plain+"\n"+body)
	},
	"footer": func(r *rand.Rand, header, body string) string {
		return header + utf8Plain + "\n" + body + "\n\n" + footers[r.IntN(len(footers))] + "\n"
	},
	"few fields": func(_ *rand.Rand, header, body string) string {
		return keepFields(header, "From:", "Subject:") + utf8Plain + "\n" + body
	},
	"more fields": func(_ *rand.Rand, header, body string) string {
		return "Received: from mx.werk.test (mx.werk.test [192.0.2.7]) by in.us.test; Fri, 20 Nov 2026 10:00:00 +0000\n" +
			"X-Mailer: Mail 16.0\nX-Auto-Response-Suppress: None\nAuto-Submitted: no\n" + header + utf8Plain + "\n" + body
	},
	"forwarded": func(_ *rand.Rand, header, body string) string {
		return header + utf8Plain + "\nAs I wrote to your colleague, see below.\n\n-------- Forwarded Message " +
			"--------\nSubject: Quotes\nDate: Thu, 19 Nov 2026 10:00:00 +0000\n" +
			"From: Tom <tom@werk.test>\nTo: Lena <lena@us.test>\n\n" + body
	},
	"blank lines": func(_ *rand.Rand, header, body string) string {
		return header + utf8Plain + "\n\n\n" + strings.ReplaceAll(body, "\n", "\n\n")
	},
}

const utf8Plain = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"

var charsets = []struct {
	name     string
	encoding encoding.Encoding
}{
	{"windows-1252", charmap.Windows1252}, {"iso-8859-2", charmap.ISO8859_2}, {"windows-1250", charmap.Windows1250},
	{"windows-1251", charmap.Windows1251}, {"koi8-r", charmap.KOI8R}, {"windows-1253", charmap.Windows1253},
	{"windows-1254", charmap.Windows1254}, {"windows-1255", charmap.Windows1255}, {"iso-2022-jp", japanese.ISO2022JP},
	{"shift_jis", japanese.ShiftJIS}, {"euc-kr", korean.EUCKR}, {"gb18030", simplifiedchinese.GB18030},
}

// footers are what servers and programs add below a mail.
var footers = []string{
	"-- \nThis e-mail is confidential and meant for its addressee only.",
	"________________________________\nDiese E-Mail kann vertrauliche Informationen enthalten.",
	"Ce message et ses pièces jointes sont confidentiels.",
	"Virus-free. www.scanner.test",
	"[EXTERNAL] This message came from outside.",
	"Please consider the environment before you print this e-mail.",
}

func multipart(kind string, parts ...string) string {
	return "MIME-Version: 1.0\nContent-Type: multipart/" + kind + "; boundary=zz\n\n--zz\n" + strings.Join(parts, "\n--zz\n") + "\n--zz--\n"
}

func asHTML(body string) string {
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\n", "<br>\n").Replace(body)
	return "<html><body><div>" + escaped + "</div></body></html>\n"
}

func base64Lines(body string) string {
	var out strings.Builder
	for all := base64.StdEncoding.EncodeToString([]byte(body)); all != ""; {
		n := min(76, len(all))
		out.WriteString(all[:n] + "\n")
		all = all[n:]
	}
	return out.String()
}

func quotedPrintable(body string) string {
	var out strings.Builder
	w := quotedprintable.NewWriter(&out)
	_, _ = w.Write([]byte(body)) // a strings.Builder takes all
	_ = w.Close()
	return out.String()
}

func wrap(body string, width int) string {
	var out strings.Builder
	for line := range strings.SplitSeq(body, "\n") {
		column := 0
		for _, word := range strings.Fields(line) {
			if column > 0 && column+1+utf8.RuneCountInString(word) > width {
				out.WriteByte('\n')
				column = 0
			}
			if column > 0 {
				out.WriteByte(' ')
				column++
			}
			out.WriteString(word)
			column += utf8.RuneCountInString(word)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// keepFields keeps header fields of one line.
func keepFields(header string, names ...string) string {
	var kept strings.Builder
	for line := range strings.Lines(header) {
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(line, name) }) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// peoplesMails are the bodies by people of all sets, with their subjects.
func peoplesMails(t testing.TB) (all [][2]string) {
	t.Helper()
	for _, dir := range []string{"tuning", "fresh"} {
		for _, row := range lines(t, filepath.Join("testdata", dir, "people.tsv"), 3) {
			all = append(all, [2]string{row[1], row[2] + "\n"})
		}
		for _, row := range lines(t, filepath.Join("testdata", dir, "interest.tsv"), 3) {
			all = append(all, [2]string{"Re: Offer", row[2] + "\n"})
		}
	}
	files, err := filepath.Glob(filepath.Join(sharedQuotes(), "trimmed", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, [2]string{"Re: Quotes", string(body)})
	}
	return all
}

// mutatePeople fails for each mail of a person that turns into that of a program or
// into a report when it is mutated. It takes rounds mails by chance, all for 0.
func mutatePeople(t *testing.T, seed uint64, rounds int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	mails := peoplesMails(t)
	r.Shuffle(len(mails), func(i, j int) { mails[i], mails[j] = mails[j], mails[i] })
	if rounds > 0 {
		mails = mails[:min(rounds, len(mails))]
	}
	checked := 0
	for _, mail := range mails {
		header := "From: Tom <tom@werk.test>\nTo: lena@us.test\nSubject: " + mail[0] +
			"\nDate: Fri, 20 Nov 2026 10:00:00 +0000\nMessage-ID: <a@werk.test>\nX-Mailer: Mail\n"
		plain := read(t, header+utf8Plain+"\n"+mail[1]).Kind(clock)
		if plain.Class != classify.Reply {
			continue // the tests of the sets check what it is taken for
		}
		for _, name := range slices.Sorted(maps.Keys(mutations)) {
			checked++
			if v := read(t, mutations[name](r, header, mail[1])).Kind(clock); v.Class != classify.Reply {
				t.Errorf("seed %d, %s: got %s (%s) for %.300q", seed, name, v.Class, v.Reason, mail[1])
			}
		}
	}
	if checked == 0 {
		t.Error("no mail was checked")
	}
	t.Logf("%d mutated mails", checked)
}

// reportMutations change how a report looks.
var reportMutations = map[string]func(raw string) string{
	"footer": func(raw string) string { return raw + "\nThis e-mail is confidential.\n" },
	"CRLF": func(raw string) string {
		return strings.ReplaceAll(strings.ReplaceAll(raw, "\r\n", "\n"), "\n", "\r\n")
	},
	"LF":          func(raw string) string { return strings.ReplaceAll(raw, "\r\n", "\n") },
	"no received": func(raw string) string { return dropFields(raw, "Received:", "X-", "DKIM-Signature:") },
	"few fields": func(raw string) string {
		return dropFields(raw, "Return-Path:", "Auto-Submitted:", "Precedence:", "X-")
	},
	"envelope": func(raw string) string { return "From x@y.test Fri Nov 20 10:00:00 2026\n" + raw },
	"forwarded": func(raw string) string {
		_, body, _ := strings.Cut(strings.ReplaceAll(raw, "\r\n", "\n"), "\n\n")
		return "From: Tom <tom@werk.test>\nSubject: Fwd: your mail\n" + utf8Plain +
			"\nThis is what I got, can you help?\n\n---------- Forwarded message ---------\nFrom: " +
			"postmaster@werk.test\nSubject: your mail\n\n" + body
	},
	"as attachment": func(raw string) string {
		return "From: Tom <tom@werk.test>\nSubject: Fwd: your mail\n" +
			multipart("mixed", utf8Plain+"\nThis is what I got, can you help?\n",
				"Content-Type: message/rfc822\nContent-Disposition: attachment\n\n"+raw)
	},
	"no original": func(raw string) string {
		at := strings.LastIndex(raw, "\nContent-Type: message/rfc822")
		if at < 0 {
			return raw
		}
		return raw[:at]
	},
}

// mutateReports fails for each report on a living address, and each delay, that turns
// into one on a dead address.
func mutateReports(t *testing.T, dirs ...string) {
	t.Helper()
	checked := 0
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.eml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			before := read(t, string(raw)).Kind(clock)
			if before.Class == classify.RecipientFault && !before.Delayed {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(reportMutations)) {
				checked++
				if v := read(t, reportMutations[name](string(raw))).Kind(clock); v.Class == classify.RecipientFault && !v.Delayed {
					t.Errorf("%s, %s: %s became %s (%s)", filepath.Base(file), name, before.Class, v.Class, v.Reason)
				}
			}
		}
	}
	if checked == 0 {
		t.Error("no report was checked")
	}
	t.Logf("%d mutated reports", checked)
}

// However a person's mail is encoded, wrapped and dressed, it does not turn into
// that of a program or into a bounce. TestSoakMutations takes every mail.
func TestMutationsKeepPeoplePeople(t *testing.T) {
	t.Parallel()
	mutatePeople(t, 1, 150)
}

// However a report is dressed, a living address does not become a dead one.
func TestMutationsKeepLivingAlive(t *testing.T) {
	t.Parallel()
	mutateReports(t, "testdata", filepath.Join("testdata", "delays"))
}

// FuzzMutatedReports joins parts of reports by chance: judging comes to an end, and a
// report that says "delayed" for every recipient is never final.
//
//	go test ./mail/classify -run '^$' -fuzz FuzzMutatedReports -fuzztime 30s
func FuzzMutatedReports(f *testing.F) {
	files, err := filepath.Glob("testdata/delays/*.eml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	var seeds []string
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(raw))
		f.Add(len(seeds)-1, 0, len(raw), "")
		f.Add(len(seeds)-1, len(raw)/3, 40, "\n\n--\nThis is a footer.\n")
	}
	f.Fuzz(func(t *testing.T, which, at, length int, added string) {
		raw := seeds[abs(which)%len(seeds)]
		at = abs(at) % (len(raw) + 1)
		end := min(len(raw), at+abs(length)%(len(raw)+1))
		mutated := raw[:at] + added + raw[end:]
		v := read(t, mutated).Kind(clock)
		if v.Class == "" || v.Reason == "" {
			t.Errorf("an incomplete verdict: %+v", v)
		}
		for _, r := range v.Recipients {
			if r.Action == "delayed" && !r.Delayed {
				t.Errorf("recipient %s is delayed and counts as final", r.Address)
			}
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

// dropFields removes header fields of one line.
func dropFields(raw string, names ...string) string {
	head, body, _ := strings.Cut(raw, "\n\n")
	var kept []string
	for line := range strings.SplitSeq(head, "\n") {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(line, name) }) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n") + "\n\n" + body
}

// Below a header block and our own text, an opt-out counts in every language, and it
// is left to stand in the text that is shown.
func TestOptOutBelowAQuotationInEveryLanguage(t *testing.T) {
	t.Parallel()
	const head = "-----Original Message-----\nFrom: Lena <l@us.test>\nSent: Tuesday, 17 November 2026\nTo: Tom\nSubject: Quotes\n\n"
	seen := 0
	for _, row := range lines(t, filepath.Join("testdata", "tuning", "interest.tsv"), 3) {
		if row[1] != "optout" {
			continue
		}
		seen++
		for place, text := range map[string]string{"below": head + sentText + "\n" + row[2], "above": row[2] + "\n\n" + head + sentText} {
			a := read(t, "From: Ann <ann@nord.example>\nSubject: Re: Quotes\n"+utf8Plain+"\n"+text).Answer(clock, classify.Sent{Text: sentText})
			if a.Class != classify.Reply || !a.OptOut || a.Interest != classify.Negative {
				t.Errorf("%s, %s: %s, opt-out %v, %s (%s), want a reply that opts out: %q", row[0], place, a.Class, a.OptOut,
					a.Interest, a.InterestReason, row[2])
			}
		}
	}
	if seen < 23 {
		t.Errorf("%d opt-outs, want one for each of 23 languages", seen)
	}
}
