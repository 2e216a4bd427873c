package sandbox

import (
	"crypto/subtle"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
)

// savedAccount is one login in sandbox.json.
type savedAccount struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// accounts are the logins of the mail server; they live in its state file.
type accounts struct {
	path  string
	store *store

	mu        sync.Mutex
	state     mailState
	passwords map[string]string // by folded address
	quirks    map[string]AccountQuirks
}

func newAccounts(path string, state mailState, store *store) *accounts {
	a := &accounts{path: path, store: store, state: state, passwords: map[string]string{}, quirks: map[string]AccountQuirks{}}
	for _, account := range state.Accounts {
		a.passwords[fold(account.Email)] = account.Password
	}
	return a
}

// ensure creates the account with that password unless it exists.
func (a *accounts) ensure(email, password string) error {
	if kept := a.password(email); kept != "" {
		password = kept
	}
	return a.set(email, password)
}

// set creates the account or changes its password. It creates the folders first: a process that
// dies in between leaves folders without a login, and the next call does the rest.
func (a *accounts) set(email, password string) error {
	if !strings.Contains(email, "@") || password == "" {
		return errors.New("a sandbox mailbox needs an address and a password")
	}
	if err := a.store.addBox(email); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.passwords[fold(email)] = password
	a.state.Accounts = nil
	for _, email := range slices.Sorted(maps.Keys(a.passwords)) {
		a.state.Accounts = append(a.state.Accounts, savedAccount{Email: email, Password: a.passwords[email]})
	}
	return writeState(a.path, a.state)
}

// list returns the addresses of all accounts.
func (a *accounts) list() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Sorted(maps.Keys(a.passwords))
}

func (a *accounts) password(email string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.passwords[fold(email)]
}

// login returns the account of a user name and password, false if there is none. A user name with a
// plus part, such as sandbox+7@sandbox.test, is a separate account with the password of the account
// without it. It is created at its first login, so that a test with one login has any number of
// mailboxes.
func (a *accounts) login(username, password string) (email string, ok bool) {
	email = fold(username)
	if known := a.password(email); known != "" {
		return email, equal(known, password)
	}
	base := withoutPlus(email)
	known := a.password(base)
	if base == email || known == "" || !equal(known, password) {
		return "", false
	}
	return email, a.store.addBox(email) == nil
}

func withoutPlus(email string) string {
	local, domain, _ := strings.Cut(email, "@")
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + domain
}

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
