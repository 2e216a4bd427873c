package testdb

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
)

// newPool stands for another test process: sessions and a token of its own on
// the server that this process uses.
func newPool(t *testing.T) *pool {
	t.Helper()
	if _, err := shared.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	return poolAt(shared.server.url)
}

func poolAt(url string) *pool {
	return &pool{getenv: func(name string) string { return map[string]string{"DATABASE_URL": url}[name] }}
}

func execute(ctx context.Context, url, sql string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, sql)
	return err
}

func TestUnreachableDatabaseURLFails(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"postgres://127.0.0.1:1/none", "postgres:///none?host=/nowhere", "no address"} {
		_, _, err := poolAt(url).clone(t.Context(), Template{Key: "unused"})
		if err == nil || !strings.Contains(err.Error(), "test database server") {
			t.Errorf("%s: error = %v, want one about the server", url, err)
		}
	}
}

func TestProcessesBuildATemplateOnce(t *testing.T) {
	t.Parallel()
	var builds atomic.Int32
	template := Template{Key: rand.Text(), Build: func(ctx context.Context, url string) error {
		builds.Add(1)
		return execute(ctx, url, "CREATE TABLE whole (n int)")
	}}
	pools := []*pool{newPool(t), newPool(t), newPool(t)}
	var all sync.WaitGroup
	for _, p := range pools {
		all.Go(func() {
			url, name, err := p.clone(t.Context(), template)
			if err != nil {
				t.Error(err)
				return
			}
			if err := execute(t.Context(), url, "INSERT INTO whole VALUES (1)"); err != nil {
				t.Error(err)
			}
			p.drop(name)
		})
	}
	all.Wait()
	if n := builds.Load(); n != 1 {
		t.Errorf("%d builds, want 1", n)
	}
}

func TestHalfBuiltTemplateIsNeverUsed(t *testing.T) {
	t.Parallel()
	broken := errors.New("migration 7 is broken")
	fail := true
	template := Template{Key: rand.Text(), Build: func(ctx context.Context, url string) error {
		if err := execute(ctx, url, "CREATE TABLE half (n int)"); err != nil || !fail {
			return err
		}
		return broken
	}}
	p := newPool(t)
	if _, _, err := p.clone(t.Context(), template); !errors.Is(err, broken) {
		t.Fatalf("error = %v, want the build's", err)
	}
	fail = false
	url, name, err := newPool(t).clone(t.Context(), template)
	if err != nil {
		t.Fatal(err)
	}
	defer shared.drop(name)
	if err := execute(t.Context(), url, "SELECT FROM half"); err != nil {
		t.Error(err)
	}
}

func TestBuilderMayForgetAConnection(t *testing.T) {
	t.Parallel()
	template := Template{Key: rand.Text(), Build: func(ctx context.Context, url string) error {
		_, err := pgx.Connect(ctx, url)
		return err
	}}
	_, name, err := newPool(t).clone(t.Context(), template)
	if err != nil {
		t.Fatal(err)
	}
	shared.drop(name)
}

func TestTemplateThatWasSweptIsBuiltAgain(t *testing.T) {
	t.Parallel()
	template := Template{Key: rand.Text(), Build: func(context.Context, string) error { return nil }}
	p := newPool(t)
	for range 2 {
		_, name, err := p.clone(t.Context(), template)
		if err != nil {
			t.Fatal(err)
		}
		p.drop(name)
		if err := execute(t.Context(), shared.server.url, "DROP DATABASE "+templateName(template.Key)); err != nil {
			t.Fatal(err)
		}
	}
}

// databases counts those with the name.
func databases(t *testing.T, name string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), shared.server.url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_database WHERE datname = $1", name).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func awaitGone(t *testing.T, name string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for databases(t, name) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("%s is still there", name)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

var empty = Template{Key: "empty-1", Build: func(context.Context, string) error { return nil }}

