package classify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The notes of the grid are whole texts: language, day of the mail, day of return and text (testdata/grid/README.md).
// The rules were made with them, so they show that nothing is lost, and measure nothing.
//
//	OUTREACH_MISSES=all go test ./mail/classify -run TestNotesOfGrid -v
func TestNotesOfGrid(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "grid", "dates[A-Z]*.tsv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no notes: %v", err)
	}
	for _, file := range files {
		var dates rate
		for _, row := range lines(t, file, 4) {
			base, err := time.Parse(time.DateOnly, row[1])
			if err != nil {
				t.Fatal(err)
			}
			a, got := judgeRow(t, "Out of office", row[3], base), "none"
			if a.ReturnDate != nil {
				got = a.ReturnDate.Format(time.DateOnly)
			}
			dates.count(sampleOf(row), got == row[2], fmt.Sprintf("%s, %s (%s), want %s", got, a.Class, a.Reason, row[2]))
		}
		t.Logf("%s: return dates %s", filepath.Base(file), &dates)
		if dates.right*100 < 95*dates.all {
			t.Errorf("%s: return dates %s, want 95 %% of those that the rules were made with", filepath.Base(file), &dates)
		}
		if os.Getenv("OUTREACH_MISSES") == "all" {
			t.Log("\n" + strings.Join(dates.misses, "\n-----\n"))
		}
	}
}
