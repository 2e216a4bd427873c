//go:build full

package webhook

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Verifiers in other languages agree with ours on every vector, and refuse all
// of them ten minutes early or late. Needs node and python3.
func TestForeignVerifiers(t *testing.T) {
	t.Parallel()
	var want strings.Builder
	for _, v := range readVectors(t) {
		fmt.Fprintf(&want, "%s: %v false false\n", v.Name, v.Valid)
	}
	for program, script := range map[string]string{"node": "run.mjs", "python3": "run.py"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			command := exec.CommandContext(t.Context(), program, verifierFile(script), vectorsFile())
			command.Env = append(command.Environ(), "PYTHONDONTWRITEBYTECODE=1")
			out, err := command.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", script, err, out)
			}
			if diff := cmp.Diff(want.String(), string(out)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", script, diff)
			}
		})
	}
}
