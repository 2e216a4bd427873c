package outbox

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"outreach/jobs/queue"
	"outreach/storage"
)

// front is the head of one subscription's deliveries to one host: how many are in progress, and the
// free ones, longest due first.
type front struct {
	lane    lane
	carried int
	free    []uuid.UUID
	due     []time.Time // due times of the free ones
}

// lane is one workspace at one host, with all of its subscriptions there.
type lane struct {
	workspace uuid.UUID
	host      string
}

// candidate is a free delivery. Its place counts first within its subscription and host, then
// within its lane, then within its workspace.
type candidate struct {
	id    uuid.UUID
	lane  lane
	due   time.Time
	place int
}

// admit chooses what is handed out. Each lane, each host and each workspace takes turns up to its
// bound: those with the fewest deliveries in progress first, then those with the longest due ones.
//
// More retries may be due at once than a workspace has room for at a host. The workers send them
// back, so they do not count against others.
func admit(fronts []front, bounds queue.Admission) []candidate {
	lanes, hosts, workspaces := roomOf[lane](bounds.PerLane), roomOf[string](bounds.PerHost), roomOf[uuid.UUID](bounds.PerWorkspace)
	for _, f := range fronts {
		lanes.taken[f.lane] += f.carried
	}
	all := roomOf[struct{}](bounds.Total)
	for l, carried := range lanes.taken {
		carried = min(carried, bounds.PerLane)
		hosts.taken[l.host] += carried
		workspaces.taken[l.workspace] += carried
		all.taken[struct{}{}] += carried
	}
	free := takeTurns(candidates(fronts, lanes), func(c *candidate) bool { return lanes.enter(c.lane, &c.place) })
	free = takeTurns(free, func(c *candidate) bool {
		var inHost int
		return hosts.enter(c.lane.host, &inHost) && workspaces.enter(c.lane.workspace, &c.place)
	})
	return takeTurns(free, func(c *candidate) bool { return all.enter(struct{}{}, &c.place) })
}

// candidates returns the deliveries that fit into their lane if the lane came first.
func candidates(fronts []front, lanes room[lane]) (free []candidate) {
	for _, f := range fronts {
		for i := range min(len(f.free), max(lanes.most-lanes.taken[f.lane], 0)) {
			free = append(free, candidate{id: f.free[i], lane: f.lane, due: f.due[i], place: f.carried + i + 1})
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
