package mail

import (
	"strings"
	"testing"
)

func TestRewriteLinks(t *testing.T) {
	t.Parallel()
	const skip = "https://t.example/u/1"
	tests := []struct {
		in, want string
		n        int
	}{
		{`<a href="https://x.y/?a=1&amp;b=2">x</a>`, `<a href="T(https://x.y/?a=1&amp;b=2)">x</a>`, 1},
		{`<A HREF=http://x.y>x</A>`, `<a href="T(http://x.y)">x</A>`, 1},
		{`<a class="b" href=' HTTPS://X.y ' title="t">`, `<a class="b" href="T(HTTPS://X.y)" title="t">`, 1},
		{`<map><area href="https://x.y"></map>`, `<map><area href="T(https://x.y)"></map>`, 1},
		{`<a href="mailto:a@b.c">`, `<a href="mailto:a@b.c">`, 0},
		{`<a href="#top"><a href="/rel"><a href=""><a name="x"><a href="tel:1"><a href="javascript:x()">`,
			`<a href="#top"><a href="/rel"><a href=""><a name="x"><a href="tel:1"><a href="javascript:x()">`, 0},
		{`<a href="` + skip + `">out</a>`, `<a href="` + skip + `">out</a>`, 0},
		{`<img src="https://x.y/i.png"><link href="https://x.y/c.css">`, `<img src="https://x.y/i.png"><link href="https://x.y/c.css">`, 0},
		{`<!-- <a href="https://x.y"> --><style>a{}</style> https://x.y &amp; <p>un<b>closed`,
			`<!-- <a href="https://x.y"> --><style>a{}</style> https://x.y &amp; <p>un<b>closed`, 0},
		{`<a href="https://a.b" href="https://c.d">`, `<a href="T(https://a.b)">`, 1},
		{`plain`, `plain`, 0},
		{``, ``, 0},
	}
	for _, test := range tests {
		got, n := RewriteLinks(test.in, func(u string) string {
			if u == skip {
				return u
			}
			return "T(" + u + ")"
		})
		if got != test.want || n != test.n {
			t.Errorf("%s\n got %s (%d)\nwant %s (%d)", test.in, got, n, test.want, test.n)
		}
	}
}

func TestRewriteTextLinks(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"See https://x.y/a?b=1&c=2#d.":                            "See T(https://x.y/a?b=1&c=2#d).",
		"(https://x.y/a_(b)) <http://x.y/>, more":                 "(T(https://x.y/a_(b))) <T(http://x.y/)>, more",
		"https://x.y\r\nHTTPS://X.Y/z":                            "T(https://x.y)\r\nT(HTTPS://X.Y/z)",
		"https://bücher.example/ü":                                "T(https://bücher.example/ü)",
		"a@b.example www.x.y mailto:a@b.c ftp://x.y https:// ://": "a@b.example www.x.y mailto:a@b.c ftp://x.y https:// ://",
		"": "",
	} {
		if got := RewriteTextLinks(in, func(u string) string { return "T(" + u + ")" }); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestRewriteLinksEscapesTheTarget(t *testing.T) {
	t.Parallel()
	got, _ := RewriteLinks(`<a href="https://x.y">`, func(string) string { return `https://t/"><script>` })
	if strings.Contains(got, "<script>") {
		t.Fatal(got)
	}
}

func TestInsertPixel(t *testing.T) {
	t.Parallel()
	const pixel = `<img src="https://t/o?a=1&amp;b=2" width="1" height="1" alt="">`
	for in, want := range map[string]string{
		`<html><body>x</BODY></html>`:     `<html><body>x` + pixel + `</BODY></html>`,
		`<p>x</p>`:                        `<p>x</p>` + pixel,
		`<body><!-- </body> -->x</body >`: `<body><!-- </body> -->x` + pixel + `</body >`,
	} {
		if got := InsertPixel(in, "https://t/o?a=1&b=2"); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
