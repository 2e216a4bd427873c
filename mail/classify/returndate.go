package classify

import "time"

func returnDate(subject, text string, from time.Time) *time.Time { return nil }
