-- +goose Up
-- beside: 0.1.0

-- The enrollments of deleted prospects by address, if a step was sent, or may have been. A prospect
-- with this address who is enrolled in the campaign again takes the enrollment over.
CREATE TABLE former_enrollments (
  workspace_id  uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  email_key     text NOT NULL,
  campaign_id   uuid NOT NULL,
  enrollment_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, email_key, campaign_id, enrollment_id)
);
