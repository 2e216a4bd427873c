package storage

import "strings"

// likePattern returns a LIKE pattern that finds text anywhere and takes its wildcards literally.
func likePattern(text *string) *string {
	if text == nil || strings.TrimSpace(*text) == "" {
		return nil
	}
	pattern := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(strings.TrimSpace(*text)) + "%"
	return &pattern
}
