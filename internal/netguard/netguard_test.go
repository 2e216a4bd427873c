package netguard

import (
	"errors"
	"net/netip"
	"testing"
)

func TestControlRefusesInnerAddresses(t *testing.T) {
	t.Parallel()
	inner := []string{
		"127.0.0.1:25", "10.1.2.3:25", "172.16.0.1:25", "192.168.1.1:25", "169.254.169.254:80", "100.64.0.1:25", "0.0.0.0:25",
		"168.63.129.16:80", "192.0.2.1:25", "198.18.0.1:25", "224.0.0.1:25", "255.255.255.255:25", "[::1]:25", "[::]:25",
		"[fe80::1%eth0]:25", "[fc00::1]:25", "[::ffff:127.0.0.1]:25", "[64:ff9b::7f00:1]:25", "[64:ff9b:1::1]:25",
		"[2002:7f00:1::]:25", "[2001:db8::1]:25", "[2606:4700::5efe:7f00:1]:25", "[::ffff:0:7f00:1]:25",
	}
	check := New(nil, nil).Control
	for _, address := range inner {
		network := "tcp4"
		if address[0] == '[' {
			network = "tcp6"
		}
		if err := check(network, address, nil); !errors.Is(err, ErrNotAllowed) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"1.1.1.1:587", "8.8.8.8:993"} {
		if err := check("tcp4", address, nil); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	if err := check("tcp6", "[2606:4700::1111]:993", nil); err != nil {
		t.Error(err)
	}
	opened := New([]netip.Prefix{netip.MustParsePrefix("10.9.0.0/16"), netip.MustParsePrefix("::/0")}, nil).Control
	if err := opened("tcp4", "10.9.1.1:25", nil); err != nil {
		t.Error(err)
	}
	for _, address := range []string{"10.8.1.1:25", "127.0.0.1:25"} {
		if err := opened("tcp4", address, nil); err == nil {
			t.Errorf("%s passes through another network's opening", address)
		}
	}
	if err := opened("tcp6", "[64:ff9b::7f00:1]:25", nil); err == nil {
		t.Error("NAT64 was opened")
	}
	single := New(nil, []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:25")}).Control
	for address, allowed := range map[string]bool{"127.0.0.1:25": true, "127.0.0.1:26": false, "127.0.0.2:25": false} {
		if err := single("tcp4", address, nil); (err == nil) != allowed {
			t.Errorf("%s beside one opened server: %v", address, err)
		}
	}
}
