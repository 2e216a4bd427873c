package rest_test

import (
	"net/http"
	"strings"
	"testing"
)

// An enrollment that was stopped goes on, with a body and without one. One that is
// finished and has no step left does not.
func TestResumeTakesABodyOrNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, body := range []string{"", "{}", `{"force":true}`, `{"force":null}`} {
		id := w.enrollment()
		w.act("/enrollments/" + id + "/stop")
		got := w.call(w.checked, w.ws, http.MethodPost, "/enrollments/"+id+"/resume", body)
		if got.Code != http.StatusOK {
			t.Errorf("with %q: %d %s", body, got.Code, got.Body)
		}
	}
	id := w.enrollment()
	w.exec(`UPDATE enrollments SET status = 'finished' WHERE id = $1`, id)
	if got := w.call(w.checked, w.ws, http.MethodPost, "/enrollments/"+id+"/resume", `{"force":true}`); got.Code != http.StatusConflict {
		t.Errorf("finished: %d %s", got.Code, got.Body)
	}
}

func TestContinueFinishedSaysHowMany(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	campaign := w.oneFinished()
	for i, want := range []string{`"continued":1,"refused":0`, `"continued":0,"refused":0`} {
		got := w.call(w.checked, w.ws, http.MethodPost, "/campaigns/"+campaign+"/continue_finished", "")
		if got.Code != http.StatusOK || !strings.Contains(got.Body.String(), want) {
			t.Errorf("call %d: %s, want %s", i, got.Body, want)
		}
	}
}
