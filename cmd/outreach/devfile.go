package main

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"outreach"
	"outreach/sandbox"
	"outreach/webhook"
)

// devState is the state that `outreach dev` keeps between starts, besides the databases.
type devState struct {
	SecretKey      string    `json:"secret_key"`
	WorkspaceID    uuid.UUID `json:"workspace_id"`
	Token          string    `json:"api_token"`
	Email          string    `json:"ui_email"`
	Password       string    `json:"ui_password"`
	ReceiverSecret string    `json:"receiver_secret"`
	Demo           bool      `json:"demo"`
	History        bool      `json:"history"`
}

// devFile is dev.json: the data that a person or a test needs to use the stack.
type devFile struct {
	BaseURL        string      `json:"base_url"`
	APIToken       string      `json:"api_token"`
	UIEmail        string      `json:"ui_email"`
	UIPassword     string      `json:"ui_password"`
	ReceiverURL    string      `json:"receiver_url"`
	ReceiverSecret string      `json:"receiver_secret"`
	OpenIDURL      string      `json:"openid_url"`
	DatabaseURL    string      `json:"database_url"`
	RedisURL       string      `json:"redis_url"`
	SecretKey      string      `json:"secret_key"`
	Mailbox        mailboxBody `json:"mailbox"`
	Prospects      mailboxBody `json:"prospects"`
}

// mailboxBody is a complete body for POST /mailboxes.
type mailboxBody struct {
	Email         string     `json:"email"`
	DisplayName   string     `json:"display_name"`
	SMTP          serverBody `json:"smtp"`
	IMAP          serverBody `json:"imap"`
	DailyLimit    int        `json:"daily_limit"`
	MinGapSeconds int        `json:"min_gap_seconds"`
}

type serverBody struct {
	Host     string            `json:"host"`
	Port     int               `json:"port"`
	Username string            `json:"username"`
	Password string            `json:"password"`
	Security outreach.Security `json:"security"`
}

func mailboxOf(m sandbox.Mailbox, name string) mailboxBody {
	server := func(s outreach.MailServer) serverBody {
		return serverBody{Host: s.Host, Port: s.Port, Username: s.Username, Password: s.Password, Security: s.Security}
	}
	return mailboxBody{Email: m.Email, DisplayName: name, SMTP: server(m.SMTP), IMAP: server(m.IMAP), DailyLimit: 1000}
}

func (s *devStack) writeFile() error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // URLs contain &, and people copy them
	encoder.SetIndent("", "  ")
	err := encoder.Encode(devFile{
		BaseURL: string(s.config.BaseURL), APIToken: s.state.Token, UIEmail: s.state.Email, UIPassword: s.state.Password,
		ReceiverURL: s.receiver.URL(), ReceiverSecret: s.state.ReceiverSecret, OpenIDURL: s.mail.OpenID().Page,
		DatabaseURL: s.config.DatabaseURL, RedisURL: s.config.RedisURL, SecretKey: s.state.SecretKey,
		Mailbox: mailboxOf(s.mail.Mailbox(), "Sandbox"), Prospects: mailboxOf(s.mail.Prospects(), "Prospects"),
	})
	if err != nil {
		return fmt.Errorf("write dev.json: %w", err)
	}
	return writeWhole(filepath.Join(s.dir, "dev.json"), text.Bytes(), 0o600)
}

func (s *devStack) stateFile() string { return filepath.Join(s.dir, "state.json") }

// loadState reads the state of the last start, or creates the secrets.
func (s *devStack) loadState() error {
	text, err := os.ReadFile(s.stateFile())
	if err == nil {
		if err := json.Unmarshal(text, &s.state); err != nil {
			return fmt.Errorf("read %s: %w", s.stateFile(), err)
		}
		return nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read state: %w", err)
	}
	key := make([]byte, 32)
	rand.Read(key)
	s.state.SecretKey = base64.StdEncoding.EncodeToString(key)
	if s.state.ReceiverSecret, err = webhook.NewSecret(rand.Reader); err != nil {
		return err
	}
	return s.saveState()
}

func (s *devStack) saveState() error {
	text, err := json.MarshalIndent(s.state, "", "  ")
	if err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	return writeWhole(s.stateFile(), text, 0o600)
}

// writeWhole replaces a file in one step: readers see the old or the new text.
func writeWhole(path string, text []byte, mode os.FileMode) error {
	temporary := path + ".new"
	if err := os.WriteFile(temporary, text, mode); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(temporary, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
