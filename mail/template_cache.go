package mail

import (
	"context"
	"sync"
)

// Renderer renders templates and caches compiled ones, because compiling costs ten times as much
// as rendering. The key is the text of the template. The zero value is ready to use; it is safe
// for concurrent use.
type Renderer struct {
	mu    sync.Mutex
	kept  int // the cost of all that is kept
	ready map[string]*shelf
}

// shelf is the cache of one owner.
type shelf struct {
	kept  int
	ready map[Templates][]*Compiled
}

// The limits of the cache, in all and for one owner. It holds as many copies of a template as were
// in use at once.
const (
	maxKept      = 16 << 20
	maxKeptOwner = 4 << 20
)

// Render is Compiled.Render with cached templates. If an owner has too many templates, those of
// that owner are dropped.
func (r *Renderer) Render(ctx context.Context, owner string, tpl Templates, vars map[string]any) (Rendered, error) {
	c, err := r.Take(owner, tpl)
	if err != nil {
		return Rendered{}, err
	}
	defer r.Put(owner, c)
	return c.Render(ctx, vars)
}

// RenderWithHoles is Compiled.RenderWithHoles, as Render is Compiled.Render.
func (r *Renderer) RenderWithHoles(ctx context.Context, owner string, tpl Templates, vars map[string]any) (Rendered, []string, error) {
	c, err := r.Take(owner, tpl)
	if err != nil {
		return Rendered{}, nil, err
	}
	defer r.Put(owner, c)
	return c.RenderWithHoles(ctx, vars)
}

// Take returns compiled templates for exclusive use, compiling them if necessary.
func (r *Renderer) Take(owner string, tpl Templates) (*Compiled, error) {
	if c := r.TakeReady(owner, tpl); c != nil {
		return c, nil
	}
	return Compile(tpl)
}

// TakeReady is Take for cached templates only; nil for others.
func (r *Renderer) TakeReady(owner string, tpl Templates) *Compiled {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.ready[owner]
	if s == nil || len(s.ready[tpl]) == 0 {
		return nil
	}
	idle := s.ready[tpl]
	c := idle[len(idle)-1]
	s.ready[tpl] = idle[:len(idle)-1]
	s.kept -= c.cost
	r.kept -= c.cost
	return c
}

// Put returns compiled templates to the cache. If an owner has too many, all of theirs are
// dropped; if the cache is full, all are dropped. Templates in use are soon compiled again.
func (r *Renderer) Put(owner string, c *Compiled) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.cost > maxKeptOwner {
		return
	}
	if r.ready == nil || r.kept+c.cost > maxKept {
		r.ready, r.kept = map[string]*shelf{}, 0
	}
	s := r.ready[owner]
	if s == nil || s.kept+c.cost > maxKeptOwner {
		if s != nil {
			r.kept -= s.kept
		}
		s = &shelf{ready: map[Templates][]*Compiled{}}
		r.ready[owner] = s
	}
	s.ready[c.templates] = append(s.ready[c.templates], c)
	s.kept += c.cost
	r.kept += c.cost
}
