package mail

import (
	"net/url"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"mvdan.cc/xurls/v2"
)

// RewriteLinks replaces the address of every link to a web page (a and area with an absolute http
// or https address) by the result of rewrite, and returns the number of changes. A link for which
// rewrite returns the same address, such as the unsubscribe link, is unchanged. The rest of the
// document, including comments, styles and invalid markup, is unchanged byte for byte.
func RewriteLinks(page string, rewrite func(url string) string) (string, int) {
	var out strings.Builder
	changed := 0
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			out.Write(z.Raw())
			return out.String(), changed
		}
		raw := string(z.Raw())
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			if tag, ok := rewriteTag(z.Token(), rewrite); ok {
				raw = tag
				changed++
			}
		}
		out.WriteString(raw)
	}
}

func rewriteTag(tok html.Token, rewrite func(string) string) (string, bool) {
	if tok.DataAtom != atom.A && tok.DataAtom != atom.Area {
		return "", false
	}
	for i, attr := range tok.Attr {
		if attr.Key != "href" {
			continue
		}
		target := strings.TrimSpace(attr.Val)
		if !webAddress(target) {
			return "", false
		}
		to := rewrite(target)
		if to == target || to == "" {
			return "", false
		}
		tok.Attr[i].Val = to
		return tok.String(), true
	}
	return "", false
}

// textLinks matches web addresses with their scheme, without punctuation that ends a sentence or
// closes a bracket. It is a large expression, compiled on first use.
var textLinks = sync.OnceValues(func() (*regexp.Regexp, error) {
	return xurls.StrictMatchingScheme(`(?i:https?://)`)
})

// RewriteTextLinks does the same as RewriteLinks in plain text, for each http or https address.
func RewriteTextLinks(text string, rewrite func(url string) string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	links, err := textLinks()
	if err != nil {
		return text
	}
	return links.ReplaceAllStringFunc(text, func(found string) string {
		if !webAddress(found) {
			return found
		}
		return rewrite(found)
	})
}

func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https"))
}

// InsertPixel puts an invisible image with this address at the end of the body.
func InsertPixel(page, pixelURL string) string {
	return beforeBodyEnd(page, `<img src="`+html.EscapeString(pixelURL)+`" width="1" height="1" alt="">`)
}

// beforeBodyEnd puts a fragment before the last </body>, or at the end of a
// document that has none.
func beforeBodyEnd(page, fragment string) string {
	at, offset := -1, 0
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		length := len(z.Raw())
		if name, _ := z.TagName(); kind == html.EndTagToken && string(name) == "body" {
			at = offset
		}
		offset += length
	}
	if at < 0 {
		return page + fragment
	}
	return page[:at] + fragment + page[at:]
}
