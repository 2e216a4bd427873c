package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestBehindProxies(t *testing.T) {
	t.Parallel()
	var trusted networks
	if err := trusted.UnmarshalText([]byte("10.0.0.0/8,fd00::/8")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"no proxy", "203.0.113.9:1234", nil, "203.0.113.9:1234"},
		{"a visitor who pretends", "203.0.113.9:1234", []string{"198.51.100.1"}, "203.0.113.9:1234"},
		{"one proxy", "10.0.0.1:1234", []string{"198.51.100.1"}, "198.51.100.1:0"},
		{"two proxies", "10.0.0.1:1234", []string{"198.51.100.1, 10.0.0.2"}, "198.51.100.1:0"},
		{"two proxies, two lines", "10.0.0.1:1234", []string{"198.51.100.1", "10.0.0.2"}, "198.51.100.1:0"},
		{"a visitor who pretends to a proxy", "10.0.0.1:1234", []string{"192.0.2.7, 198.51.100.1"}, "198.51.100.1:0"},
		{"IPv6", "[fd00::1]:1234", []string{"2001:db8::7"}, "[2001:db8::7]:0"},
		{"nonsense", "10.0.0.1:1234", []string{"unknown"}, "10.0.0.1:1234"},
		{"nonsense before an address", "10.0.0.1:1234", []string{"x, 198.51.100.1"}, "198.51.100.1:0"},
		{"a proxy that says nothing", "10.0.0.1:1234", nil, "10.0.0.1:1234"},
	} {
		request := httptest.NewRequest(http.MethodGet, "/", nil)
		request.RemoteAddr = c.peer
		for _, line := range c.forwarded {
			request.Header.Add("X-Forwarded-For", line)
		}
		got := ""
		behindProxies(trusted,
			http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RemoteAddr })).ServeHTTP(httptest.NewRecorder(), request)
		if got != c.want {
			t.Errorf("%s: the visitor is %s, want %s", c.name, got, c.want)
		}
	}
}

// An operator who forgot the proxy is told so.
func TestHidesVisitors(t *testing.T) {
	t.Parallel()
	var proxy networks
	if err := proxy.UnmarshalText([]byte("10.0.0.1")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		base    baseURL
		proxies networks
		want    bool
	}{
		{"https://outreach.example.com", nil, true},
		{"https://outreach.example.com", proxy, false},
		{"http://127.0.0.1:8080", nil, false},
	} {
		if got := (Config{BaseURL: c.base, Proxies: c.proxies}).hidesVisitors(); got != c.want {
			t.Errorf("%s behind %v: %v, want %v", c.base, c.proxies, got, c.want)
		}
	}
}
