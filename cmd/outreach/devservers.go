package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"outreach"
	"outreach/devstack"
	"outreach/rest"
	"outreach/session"
	"outreach/storage"
)

// startServers finds or starts the databases and returns the variables of the service: those of
// the environment, and the stack's defaults.
func (s *devStack) startServers(ctx context.Context, env environment) (map[string]string, error) {
	vars := map[string]string{
		"OUTREACH_BASE_URL": "http://" + s.listener.Addr().String(), "OUTREACH_SECRET_KEY": s.state.SecretKey,
		"OUTREACH_WEBHOOK_SCAN_INTERVAL": "5s", "OUTREACH_WEBHOOK_RETRY_DELAY": "5s",
		"OUTREACH_SEND_INTERVAL": "5s", "OUTREACH_RECEIVE_INTERVAL": "5s", "OUTREACH_LOG_LEVEL": "warn", "OUTREACH_SHUTDOWN_DELAY": "0s",
	}
	for name, value := range env.vars {
		if value != "" {
			vars[name] = value
		}
	}
	s.state.SecretKey = vars["OUTREACH_SECRET_KEY"]
	var err error
	if vars["DATABASE_URL"] == "" {
		s.postgres, err = devstack.StartPostgres(ctx,
			devstack.PostgresConfig{Dir: filepath.Join(s.dir, "postgres"), Durable: true, Logger: s.logger,
				BinDir: env.vars["PGBIN"], Registry: devstack.NPMRegistry(func(name string) string { return env.vars[name] })})
		if err != nil {
			return nil, err
		}
		s.closing = append(s.closing, s.postgres.Close)
		vars["DATABASE_URL"] = s.postgres.URL()
	}
	if vars["REDIS_URL"] == "" {
		redis, err := devstack.StartRedis(ctx, devstack.RedisConfig{Dir: filepath.Join(s.dir, "redis"), Persist: true, Logger: s.logger})
		if err != nil {
			return nil, err
		}
		s.closing = append(s.closing, redis.Close)
		vars["REDIS_URL"] = redis.URL()
	}
	return vars, nil
}

// devEmail is the address of the user that the first start creates in a database.
const devEmail = "dev@outreach.test"

func (s *devStack) prepareStore(ctx context.Context) (err error) {
	if s.postgres == nil {
		// DATABASE_URL may be set in this shell for something else.
		others, err := storage.HoldsOtherData(ctx, s.config.migrateURL(), devEmail)
		if err != nil {
			return err
		}
		if others {
			return errors.New("DATABASE_URL names a database that holds other data than that of `outreach dev`: " +
				"unset it to use a private database, or name an empty one")
		}
	}
	err = migrateDatabase(ctx, s.config)
	if errors.Is(err, storage.ErrSchemaOther) && s.postgres != nil {
		return fmt.Errorf("%s was created by another build of outreach, with a database schema that this one does not know: "+
			"run that build, name another folder with --data, or delete this one with all that it holds", s.dir)
	}
	if err != nil {
		return err
	}
	if s.store, err = openStore(ctx, s.config, s.logger, time.Now); err != nil {
		return err
	}
	s.closing = append(s.closing, func() error { s.store.Close(); return nil })
	if err := s.ensureWorkspace(ctx); err != nil {
		return err
	}
	return s.store.SetTrackingDomain(ctx, s.state.WorkspaceID, s.listener.Addr().String(), outreach.TrackingDomainVerified)
}

// ensureWorkspace creates workspace, user and token at the first start, and again if the database
// is a new one.
func (s *devStack) ensureWorkspace(ctx context.Context) (err error) {
	_, err = s.store.Me(ctx, s.state.WorkspaceID)
	if err == nil || !errors.Is(err, outreach.ErrNotFound) {
		return err
	}
	if s.state.WorkspaceID, err = s.store.CreateWorkspace(ctx, "Sandbox"); err != nil {
		return err
	}
	token := rest.NewToken()
	s.state.Token, s.state.Password, s.state.Demo = string(token), session.NewPassword(), false
	s.state.History = false
	s.state.Email = devEmail
	if err := s.store.SetToken(ctx, s.state.WorkspaceID, outreach.TokenRecord{Hash: token.Hash(), Prefix: token.Visible()}); err != nil {
		return err
	}
	_, err = s.store.AddUser(ctx, s.state.WorkspaceID, s.state.Email, session.HashPassword(s.state.Password), outreach.RoleOwner, true)
	if outreach.CodeOf(err) == outreach.CodeConflict { // an earlier start died between creating the user and storing the state
		s.state.Email = "dev-" + s.state.WorkspaceID.String()[24:] + "@outreach.test"
		_, err = s.store.AddUser(ctx, s.state.WorkspaceID, s.state.Email, session.HashPassword(s.state.Password), outreach.RoleOwner, true)
	}
	if err != nil {
		return err
	}
	return s.saveState()
}
