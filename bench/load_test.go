package bench

import (
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"outreach/rest"
)

const connections = 64

// BenchmarkP99 compares the slowest hundredth of lists of 50 at 64 connections
// over loopback (at most 1.3 times the direct handler's), and says how much heap
// the service holds then beyond what it held before (under 60 MB).
func BenchmarkP99(b *testing.B) {
	s := bigStage(b)
	direct, service := listen(b, s.direct), listen(b, s.service)
	load(b, s, direct, 500*time.Millisecond)
	load(b, s, service, 500*time.Millisecond)
	var ratios, directs, services []float64
	var heap float64
	for b.Loop() {
		for range 3 {
			plain := percentile(load(b, s, direct, time.Second))
			before := heapInUse(true)
			peak := watchHeap()
			ours := percentile(load(b, s, service, time.Second))
			heap = max(heap, peak()-before)
			directs, services = append(directs, plain), append(services, ours)
			ratios = append(ratios, ours/plain)
		}
	}
	b.ReportMetric(median(directs), "direct-p99-ms")
	b.ReportMetric(median(services), "service-p99-ms")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(heap, "heap-MB")
	b.ReportMetric(0, "ns/op")
}

func listen(b *testing.B, handler http.Handler) *httptest.Server {
	server := httptest.NewServer(handler)
	b.Cleanup(server.Close)
	return server
}

// load keeps all connections busy for a while and gives how long each call took.
func load(b *testing.B, s *stage, server *httptest.Server, length time.Duration) []time.Duration {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var took []time.Duration
	var all sync.WaitGroup
	end := time.Now().Add(length)
	for range connections {
		all.Go(func() {
			var mine []time.Duration
			for time.Now().Before(end) {
				began := time.Now()
				if err := get(client, server.URL+rest.Base+"/prospects?limit=50", s.bearer); err != nil {
					b.Error(err)
					return
				}
				mine = append(mine, time.Since(began))
			}
			mu.Lock()
			took = append(took, mine...)
			mu.Unlock()
		})
	}
	all.Wait()
	return took
}

func get(client *http.Client, url, bearer string) error {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", bearer)
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

func percentile(took []time.Duration) (milliseconds float64) {
	slices.Sort(took)
	return float64(took[len(took)*99/100].Microseconds()) / 1000
}

func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}

// heapInUse is in MB; fresh asks for it right after a collection.
func heapInUse(fresh bool) float64 {
	if fresh {
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapInuse) / 1e6
}

// watchHeap looks every 20 ms until it is asked for the most that it saw.
func watchHeap() (peak func() float64) {
	stop, result := make(chan struct{}), make(chan float64)
	go func() {
		most := 0.0
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		for {
			most = max(most, heapInUse(false))
			select {
			case <-stop:
				result <- most
				return
			case <-ticker.C:
			}
		}
	}()
	return func() float64 {
		close(stop)
		return <-result
	}
}
