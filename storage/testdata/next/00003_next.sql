-- +goose Up
-- beside: 0.1.0

-- A migration of a release to come, for tests. It only expands: this program runs beside it.
ALTER TABLE prospects ADD COLUMN pronouns text;

CREATE TABLE labels (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id           uuid NOT NULL,
  name         text NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- Kinds and states that this program does not know.
ALTER TABLE messages DROP CONSTRAINT messages_kind_check, DROP CONSTRAINT messages_status_check,
  ADD CONSTRAINT messages_kind_check CHECK (kind IN ('step', 'answer', 'forward')) NOT VALID,
  ADD CONSTRAINT messages_status_check CHECK (status IN ('claimed', 'scheduled', 'sent', 'bounced', 'unknown', 'not_sent', 'recalled')) NOT VALID;
ALTER TABLE enrollments DROP CONSTRAINT enrollments_status_check, DROP CONSTRAINT enrollments_hold_kind_check,
  ADD CONSTRAINT enrollments_status_check CHECK (status IN ('active', 'held', 'paused', 'replied', 'finished', 'bounced',
    'unsubscribed', 'stopped', 'failed', 'nurturing')) NOT VALID,
  ADD CONSTRAINT enrollments_hold_kind_check CHECK (hold_kind IN ('content', 'absence', 'unknown', 'sender', 'review')) NOT VALID;
ALTER TABLE mailboxes DROP CONSTRAINT mailboxes_status_check, DROP CONSTRAINT mailboxes_auth_check,
  ADD CONSTRAINT mailboxes_status_check CHECK (status IN ('connected', 'error', 'paused', 'retired')) NOT VALID,
  ADD CONSTRAINT mailboxes_auth_check CHECK (auth IN ('password', 'oauth2', 'oauth2_app', 'certificate')) NOT VALID;
ALTER TABLE suppressions DROP CONSTRAINT suppressions_reason_check,
  ADD CONSTRAINT suppressions_reason_check CHECK (reason IN ('manual', 'unsubscribed', 'bounced', 'complaint', 'legal')) NOT VALID;
ALTER TABLE members DROP CONSTRAINT members_role_check,
  ADD CONSTRAINT members_role_check CHECK (role IN ('owner', 'member', 'reader')) NOT VALID;
ALTER TABLE hits DROP CONSTRAINT hits_kind_check,
  ADD CONSTRAINT hits_kind_check CHECK (kind IN ('click', 'visit', 'unsubscribe', 'download')) NOT VALID;
ALTER DOMAIN delivery_status DROP CONSTRAINT delivery_status_check;
ALTER DOMAIN delivery_status ADD CONSTRAINT delivery_status_check CHECK (VALUE IN ('queued', 'delivered', 'failed', 'withheld')) NOT VALID;
