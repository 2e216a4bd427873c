package mail

import (
	"errors"

	"github.com/emersion/go-sasl"
)

// saslFor picks the way to log in that the server knows: PLAIN (RFC 4616),
// else the older LOGIN, else nil.
func saslFor(supports func(string) bool, username, password string) sasl.Client {
	switch {
	case supports(sasl.Plain):
		return sasl.NewPlainClient("", username, password)
	case supports(sasl.Login):
		return &loginClient{answers: []string{username, password}}
	}
	return nil
}

// loginClient answers the two challenges of LOGIN in their order. It does not
// read them: servers word them in many ways.
type loginClient struct{ answers []string }

func (l *loginClient) Start() (mechanism string, initial []byte, err error) {
	return sasl.Login, nil, nil
}

func (l *loginClient) Next([]byte) ([]byte, error) {
	if len(l.answers) == 0 {
		return nil, errors.New("unexpected challenge")
	}
	answer := l.answers[0]
	l.answers = l.answers[1:]
	return []byte(answer), nil
}
