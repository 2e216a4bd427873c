package testdb

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Names of databases: outreach_tmpl_<hash of key>, outreach_half_<token>_<hash> while being built,
// and outreach_test_<token>_<number>. The token identifies one test process, which holds an
// advisory lock on it while it runs.
const (
	templatePrefix = "outreach_tmpl_"
	halfPrefix     = "outreach_half_"
	testPrefix     = "outreach_test_"
)

// Classes of advisory locks, the first of the two lock numbers.
const (
	ownerClass = 0x6f757400 // the second number is a process's token
	buildClass = 0x6f757401 // the second number comes from the template's key
)

// templateAge is how long a template is kept after its build.
const templateAge = 24 * time.Hour

// server clones and drops databases over two connections: one that tests wait
// for, and one in the background.
type server struct {
	url   string
	token uint32
	drops chan string

	mu    sync.Mutex
	conn  *pgx.Conn
	count int
	built map[string]bool
}

func openServer(ctx context.Context, address string) (*server, error) {
	conn, err := connect(ctx, address)
	if err != nil {
		return nil, err
	}
	janitor, err := connect(ctx, address)
	if err != nil {
		return nil, err
	}
	s := &server{url: address, token: newToken(), drops: make(chan string, 1024), conn: conn, built: map[string]bool{}}
	// The session holds this lock until the process ends.
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1::int, $2::int)", ownerClass, int32(s.token)); err != nil {
		return nil, fmt.Errorf("take the lock of this process: %w", err)
	}
	go s.clean(janitor)
	return s, nil
}

// connect opens a session and checks the version, because DATABASE_URL may name any server.
func connect(ctx context.Context, address string) (*pgx.Conn, error) {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("reach the test database server: %w", err)
	}
	var version int
	if err := conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return nil, fmt.Errorf("ask for the server's version: %w", err)
	}
	if version < 150000 {
		return nil, fmt.Errorf("the test database server has version %d, older than 15", version/10000)
	}
	return conn, nil
}

func newToken() uint32 {
	var b [4]byte
	_, _ = rand.Read(b[:])
	return binary.BigEndian.Uint32(b[:])
}

// clone makes a database from the template, and builds the template first if it is missing.
func (s *server) clone(ctx context.Context, template Template) (address, name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	name = fmt.Sprintf("%s%08x_%d", testPrefix, s.token, s.count)
	for {
		if err := s.ensure(ctx, template); err != nil {
			return "", "", fmt.Errorf("build template: %w", err)
		}
		err := s.copy(ctx, name, templateName(template.Key))
		if err == nil {
			return withDatabase(s.url, name), name, nil
		}
		// Another process has removed the template in between: build it again.
		if code(err) != "3D000" {
			return "", "", fmt.Errorf("clone template: %w", err)
		}
		delete(s.built, template.Key)
	}
}

// copy clones by files, which for small databases is faster than writing every page to the log. It
// waits until no session uses the template.
func (s *server) copy(ctx context.Context, name, template string) error {
	for {
		_, err := s.conn.Exec(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template+" STRATEGY FILE_COPY")
		if code(err) != "55006" { // object_in_use
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// ensure builds the template unless it exists. Processes that need the same template wait for one
// build. If the builder dies, its lock ends with its session.
func (s *server) ensure(ctx context.Context, template Template) error {
	if s.built[template.Key] {
		return nil
	}
	key := int32(keyHash(template.Key))
	if _, err := s.conn.Exec(ctx, "SELECT pg_advisory_lock($1::int, $2::int)", buildClass, key); err != nil {
		return fmt.Errorf("wait for the builder's lock: %w", err)
	}
	defer func() {
		_, _ = s.conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1::int, $2::int)", buildClass, key)
	}()
	var there bool
	err := s.conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", templateName(template.Key)).Scan(&there)
	if err != nil {
		return fmt.Errorf("look for template: %w", err)
	}
	if !there {
		if err := s.build(ctx, template); err != nil {
			return err
		}
	}
	s.built[template.Key] = true
	return nil
}

// build fills a database under another name and renames it when it is complete, so an existing
// template is complete. A half-built one is removed later.
func (s *server) build(ctx context.Context, template Template) error {
	half := fmt.Sprintf("%s%08x_%08x", halfPrefix, s.token, keyHash(template.Key))
	for _, sql := range []string{"DROP DATABASE IF EXISTS " + half + " WITH (FORCE)", "CREATE DATABASE " + half + " TEMPLATE template0"} {
		if _, err := s.conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("create database: %w", err)
		}
	}
	if err := template.Build(ctx, withDatabase(s.url, half)); err != nil {
		return err
	}
	if _, err := s.conn.Exec(ctx, fmt.Sprintf("COMMENT ON DATABASE %s IS '%d'", half, time.Now().Unix())); err != nil {
		return fmt.Errorf("note the time of the build: %w", err)
	}
	return s.seal(ctx, half, templateName(template.Key))
}

// seal closes the finished database to sessions and gives it its name.
func (s *server) seal(ctx context.Context, half, name string) error {
	if _, err := s.conn.Exec(ctx, "ALTER DATABASE "+half+" ALLOW_CONNECTIONS false"); err != nil {
		return fmt.Errorf("close template: %w", err)
	}
	for {
		_, err := s.conn.Exec(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", half)
		if err != nil {
			return fmt.Errorf("end sessions of template: %w", err)
		}
		_, err = s.conn.Exec(ctx, "ALTER DATABASE "+half+" RENAME TO "+name)
		if err == nil {
			return nil
		}
		if code(err) != "55006" { // object_in_use
			return fmt.Errorf("name template: %w", err)
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

func (s *server) dropLater(name string) { s.drops <- name }

// withDatabase returns the address with another database, for both of the forms
// that libpq knows.
func withDatabase(address, name string) string {
	if u, err := url.Parse(address); err == nil && strings.HasPrefix(u.Scheme, "postgres") {
		query := u.Query()
		query.Del("dbname")
		u.RawQuery, u.Path = query.Encode(), "/"+name
		return u.String()
	}
	return address + " dbname=" + name
}

func templateName(key string) string { return fmt.Sprintf("%s%s", templatePrefix, keyText(key)) }

func keyText(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:10])
}

func keyHash(key string) uint32 {
	sum := sha256.Sum256([]byte(key))
	return binary.BigEndian.Uint32(sum[:4])
}

func code(err error) string {
	var problem *pgconn.PgError
	if errors.As(err, &problem) {
		return problem.Code
	}
	return ""
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("wait for sessions to end: %w", ctx.Err())
	case <-time.After(10 * time.Millisecond):
		return nil
	}
}