func TestDatabaseIsDroppedAfterItsTest(t *testing.T) {
	t.Parallel()
	var name string
	t.Run("inner", func(t *testing.T) {
		config, err := pgx.ParseConfig(New(t, empty))
		if err != nil {
			t.Fatal(err)
		}
		name = config.Database
		if databases(t, name) != 1 {
			t.Fatalf("%s is not there", name)
		}
		// A connection that the test forgets must not keep it.
		if _, err := pgx.ConnectConfig(t.Context(), config); err != nil {
			t.Fatal(err)
		}
	})
	awaitGone(t, name)
}

func TestSweepTakesWhatDeadProcessesLeftAndNothingElse(t *testing.T) {
	t.Parallel()
	dead, living := newPool(t), newPool(t)
	_, left, err := dead.clone(t.Context(), empty)
	if err != nil {
		t.Fatal(err)
	}
	_, kept, err := living.clone(t.Context(), empty)
	if err != nil {
		t.Fatal(err)
	}
	// The session ends as it does when the process dies, and with it the lock.
	if err := dead.server.conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := newPool(t).open(t.Context()); err != nil { // opening sweeps
		t.Fatal(err)
	}
	awaitGone(t, left)
	if databases(t, kept) != 1 {
		t.Errorf("the sweep took %s, whose process lives", kept)
	}
	living.drop(kept)
}

func TestSweepRules(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	for comment, want := range map[string]bool{
		"": false, "by hand": false,
		fmt.Sprint(now.Add(-templateAge + time.Second).Unix()): false,
		fmt.Sprint(now.Add(-templateAge - time.Second).Unix()): true,
	} {
		if got := isOld(comment, now); got != want {
			t.Errorf("isOld(%q) = %v, want %v", comment, got, want)
		}
	}
	for name, want := range map[string]bool{
		"outreach_test_0000beef_12": true, "outreach_half_0000beef_aa": true,
		"outreach": false, "outreach_tmpl_0000beef": false, "outreach_test_mine": false,
	} {
		if token, ok := ownerOf(name); ok != want || ok && token != 0xbeef {
			t.Errorf("ownerOf(%q) = %x, %v", name, token, ok)
		}
	}
}

func TestWithDatabase(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"postgres://me:pw@host:5433/old?sslmode=require": "postgres://me:pw@host:5433/new?sslmode=require",
		"postgresql:///old?host=/run/pg":                 "postgresql:///new?host=%2Frun%2Fpg",
		"postgres://host/?dbname=old":                    "postgres://host/new",
		"host=/run/pg dbname=old":                        "host=/run/pg dbname=old dbname=new",
	} {
		got := withDatabase(address, "new")
		if got != want {
			t.Errorf("withDatabase(%q) = %q, want %q", address, got, want)
		}
		if config, err := pgx.ParseConfig(got); err != nil || config.Database != "new" {
			t.Errorf("pgx reads %q as %+v, %v", got, config, err)
		}
	}
}

func TestRedisIsEmptyAndApart(t *testing.T) {
	t.Parallel()
	for range 3 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for range 2 {
				t.Run("", func(t *testing.T) { // the second gets a database back
					option, err := options(Redis(t))
					if err != nil {
						t.Fatal(err)
					}
					client := redis.NewClient(option)
					defer func() { _ = client.Close() }()
					if n, err := client.DBSize(t.Context()).Result(); err != nil || n != 0 {
						t.Fatalf("size = %d, %v", n, err)
					}
					if err := client.Set(t.Context(), "key", "value", 0).Err(); err != nil {
						t.Fatal(err)
					}
				})
			}
		})
	}
}

// options reads both forms of address.
func options(address string) (*redis.Options, error) {
	if strings.HasPrefix(address, "redis-socket:") {
		return redis.ParseURL("unix" + strings.TrimPrefix(address, "redis-socket"))
	}
	return redis.ParseURL(address)
}

func TestOwnRedisMayBeKilled(t *testing.T) {
	t.Parallel()
	server := OwnRedis(t, true)
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	option, err := options(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(option)
	defer func() { _ = client.Close() }()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Error(err)
	}
}
