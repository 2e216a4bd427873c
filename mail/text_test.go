package mail

import (
	"strings"
	"testing"
	"time"
)

func TestPlainTextReadsAsWritten(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, page, want string }{
		{"paragraphs", "<p>Hello\n Ann,</p><p>how are <b>you</b>?</p>", "Hello Ann,\n\nhow are you?"},
		{"line breaks", "Me<br>Acme<br/>Bern<br><br>Switzerland", "Me\nAcme\nBern\n\nSwitzerland"},
		{"a link", `<a href="https://x.test/a?b=1&amp;c=2">This page</a> shows it.`, "This page (https://x.test/a?b=1&c=2) shows it."},
		{"a link that is its address", `See <a href="https://x.test/">x.test</a>.`, "See x.test."},
		{"its address without scheme", `<a href="http://x.test/a">HTTPS://x.test/a/</a>`, "HTTPS://x.test/a/"},
		{"within the page", `<a href="#top">top</a>`, "top"},
		{"telephone", `<a href="tel:+49301234">+49 30 1234</a>`, "+49 30 1234"},
		{"script", `<a href="javascript:x()">click</a>`, "click"},
		{"mail to somebody named", `Write to <a href="mailto:ann@x.test?subject=Hi">Ann</a>`, "Write to Ann (ann@x.test)"},
		{"mail address", `<a href="mailto:ann@x.test">ann@x.test</a>`, "ann@x.test"},
		{"a picture in a link", `<a href="https://x.test/"><img src="a.png" alt="Acme"></a>`, "Acme (https://x.test/)"},
		{"a bare picture in a link", `<a href="https://x.test/"><img src="a.png"></a>`, "https://x.test/"},
		{"lists", "<p>Why:</p><ul><li>one<li>two <i>times</i><ol><li>a</li><li>b</li></ol></li></ul><p>End</p>",
			"Why:\n\n- one\n- two times\n  1. a\n  2. b\n\nEnd"},
		{"headings and rules", "<h1>Title</h1>text<hr>more", "Title\n\ntext\n\n---\n\nmore"},
		{"a table", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"},
		{"what is not shown", "<head><title>t</title><style>p{}</style></head><script>x</script><p>seen</p><!-- no -->", "seen"},
		{"entities", "a &amp; b &lt;c&gt;&nbsp;d &euro;", "a & b <c> d €"},
		{"kept white space", "<pre>a\n  b</pre>", "a\n  b"},
		{"no markup", "Just text.", "Just text."},
		{"a quotation", "<blockquote>said</blockquote>answer", "said\n\nanswer"},
		{"divisions", "<div>one</div><div>two</div>", "one\ntwo"},
		{"empty", "<p> </p>", ""},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := PlainText(c.page); got != c.want {
				t.Errorf("PlainText(%s)\n%q, want\n%q", c.page, got, c.want)
			}
		})
	}
}

func TestHasText(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"a", "<p>1</p>", "<b>é</b>", "<style>x</style>y", "日"} {
		if !HasText(page) {
			t.Errorf("%q has no text", page)
		}
	}
	for _, page := range []string{"", " \n", "<p></p>", "<p>&nbsp;&zwnj;\u200b\u2800</p>", "<style>p{}</style>",
		"<!-- x -->", `<img src="a.png" alt="x">`, "<title>x</title>"} {
		if HasText(page) {
			t.Errorf("%q has text", page)
		}
	}
}

func TestPlainTextIsLinear(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"<a href=https://x.test>", "<ul><li>", "<pre>\n", "<p>", "<a href=https://x.test>y</a>", "x ", "<div>"} {
		began := time.Now()
		PlainText(strings.Repeat(part, 1<<20/len(part)))
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s took %v", part, took)
		}
	}
}
