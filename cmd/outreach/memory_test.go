package main

import (
	"io/fs"
	"testing"
)

func TestMemoryLimitFollowsTheContainer(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for _, test := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"no container", nil, memoryLimit},
		{"no limit", map[string]string{"/sys/fs/cgroup/memory.max": "max\n"}, memoryLimit},
		{"cgroup v2", map[string]string{"/sys/fs/cgroup/memory.max": "268435456\n"}, 256 * mib / 100 * 90},
		{"cgroup v1", map[string]string{"/sys/fs/cgroup/memory/memory.limit_in_bytes": "268435456\n"}, 256 * mib / 100 * 90},
		{"cgroup v1 without limit", map[string]string{"/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, memoryLimit},
		{"larger than our own", map[string]string{"/sys/fs/cgroup/memory.max": "8589934592\n"}, memoryLimit},
		{
			"of a parent group",
			map[string]string{
				"/proc/self/cgroup":                                       "0::/system.slice/outreach.service\n",
				"/sys/fs/cgroup/system.slice/memory.max":                  "134217728\n",
				"/sys/fs/cgroup/system.slice/outreach.service/memory.max": "max\n",
			},
			128 * mib / 100 * 90,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			read := func(name string) ([]byte, error) {
				text, found := test.files[name]
				if !found {
					return nil, fs.ErrNotExist
				}
				return []byte(text), nil
			}
			if got := softLimit(containerLimit(read)); got != test.want {
				t.Errorf("limit = %d, want %d", got, test.want)
			}
		})
	}
}
