package tracking_test

import (
	"net/http"
	"testing"
	"time"

	"outreach/tracking"
	"outreach/tracking/hit"
)

// Clicks a second through the handler, in groups, against one statement for each
// click with as many visitors at once. Judging is left to another time.
func BenchmarkClicks(b *testing.B) {
	s := openStage(b)
	h := s.house(b, "acme")
	url := s.links(h.host).Click(s.message(b, h), 0, target)
	message := s.message(b, h)
	b.Run("in groups", func(b *testing.B) {
		s.site = tracking.New(tracking.Config{Store: s.Stores, Keyring: s.keys, BaseURL: baseURL, Every: time.Hour})
		defer s.site.Close()
		b.SetParallelism(128)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if got := s.get(url).StatusCode; got != http.StatusFound {
					b.Errorf("status %d", got)
				}
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "clicks/s")
	})
	b.Run("one by one", func(b *testing.B) {
		b.SetParallelism(128)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				known, err := s.RecordClicks(b.Context(),
					[]hit.Click{{Message: message, Host: h.host, URL: target, Visitor: hit.Visitor{Agent: browser, At: time.Now()}}})
				if err != nil || !known[0] {
					b.Error(known, err)
				}
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "clicks/s")
	})
}
