package devstack

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the unprivileged user that Postgres runs as when we are root,
// because Postgres refuses to run as root. A nil account means "as ourselves".
type account struct {
	name     string
	uid, gid uint32
}

// serverAccount returns nil for a plain user; for root it returns `postgres` if that user exists,
// else `nobody`.
func serverAccount() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "_postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			return newAccount(u)
		}
	}
	return nil, errors.New("running as root, and Postgres needs a user postgres or nobody, which do not exist")
}

func newAccount(u *user.User) (*account, error) {
	uid, err := strconv.ParseInt(u.Uid, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("read uid of %s: %w", u.Username, err)
	}
	gid, err := strconv.ParseInt(u.Gid, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("read gid of %s: %w", u.Username, err)
	}
	return &account{name: u.Username, uid: uint32(uid), gid: uint32(gid)}, nil
}

// attributes makes a child run as the account, in a session of its own so that
// a Ctrl-C in the terminal does not reach it.
func (a *account) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if a != nil {
		attr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return attr
}

// own makes the account the owner of one of our folders.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	if err := os.Chown(path, int(a.uid), int(a.gid)); err != nil {
		return fmt.Errorf("give %s to %s: %w", path, a.name, err)
	}
	return nil
}

// reaches reports whether the account may enter every folder from the root to path, including path.
// It looks only at the mode bits.
func (a *account) reaches(path string) bool {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	for {
		if !a.enters(target) {
			return false
		}
		parent := filepath.Dir(target)
		if parent == target {
			return true
		}
		target = parent
	}
}

func (a *account) enters(path string) bool {
	if a == nil {
		return true
	}
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	bits := info.Mode().Perm()
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case ok && stat.Uid == a.uid:
		return bits&0o100 != 0
	case ok && stat.Gid == a.gid:
		return bits&0o010 != 0
	default:
		return bits&0o001 != 0
	}
}
