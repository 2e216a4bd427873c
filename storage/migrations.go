package storage

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"github.com/pressly/goose/v3"

	"outreach"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// program is the version of this program. The linker sets it for another one:
// -ldflags "-X outreach/storage.program=0.2.1".
var program = "0.2.0"

// Program returns the version of this program.
func Program() string { return program }

func migrationFolder() (fs.FS, error) { return fs.Sub(migrationFiles, "migrations") }

// migration is what is recorded of a migration that was applied.
type migration struct {
	hash   string // of its text
	oldest string // program that may run while it is applied, and after it
}

// ownMigrations returns the migrations of this program by their versions.
var ownMigrations = sync.OnceValues(func() (map[int64]migration, error) {
	folder, err := migrationFolder()
	if err != nil {
		return nil, err
	}
	return readMigrations(folder)
})

// besideLine names the oldest program that may run beside a migration.
var besideLine = regexp.MustCompile(`(?m)^-- beside: (\S+)$`)

// readMigrations reads the migrations of a folder. Each has the line "-- beside: VERSION".
func readMigrations(folder fs.FS) (map[int64]migration, error) {
	files, err := fs.Glob(folder, "*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	all := map[int64]migration{}
	for _, file := range files {
		version, err := goose.NumericComponent(file)
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", file, err)
		}
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, fmt.Errorf("read migration: %w", err)
		}
		beside := besideLine.FindSubmatch(text)
		if beside == nil {
			return nil, fmt.Errorf(`migration %s has no line "-- beside: 0.1.0" with the oldest program that may run beside it`, file)
		}
		if _, err := outreach.ParseRelease(string(beside[1])); err != nil {
			return nil, fmt.Errorf("migration %s: %w", file, err)
		}
		all[version] = migration{hash: hashOfSQL(string(text)), oldest: string(beside[1])}
	}
	return all, nil
}

var sqlComment = regexp.MustCompile(`--.*`)

// hashOfSQL returns a hash of a text without comments and white space.
func hashOfSQL(text string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(sqlComment.ReplaceAllString(text, "")), " ")))
	return hex.EncodeToString(sum[:])[:16]
}
