package jobs

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// Queue is the name of the queue on the dashboard. On Redis Cluster its tasks are spread over
// Queue-0, Queue-1 and so on, because all keys of one queue lie in one slot on one node.
const Queue = "webhooks"

// clusterQueues is the number of queues on Redis Cluster.
const clusterQueues = 16

// queues are the queues of one Redis.
type queues []string

func queuesOf(client redis.UniversalClient) queues {
	if _, isCluster := client.(*redis.ClusterClient); !isCluster {
		return queues{Queue}
	}
	names := make(queues, clusterQueues)
	for i := range names {
		names[i] = fmt.Sprintf("%s-%d", Queue, i)
	}
	return names
}

// of returns the queue of a workspace. The last bytes of an id are random.
func (q queues) of(workspace uuid.UUID) string {
	return q[int(binary.BigEndian.Uint16(workspace[14:]))%len(q)]
}

// announce adds the queues to asynq's list of queues, which the dashboard reads. The library does
// it once per client, so that a queue would stay invisible after Redis has lost its data.
func (q queues) announce(ctx context.Context, client redis.UniversalClient) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	names := make([]any, len(q))
	for i, name := range q {
		names[i] = name
	}
	return client.SAdd(ctx, "asynq:queues", names...).Err()
}
