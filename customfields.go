package outreach

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxCustomFields is how many custom fields a prospect may have.
const MaxCustomFields = 100

const (
	maxCustomName  = 100
	maxCustomValue = 5000
)

func (p *Prospect) validateCustomFields(faults *Faults) {
	at := At("custom_fields")
	if len(p.CustomFields) > MaxCustomFields {
		faults.Add(at, FieldTooLong, "custom_fields must have at most %d keys.", MaxCustomFields)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(p.CustomFields)) {
		path := at.Join(name)
		switch v := p.CustomFields[name].(type) {
		case string:
			ValidateText(faults, path, &v, maxCustomValue)
		case bool, float64, int, int64:
		default:
			faults.Add(path, FieldType, "A custom field must be a string, a number or a boolean.")
		}
		if name == "" || utf8.RuneCountInString(name) > maxCustomName || strings.ContainsRune(name, 0) {
			faults.Add(path, FieldInvalid, "The name of a custom field must have 1 to %d characters.", maxCustomName)
		}
	}
}

// MergeCustomFields applies a merge patch (RFC 7396) to the custom fields: a nil
// value removes its key, a nil patch removes all.
func (p *Prospect) MergeCustomFields(patch map[string]any) {
	merged := make(map[string]any, len(p.CustomFields)+len(patch))
	if patch != nil {
		maps.Copy(merged, p.CustomFields)
	}
	for key, value := range patch {
		if value == nil {
			delete(merged, key)
		} else {
			merged[key] = value
		}
	}
	p.CustomFields = merged
}

// customChanges returns the paths of the custom fields that differ, by name.
func customChanges(before, after map[string]any) (changes []Path) {
	names := map[string]struct{}{}
	for name, value := range before {
		if other, ok := after[name]; !ok || storedNumber(other) != storedNumber(value) {
			names[name] = struct{}{}
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			names[name] = struct{}{}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		changes = append(changes, Path{"custom_fields", name})
	}
	return changes
}

// storedNumber returns a number as the type that the store returns, and any other value unchanged.
func storedNumber(value any) any {
	switch v := value.(type) {
	case int:
		return float64(v)
	case int64:
		return float64(v)
	}
	return value
}
