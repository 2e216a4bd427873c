package bench

import (
	"syscall"
	"testing"
	"time"
)

// cpu is what this process has used of the processors so far, the collector of
// garbage included; Postgres is another process.
func cpu(tb testing.TB) time.Duration {
	var used syscall.Rusage
	must(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// cpuRounds alternates both handlers so often that whatever else the machine does
// falls on both.
const cpuRounds = 10

func compareCPU(b *testing.B, target string, calls int) {
	s := bigStage(b)
	for range 2 * calls { // statements prepared, token noted, caches warm
		s.call(b, s.direct, target)
		s.call(b, s.service, target)
	}
	var direct, service time.Duration
	n := 0
	for b.Loop() {
		for range cpuRounds {
			began := cpu(b)
			for range calls {
				s.call(b, s.direct, target)
			}
			middle := cpu(b)
			for range calls {
				s.call(b, s.service, target)
			}
			direct, service = direct+middle-began, service+cpu(b)-middle
			n += calls
		}
	}
	b.ReportMetric(float64(direct.Microseconds())/float64(n), "direct-cpu-µs")
	b.ReportMetric(float64(service.Microseconds())/float64(n), "service-cpu-µs")
	b.ReportMetric(float64(service)/float64(direct), "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkListCPU compares the processor time of a list of 50: at most 1.0 times
// the direct handler's, better 0.7.
func BenchmarkListCPU(b *testing.B) { compareCPU(b, "/prospects?limit=50", 50) }

// BenchmarkSingleCPU compares that of a single resource: at most 1.6 times.
func BenchmarkSingleCPU(b *testing.B) {
	compareCPU(b, "/prospects/70000000-0000-7000-8000-000000000007", 200)
}
