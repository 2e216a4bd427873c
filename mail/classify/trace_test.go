package classify_test

import (
	"testing"

	"outreach/mail/classify"
)

func TestOriginIsWhatTheProviderSays(t *testing.T) {
	t.Parallel()
	small := classify.NewProvider("smtp.post.test", "imap.post.test", "alpenblick.example")
	google := classify.NewProvider("smtp.gmail.com", "imap.gmail.com", "alpenblick.example")
	const fromOutside = "Received: from mail.werk.test (mail.werk.test [203.0.113.9]) by mx.post.test with ESMTP id " +
		"1; Fri, 20 Nov 2026 10:00:00 +0000\n"
	for name, c := range map[string]struct {
		provider classify.Provider
		header   string
		own      bool
		werk     bool // it comes from werk.test
	}{
		"made by the provider": {small, "Received: by mx.post.test (Postfix) id 1; Fri, 20 Nov 2026 10:00:00 +0000\n", true, false},
		"through two of its systems": {small, "Received: from mx.post.test (mx [10.0.0.2]) by store.post.test with LMTP " +
			"id 2\nReceived: by mx.post.test (Postfix) id 1\n", true, false},
		"through its loopback": {small, "Received: from localhost (localhost [127.0.0.1]) by mx.post.test (Postfix)\n", true, false},
		"authenticated": {small, "Authentication-Results: mx.post.test; spf=pass smtp.helo=mail.werk.test; " +
			"dkim=none\n" + fromOutside, false, true},
		"authenticated by DKIM": {small, "Authentication-Results: mx.post.test 1;\n dkim=pass (2048 bit) " +
			"header.d=werk.test header.i=@werk.test\n" + fromOutside, false, true},
		"authenticated by Google": {google, "Received: by 2002:a05:1 with SMTP id x\nReceived: from mail.werk.test " +
			"(mail.werk.test. [203.0.113.9]) by mx.google.com with ESMTPS id y\n" +
			"Authentication-Results: mx.google.com; dkim=pass header.i=@werk.test header.s=a\n", false, true},
		"Google's own notice": {google, "Received: from mail-sor-f69.google.com (mail-sor-f69.google.com. " +
			"[209.85.220.69]) by mx.google.com with SMTPS id y\n" +
			"Authentication-Results: mx.google.com; dkim=pass header.i=@googlemail.com; spf=pass smtp.helo=mail-sor-f69.google.com\n", true, false},

		"nothing is said": {small, "", false, false},
		"from outside":    {small, fromOutside, false, false},
		"failed": {small, "Authentication-Results: mx.post.test; spf=fail smtp.helo=werk.test; " +
			"dkim=fail header.d=werk.test\n" + fromOutside, false, false},
		"a stranger's results": {small, fromOutside + "Authentication-Results: mx.post.test; dkim=pass " +
			"header.d=werk.test\n", false, false},
		"a stranger's server": {small,
			"Authentication-Results: mx.evil.test; dkim=pass header.d=werk.test\n" + fromOutside, false, false},
		"a stranger's below": {small, "Authentication-Results: mx.post.test; dkim=none\n" + fromOutside +
			"Authentication-Results: mx.post.test; dkim=pass header.d=werk.test\n", false, false},
		"a stranger's hop inside": {small, fromOutside + "Received: by mx.post.test (Postfix) id 1\n", false, false},
		"a name that looks like ours": {small, "Received: from mx.post.test (evil.test [203.0.113.66]) by mx.post.test " +
			"with ESMTP id 1\n", false, false},
		"a name without an address": {small, "Received: from mx.post.test by mx.post.test with ESMTP id 1\n", false, false},
		"another server made it":    {small, "Received: by mx.evil.test (Postfix) id 1\n", false, false},
		"a domain that only ends so": {small,
			"Authentication-Results: mx.post.test; dkim=pass header.d=notwerk.test\n" + fromOutside, false, false},
		"words in a comment": {small, "Authentication-Results: mx.post.test; dkim=none (dkim=pass " +
			"header.d=werk.test)\n" + fromOutside, false, false},
		"a provider that checks, faked": {google, "Received: from x (x [203.0.113.66]) by " +
			"mx.evil.test\nAuthentication-Results: mx.evil.test; dkim=pass header.d=werk.test\n", false, false},
	} {
		o := read(t, c.header+"From: MAILER-DAEMON@x.test\nSubject: x\n\nx\n").Origin(c.provider)
		if o.Provider != c.own || o.From("werk.test") != c.werk {
			t.Errorf("%s: provider %v, from werk.test %v (%v), want %v and %v", name, o.Provider, o.From("werk.test"), o.Domains, c.own, c.werk)
		}
	}
}
