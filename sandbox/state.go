package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// The files in a data folder. The two servers write one file each, so that they can share a folder.
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

// writeState replaces the whole JSON file. If the process dies before the rename, the old file and
// a temporary one are left; after it, the new file.
func writeState(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode sandbox state: %w", err)
	}
	return writePrivate(path, append(text, '\n'))
}

// writePrivate writes content to path with mode 0600, by a temporary file in the same folder and a
// rename.
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
