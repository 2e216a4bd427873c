package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"outreach/sandbox"
	"outreach/webhook"
)

// listenCommand runs an https receiver on loopback that verifies each signature and prints each
// event. It prints the values of OUTREACH_WEBHOOK_CA_FILE and OUTREACH_WEBHOOK_ALLOW_NETWORKS with
// which the service can reach it.
func listenCommand(ctx context.Context, env environment, args []string) error {
	flags := newFlags("listen")
	secret := flags.String("secret", env.vars["OUTREACH_LISTEN_SECRET"], "signing secret of the subscription (whsec_…)")
	dir := flags.String("data", "", "folder for certificate and port; by default in the user's cache")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	if *secret != "" && !strings.HasPrefix(*secret, webhook.SecretPrefix) {
		return errors.New("--secret must be the signing secret of a subscription, which begins with " + webhook.SecretPrefix)
	}
	if *dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return errors.New("the cache folder is unknown; set one with --data")
		}
		*dir = filepath.Join(cache, "outreach", "listen")
	}
	receiver, err := sandbox.StartReceiver(ctx, sandbox.ReceiverConfig{Dir: *dir, Secret: *secret, Observe: sandbox.PrintLines(env.stdout),
		Verify: func(secret, header string, body []byte, now time.Time) error {
			return webhook.Verify(secret, header, body, now, verifyTolerance)
		}})
	if err != nil {
		return err
	}
	defer receiver.Close()
	fmt.Fprintf(env.stdout, "listening at %s\nThe service reaches it with\n  OUTREACH_WEBHOOK_CA_FILE=%s\n  "+
		"OUTREACH_WEBHOOK_ALLOW_NETWORKS=127.0.0.1/32\n\n",
		receiver.URL(), receiver.CAFile())
	<-ctx.Done()
	return nil
}
