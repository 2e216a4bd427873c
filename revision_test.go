package outreach_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// notRevised are the fields of a campaign that an edit does not change.
var notRevised = []string{"ID", "WorkspaceID", "Status", "NotSendingReason", "CreatedAt"}

// Every other field changes the revision, those of each step included.
func TestRevisionCoversEveryField(t *testing.T) {
	t.Parallel()
	sample := func() *outreach.Campaign {
		c := outreach.NewCampaign()
		c.Name, c.Steps = "Spring", []outreach.Step{{ID: uuid.UUID{1}}, {ID: uuid.UUID{2}}}
		return &c
	}
	before := sample().Revision()
	for field := range reflect.TypeFor[outreach.Campaign]().Fields() {
		c := sample()
		change(t, reflect.ValueOf(c).Elem().FieldByIndex(field.Index))
		changed, want := c.Revision() != before, !slices.Contains(notRevised, field.Name)
		if changed != want {
			t.Errorf("changing %s changes the revision: %v, want %v", field.Name, changed, want)
		}
	}
	for field := range reflect.TypeFor[outreach.Step]().Fields() {
		c := sample()
		change(t, reflect.ValueOf(&c.Steps[1]).Elem().FieldByIndex(field.Index))
		if c.Revision() == before {
			t.Errorf("changing %s of a step does not change the revision", field.Name)
		}
	}
}

// change sets a field to a value that differs from the present one.
func change(t *testing.T, field reflect.Value) {
	t.Helper()
	switch value := field.Addr().Interface().(type) {
	case *time.Time:
		*value = value.Add(time.Hour)
		return
	case *uuid.UUID:
		value[15]++
		return
	}
	switch field.Kind() {
	case reflect.String:
		field.SetString(field.String() + "x")
	case reflect.Bool:
		field.SetBool(!field.Bool())
	case reflect.Int:
		field.SetInt(field.Int() + 1)
	case reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
	case reflect.Slice:
		field.Set(reflect.Append(field, reflect.Zero(field.Type().Elem())))
	default:
		t.Fatalf("no rule to change a %s", field.Type())
	}
}
