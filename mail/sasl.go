package mail

import (
	"errors"

	"github.com/emersion/go-sasl"

	"outreach"
)

// saslFor returns the login mechanism: with a token if there is one, else PLAIN (RFC 4616), else
// the older LOGIN.
func saslFor(supports func(string) bool, server outreach.MailServer) (sasl.Client, error) {
	switch {
	case server.Token != "":
		return tokenLogin(supports, server)
	case supports(sasl.Plain):
		return sasl.NewPlainClient("", server.Username, server.Password), nil
	case supports(sasl.Login):
		return &loginClient{answers: []string{server.Username, server.Password}}, nil
	}
	return nil, &ServerError{Kind: KindLogin, Reason: "the server offers no login with a password"}
}

// loginClient answers the two challenges of LOGIN in order, whatever their text is.
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
