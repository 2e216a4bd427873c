// Command generate fills a database with the workspace of the benchmarks, for looking at it by
// hand:
//
//	go run ./bench/generate -database URL -prospects 1000000 -events 2000000
//
// The database must be empty. The command creates the schema first.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach/bench/data"
	"outreach/storage"
)

func main() {
	url := flag.String("database", "", "address of an empty database (postgres://…)")
	prospects := flag.Int("prospects", 100_000, "how many prospects")
	events := flag.Int("events", 200_000, "how many events")
	flag.Parse()
	if err := generate(context.Background(), *url,
		data.Scale{Prospects: *prospects, Events: *events, Schema: storage.SchemaKey()}); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(ctx context.Context, url string, scale data.Scale) error {
	if err := storage.Migrate(ctx, url); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	return data.Fill(ctx, conn, scale, func(what string, took time.Duration) {
		fmt.Printf("%8s  %.100s\n", took.Round(time.Millisecond), what)
	})
}
