package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The files that a data folder holds. The two servers write one file each, so
// that they may share a folder.
const (
	mailStateFile     = "sandbox.json"
	receiverStateFile = "receiver.json"
)

// readState fills v from the JSON file; a missing file leaves v as it is.
func readState(path string, v any) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read sandbox state: %w", err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("parse %s: %w", path, err)
	}
	return nil
}

// writeState replaces the JSON file as a whole: a process that dies before the
// rename leaves the old one (and a temporary file), after it the new one.
func writeState(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode sandbox state: %w", err)
	}
	return writePrivate(path, append(text, '\n'))
}

// writePrivate puts content at path with mode 0600, by a temporary file beside
// it and a rename.
func writePrivate(path string, content []byte) error {
	// CreateTemp makes the file with mode 0600 already.
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("create temporary file: %w", err)
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(content)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	return nil
}
