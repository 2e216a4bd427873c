package mail

import (
	"maps"
	"slices"
	"strings"

	"outreach/internal/nearest"
)

// openMap is the only map of variables whose names the author of a template may
// choose.
const openMap = "custom_fields"

// checkNames returns a *TemplateError about the first variable that the field reads
// and neither assigns nor finds in vars. Custom fields may have any name, because
// prospects can get them later.
func (m *machine) checkNames(vars map[string]any) error {
	for _, v := range m.reads {
		if vars != nil && !slices.Contains(m.assigned, v.path[0]) && !isKnown(vars, v.path) {
			return m.field.fault(v.line, "there is no variable %s; %s", shorten(v.text), suggestion(vars, shorten(v.text)))
		}
	}
	return nil
}

// isKnown reports whether a path leads to a value of vars, or to a property of one.
func isKnown(vars map[string]any, path []string) bool {
	value, ok := vars[path[0]]
	inner, isMap := value.(map[string]any)
	if !ok || !isMap || path[0] == openMap || len(path) == 1 {
		return ok
	}
	return isKnown(inner, path[1:])
}

// suggestion returns how an unknown variable is probably meant.
func suggestion(vars map[string]any, text string) string {
	if name, ok := nearest.Name(namesOf(vars), text); ok {
		return "the nearest name is " + name
	}
	if _, last, ok := strings.Cut(text, "."); ok {
		text = last
	}
	return "a custom field is written " + openMap + "." + text
}

// namesOf returns the names of all variables but the custom fields, sorted.
func namesOf(vars map[string]any) []string {
	var names []string
	for name, value := range vars {
		inner, isMap := value.(map[string]any)
		switch {
		case name == openMap:
		case isMap:
			for key := range maps.Keys(inner) {
				names = append(names, name+"."+key)
			}
		default:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
