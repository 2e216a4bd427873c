package mail

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

func toNumber(value any) (float64, error) {
	s, err := toText(value)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return 0, errors.New("the value is not a number")
	}
	return n, nil
}

// toInt reads a small integer: a length or a position.
func toInt(value any) (int, error) {
	n, err := toNumber(value)
	if err != nil || math.Abs(n) > maxWork || n != math.Trunc(n) {
		return 0, errors.New("the argument must be an integer")
	}
	return int(n), nil
}

func finite(n float64) (any, error) {
	if math.IsInf(n, 0) || math.IsNaN(n) || math.Abs(n) > 1e15 {
		return nil, errors.New("the result is not a number")
	}
	return n, nil
}

func arithmetic(do func(a, b float64) float64) func(*machine, any, []any) (any, error) {
	return func(_ *machine, value any, args []any) (any, error) {
		a, err1 := toNumber(value)
		b, err2 := toNumber(args[0])
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		return finite(do(a, b))
	}
}

func rounded(do func(float64) float64) func(*machine, any, []any) (any, error) {
	return func(_ *machine, value any, _ []any) (any, error) {
		n, err := toNumber(value)
		if err != nil {
			return nil, err
		}
		return finite(do(n))
	}
}

func round(_ *machine, value any, args []any) (any, error) {
	n, err := toNumber(value)
	places := 0
	if err == nil && len(args) > 0 {
		places, err = toInt(args[0])
	}
	if err != nil {
		return nil, err
	}
	scale := math.Pow10(min(max(places, 0), 9))
	return finite(math.Round(n*scale) / scale)
}
