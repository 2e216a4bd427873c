package storage

import "strings"

// likePattern looks for text anywhere, its wildcards taken literally.
func likePattern(text *string) *string {
	if text == nil || strings.TrimSpace(*text) == "" {
		return nil
	}
	pattern := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(strings.TrimSpace(*text)) + "%"
	return &pattern
}
