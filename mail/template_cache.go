package mail

import "sync"

// Renderer renders templates and keeps what it has compiled, since compiling one
// costs ten times what filling it for a prospect does. It knows a template by its
// text, so that an edited one is another. The zero value is ready; it is safe for
// concurrent use.
type Renderer struct {
	mu    sync.Mutex
	ready map[fieldKey][]*machine
	kept  int // bytes of source that the machines in ready were made from
}

// fieldKey is a field and the text in it.
type fieldKey struct{ name, source string }

// Bounds of what a Renderer keeps, in bytes of source. A compiled template takes
// some ten times as much. As many machines of one template are kept as were at
// work at once, each with its own copy.
const (
	maxKept    = 2 << 20
	maxKeptOne = 64 << 10
)

// take gives a machine for the field that nobody else has.
func (r *Renderer) take(f field) (*machine, error) {
	key := fieldKey{f.name, f.source}
	r.mu.Lock()
	if idle := r.ready[key]; len(idle) > 0 {
		m := idle[len(idle)-1]
		r.ready[key] = idle[:len(idle)-1]
		r.kept -= len(f.source)
		r.mu.Unlock()
		return m, nil
	}
	r.mu.Unlock()
	return compile(f)
}

// put gives a machine back. When there is no room everything goes: what is still
// in use is soon compiled again.
func (r *Renderer) put(m *machine) {
	size := len(m.field.source)
	if size > maxKeptOne {
		return
	}
	m.reset(nil)
	key := fieldKey{m.field.name, m.field.source}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ready == nil || r.kept+size > maxKept || len(r.ready) >= maxKept>>10 {
		r.ready, r.kept = map[fieldKey][]*machine{}, 0
	}
	r.ready[key] = append(r.ready[key], m)
	r.kept += size
}
