package outbox

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"outreach/jobs/queue"
	"outreach/storage"
)

// front is the head of a lane, which is one subscription's deliveries to one host: how many are in
// progress, and the free ones, longest due first.
type front struct {
	at         queue.WorkspaceHost
	inProgress int
	free       []uuid.UUID
	due        []time.Time // due times of the free ones
}

// candidate is a free delivery. Its place counts first within its lane, then within its workspace at
// the host, then within its workspace.
type candidate struct {
	id    uuid.UUID
	at    queue.WorkspaceHost
	due   time.Time
	place int
}

// admit chooses what is handed out. Each workspace at one host, each host and each workspace takes
// turns up to its bound: those with the fewest deliveries in progress first, then those with the
// longest due ones.
//
// More retries may be due at once than a workspace has room for at a host. The workers send them
// back, so they do not count against others.
func admit(fronts []front, bounds queue.Admission) []candidate {
	pairs := roomOf[queue.WorkspaceHost](bounds.PerWorkspaceHost)
	hosts, workspaces := roomOf[string](bounds.PerHost), roomOf[uuid.UUID](bounds.PerWorkspace)
	for _, f := range fronts {
		pairs.taken[f.at] += f.inProgress
	}
	all := roomOf[struct{}](bounds.Total)
	for at, inProgress := range pairs.taken {
		inProgress = min(inProgress, bounds.PerWorkspaceHost)
		hosts.taken[at.Host] += inProgress
		workspaces.taken[at.WorkspaceID] += inProgress
		all.taken[struct{}{}] += inProgress
	}
	free := takeTurns(candidates(fronts, pairs), func(c *candidate) bool { return pairs.enter(c.at, &c.place) })
	free = takeTurns(free, func(c *candidate) bool {
		var inHost int
		return hosts.enter(c.at.Host, &inHost) && workspaces.enter(c.at.WorkspaceID, &c.place)
	})
	return takeTurns(free, func(c *candidate) bool { return all.enter(struct{}{}, &c.place) })
}

// candidates returns the deliveries of each front that would fit if it came first.
func candidates(fronts []front, pairs room[queue.WorkspaceHost]) (free []candidate) {
	for _, f := range fronts {
		for i := range min(len(f.free), max(pairs.most-pairs.taken[f.at], 0)) {
			free = append(free, candidate{id: f.free[i], at: f.at, due: f.due[i], place: f.inProgress + i + 1})
		}
	}
	return free
}

// takeTurns returns those that may enter, in the order of their places.
func takeTurns(free []candidate, enters func(*candidate) bool) []candidate {
	slices.SortFunc(free, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.place, b.place), a.due.Compare(b.due), storage.CompareIDs(a.id, b.id))
	})
	kept := free[:0]
	for _, c := range free {
		if enters(&c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// room counts what is taken of one bound, by key.
type room[K comparable] struct {
	most  int
	taken map[K]int
}

func roomOf[K comparable](most int) room[K] { return room[K]{most: most, taken: map[K]int{}} }

// enter takes a place and reports whether one was left.
func (r room[K]) enter(key K, place *int) bool {
	if r.taken[key] >= r.most {
		return false
	}
	r.taken[key]++
	*place = r.taken[key]
	return true
}
