//go:build soak && full

package jobs

import (
	"syscall"
	"testing"

	"outreach/devstack/testdb"
)

// 10,000 webhooks while a master of a cluster is killed, and then another stops to answer
// as a machine without power does.
func TestSoakMastersOfAClusterDie(t *testing.T) {
	newFailover(t, testdb.RedisCluster(t)).delivers(10_000, syscall.SIGKILL, syscall.SIGSTOP)
}

// The same behind sentinels.
func TestSoakMastersOfSentinelsDie(t *testing.T) {
	group := testdb.RedisSentinels(t)
	t.Setenv("SSL_CERT_FILE", group.CAFile)
	newFailover(t, group).delivers(10_000, syscall.SIGKILL, syscall.SIGSTOP)
}
