package main

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"outreach/storage/stores"
)

// secretsCommand prints how many stored secrets the keys of OUTREACH_SECRET_KEY seal, by which an
// operator sees when a former key can be removed.
func secretsCommand(ctx context.Context, env environment, args []string) error {
	flags := newFlags("secrets")
	asJSON := flags.Bool("json", false, "print one JSON object")
	words, err := parseMixed(flags, args)
	if err != nil {
		return err
	}
	if !slices.Equal(words, []string{"status"}) {
		return errors.New("usage: outreach secrets status [--json]")
	}
	return withStore(ctx, env, func(store *stores.Stores) error {
		counts, err := store.CountSeals(ctx)
		if err != nil {
			return err
		}
		return printResult(env, *asJSON, "first_key", strconv.Itoa(counts.First), "former_keys", strconv.Itoa(counts.Former),
			"no_key", strconv.Itoa(counts.None))
	})
}
