package groupcommit_test

import (
	"context"
	"fmt"

	"outreach/internal/groupcommit"
)

// Calls that come while a batch runs share the next one.
func Example() {
	g := groupcommit.New(groupcommit.Config[string, int]{
		Size: 100,
		Run: func(_ context.Context, words []string) []groupcommit.Result[int] {
			lengths := make([]int, len(words))
			for i, word := range words {
				lengths[i] = len(word)
			}
			return groupcommit.Results(len(words), lengths, nil)
		},
	})
	defer g.Close()
	length, err := g.Do(context.Background(), "outreach")
	fmt.Println(length, err)
	// Output: 8 <nil>
}
