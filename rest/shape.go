package rest

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
)

// shape describes how the data of an operation becomes an answer. The data is an object with one
// member.
type shape struct {
	status int
	member string // the member of the data that is the body; "" for no body
	list   bool   // takes limit and cursor
	paged  bool   // has a second page
	etag   bool
	// either means that member holds a boolean "created" and the body. True selects status, false
	// selects 200. The body is the member "body", or without it the other members together.
	either bool
	// collection is the path of created resources, if it is not the start of the request's path.
	collection string
	file       bool // the body is a file of a reply, which no operation returns
}

var (
	pageOfList = shape{status: http.StatusOK, member: "page", list: true, paged: true}
	fullList   = shape{status: http.StatusOK, member: "page", list: true}
	resource   = shape{status: http.StatusOK, member: "body", etag: true}
	changed    = shape{status: http.StatusOK, member: "body"}
	created    = shape{status: http.StatusCreated, member: "body"}
	answered   = shape{status: http.StatusCreated, member: "body", collection: "messages"}
	begun      = shape{status: http.StatusAccepted, member: "body", collection: "placement_checks"}
	download   = shape{status: http.StatusOK, file: true}
	deleted    = shape{status: http.StatusNoContent}
	createdOr  = shape{status: http.StatusCreated, member: "made", either: true} // created, or the one that exists
)

// read returns status and body of an answer. It does not parse lists: their data is one member,
// whose text is the body.
func (s shape) read(data []byte) (status int, body []byte, err error) {
	if s.member == "" {
		return s.status, nil, nil
	}
	body, err = onlyMember(data, s.member)
	if err != nil || !s.either {
		return s.status, body, err
	}
	return s.readEither(body)
}

func (s shape) readEither(object []byte) (status int, body []byte, err error) {
	list, err := members(object)
	if err != nil {
		return 0, nil, err
	}
	status = http.StatusOK
	var rest []member
	for _, m := range list {
		switch {
		case m.name == "body":
			body = m.value
		case m.name != "created":
			rest = append(rest, m)
		case string(m.value) == "true":
			status = s.status
		}
	}
	if body == nil {
		body = objectOf(rest)
	}
	return status, body, nil
}

// onlyMember returns the value of the member name. It returns an error if the object has other
// members.
func onlyMember(data []byte, name string) ([]byte, error) {
	value, begins := bytes.CutPrefix(data, []byte(`{"`+name+`":`))
	value, ends := bytes.CutSuffix(value, []byte("}"))
	if !begins || !ends || len(value) == 0 {
		return nil, fmt.Errorf("the data has no member %q alone", name)
	}
	return value, nil
}

// member is one member of a JSON object.
type member struct {
	name  string
	value []byte
}

// members returns the members of an object in their order.
func members(object []byte) (list []member, err error) {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(object))
	if decoder.PeekKind() != '{' {
		return nil, errors.New("the data is not an object")
	}
	if _, err := decoder.ReadToken(); err != nil {
		return nil, err
	}
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, err
		}
		list = append(list, member{key, bytes.Clone(value)})
	}
	_, err = decoder.ReadToken()
	return list, err
}

// objectOf returns the object with these members.
func objectOf(list []member) []byte {
	var out bytes.Buffer
	for i, m := range list {
		out.WriteByte("{,"[min(i, 1)])
		fmt.Fprintf(&out, "%q:%s", m.name, m.value)
	}
	out.WriteByte('}')
	return out.Bytes()
}

// idOf returns the id of a created resource: from the body, or from the first object inside it. It
// is "" if there is none.
func idOf(body []byte) string {
	list, err := members(body)
	if err != nil || len(list) == 0 {
		return ""
	}
	for _, m := range list {
		if id, err := jsontext.AppendUnquote(nil, m.value); m.name == "id" && err == nil {
			return string(id)
		}
	}
	return idOf(list[0].value)
}
