package outreach

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Release is a version of the program, such as 0.2.0 (https://semver.org). What follows
// "-" or "+" is not compared: a candidate of a release is that release.
type Release [3]int

// ParseRelease reads a version: three numbers with points.
func ParseRelease(text string) (r Release, err error) {
	numbers, _, _ := strings.Cut(text, "+")
	numbers, _, _ = strings.Cut(numbers, "-")
	parts := strings.Split(numbers, ".")
	if len(parts) != len(r) {
		return Release{}, fmt.Errorf("version %q is not three numbers with points, such as 0.2.0", text)
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil {
			return Release{}, fmt.Errorf("version %q is not three numbers with points, such as 0.2.0", text)
		}
		r[i] = int(n)
	}
	return r, nil
}

// Before reports whether r is older than other.
func (r Release) Before(other Release) bool { return slices.Compare(r[:], other[:]) < 0 }
