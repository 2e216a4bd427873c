package webhook

import (
	"net/http"
	"testing"
	"time"

	"outreach"
)

func BenchmarkEncodeAndSign(b *testing.B) {
	event := event(outreach.EventSent, outreach.SentMetadata{Step: 1, MessageID: "<m.1@example.com>"})
	at := time.Unix(1700000000, 0)
	b.ReportAllocs()
	for b.Loop() {
		body, err := Encode(event)
		if err != nil {
			b.Fatal(err)
		}
		Sign(vectorSecret, at, body)
	}
}

func BenchmarkCheckURL(b *testing.B) {
	policy := newTestPolicy(everywhere{})
	b.ReportAllocs()
	for b.Loop() {
		if err := policy.CheckURL(b.Context(), "https://hooks.example.com/a/b?c=d"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPost sends to an endpoint on loopback that answers at once; client
// and endpoint share the machine.
func BenchmarkPost(b *testing.B) {
	for _, bench := range []struct {
		name, answer string
		h2           bool
	}{
		{"HTTP2", "ok", true},
		{"HTTP1_no_body", "", false},
		{"HTTP1_unread_body", "ok", false},
	} {
		b.Run(bench.name, func(b *testing.B) {
			url := serve(b, bench.h2, tlsConfig(certificate(nil)), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Write([]byte(bench.answer))
			}))
			client := newTestClient(b, patience, loopbackResolver())
			request := requestTo(url)
			b.ReportAllocs()
			b.SetParallelism(64)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if r := client.Post(b.Context(), request); r.Error != nil {
						b.Error(*r.Error)
					}
				}
			})
		})
	}
}
