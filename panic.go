package outreach

import (
	"fmt"
	"runtime"
)

// PanicText returns what a log may hold of the value of a recovered panic: the text of an error of
// Go's runtime, which names numbers and types, else the type of the value alone. Any other text may
// hold a secret that the code was given. The stack, which shows no texts, says where it was.
func PanicText(value any) string {
	if broken, ok := value.(runtime.Error); ok {
		return broken.Error()
	}
	return fmt.Sprintf("%T", value)
}
