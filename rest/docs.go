package rest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed docs.html
var docsTemplate string

//go:embed docs_webhooks.html
var webhooksTemplate string

//go:embed docs.css
var docsStyle string

// docsPolicy allows the page its one style sheet and nothing else: no scripts, nothing from other
// hosts.
var docsPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-" + styleHash() + "'"

func styleHash() string {
	sum := sha256.Sum256([]byte(docsStyle))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// described is the part of the OpenAPI document that the page shows.
type described struct {
	Info struct {
		Title       string `yaml:"title"`
		Version     string `yaml:"version"`
		Description string `yaml:"description"`
	} `yaml:"info"`
	Tags []struct {
		Name        string `yaml:"name"`
		Description string `yaml:"description"`
	} `yaml:"tags"`
	Paths      map[string]map[string]describedCall `yaml:"paths"`
	Webhooks   map[string]map[string]describedCall `yaml:"webhooks"`
	Components struct {
		Parameters map[string]describedParameter      `yaml:"parameters"`
		Responses  map[string]describedResponse       `yaml:"responses"`
		Schemas    map[string]describedSchema         `yaml:"schemas"`
		Examples   map[string]struct{ Value ordered } `yaml:"examples"`
	} `yaml:"components"`
}

// reference is a $ref into the components.
type reference string

// name returns the last segment of the reference.
func (r reference) name() string { return string(r[strings.LastIndexByte(string(r), '/')+1:]) }

type linked struct {
	Ref reference `yaml:"$ref"`
}

type describedCall struct {
	OperationID string               `yaml:"operationId"`
	Tags        []string             `yaml:"tags"`
	Summary     string               `yaml:"summary"`
	Description string               `yaml:"description"`
	Parameters  []describedParameter `yaml:"parameters"`
	RequestBody struct {
		Content describedMedia `yaml:"content"`
	} `yaml:"requestBody"`
	Responses map[string]describedResponse `yaml:"responses"`
}

type describedParameter struct {
	Ref         reference `yaml:"$ref"`
	Name        string    `yaml:"name"`
	In          string    `yaml:"in"`
	Description string    `yaml:"description"`
	Example     any       `yaml:"example"`
}

type describedMedia map[string]struct {
	Schema   describedSchema   `yaml:"schema"`
	Examples map[string]linked `yaml:"examples"`
}

type describedResponse struct {
	Ref         reference      `yaml:"$ref"`
	Content     describedMedia `yaml:"content"`
	Description string         `yaml:"description"`
}

type describedSchema struct {
	Ref         reference         `yaml:"$ref"`
	Type        any               `yaml:"type"`
	Description string            `yaml:"description"`
	Enum        []string          `yaml:"enum"`
	Required    []string          `yaml:"required"`
	Items       *describedSchema  `yaml:"items"`
	AnyOf       []describedSchema `yaml:"anyOf"`
	Properties  properties        `yaml:"properties"`
	Default     any               `yaml:"default"`
	Minimum     *int              `yaml:"minimum"`
	Maximum     *int              `yaml:"maximum"`
	MaxLength   *int              `yaml:"maxLength"`
	MaxItems    *int              `yaml:"maxItems"`
}

// properties keeps the properties in the order of the document.
type properties []property

type property struct {
	Name   string
	Schema describedSchema
}

// UnmarshalYAML reads the names in order, with their schemas.
func (p *properties) UnmarshalYAML(text []byte) error {
	var order yaml.MapSlice
	schemas := map[string]describedSchema{}
	if err := yaml.Unmarshal(text, &order); err != nil {
		return err
	}
	if err := yaml.Unmarshal(text, &schemas); err != nil {
		return err
	}
	for _, item := range order {
		name := fmt.Sprint(item.Key)
		*p = append(*p, property{Name: name, Schema: schemas[name]})
	}
	return nil
}

// ordered is a value as JSON text, its keys in the order of the document.
type ordered string

// UnmarshalYAML converts YAML to JSON without reordering keys.
func (o *ordered) UnmarshalYAML(text []byte) error {
	compact, err := yaml.YAMLToJSON(text)
	if err != nil {
		return err
	}
	var pretty bytes.Buffer
	err = json.Indent(&pretty, bytes.TrimSpace(compact), "", "  ")
	*o = ordered(pretty.String())
	return err
}

// The page: chapters of calls, then schemas, then codes.
type docsPage struct {
	Title, Version, Description string
	Style                       template.CSS
	Chapters                    []docsChapter
	Events                      []docsEvent
	EventHeaders                []describedParameter
	Schemas                     []docsSchema
	Codes                       []docsCode
}

type docsChapter struct {
	Name, Description string
	Calls             []docsCall
}

type docsCall struct {
	Method, Path, ID, Summary, Description string
	Parameters                             []describedParameter
	Body, BodyExample                      string
	Answers                                []docsAnswer
}

// docsEvent is one webhook request.
type docsEvent struct {
	Name, Description, Example string
	Metadata                   []docsField
}

type docsAnswer struct{ Status, Description, Schema, Example string }

type docsSchema struct {
	Name, Description string
	Values            []string
	Fields            []docsField
}

type docsField struct {
	Name, Type, Link, Bounds, Description string
	Required                              bool
}

type docsCode struct {
	Code, Title string
	Status      int
}

// renderDocs returns the HTML page of an OpenAPI document.
func renderDocs(text []byte) ([]byte, error) {
	var d described
	if err := yaml.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("read OpenAPI document: %w", err)
	}
	view := docsPage{
		Title:       d.Info.Title,
		Version:     d.Info.Version,
		Description: strings.ReplaceAll(d.Info.Description, "`", ""),
		Style:       template.CSS(docsStyle), //nolint:gosec // docsStyle is embedded from this repository
		Codes:       docsCodes(),
		Schemas:     d.schemas(),
	}
	view.Events, view.EventHeaders = d.events()
	for _, tag := range d.Tags {
		if tag.Name == webhooksTag {
			continue
		}
		view.Chapters = append(view.Chapters, docsChapter{Name: tag.Name, Description: tag.Description, Calls: d.calls(tag.Name)})
	}
	parsed, err := template.New("docs").Parse(docsTemplate + webhooksTemplate)
	if err != nil {
		return nil, fmt.Errorf("read page template: %w", err)
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, view); err != nil {
		return nil, fmt.Errorf("render page: %w", err)
	}
	return out.Bytes(), nil
}

// webhooksTag is the chapter whose text is in docs_webhooks.html.
const webhooksTag = "webhooks"

// events returns the webhook requests, and their headers.
func (d *described) events() (events []docsEvent, headers []describedParameter) {
	for _, name := range d.Components.Schemas["EventType"].Enum {
		call := d.Webhooks[name]["post"]
		event := docsEvent{Name: name, Description: strings.ReplaceAll(call.Description, "`", "")}
		_, event.Example = d.content(call.RequestBody.Content)
		for _, p := range call.RequestBody.Content["application/json"].Schema.Properties {
			if p.Name == "metadata" {
				event.Metadata = p.Schema.fields()
			}
		}
		events, headers = append(events, event), call.Parameters
	}
	return events, headers
}

// calls returns the calls of a tag in the order of the route table.
func (d *described) calls(tag string) (calls []docsCall) {
	for _, r := range append(slices.Clone(routes), route{method: "GET", path: "/openapi.json"}) {
		call := d.Paths[r.path][strings.ToLower(r.method)]
		if slices.Contains(call.Tags, tag) {
			calls = append(calls, d.call(r, call))
		}
	}
	return calls
}

func (d *described) call(r route, c describedCall) docsCall {
	shown := docsCall{Method: r.method, Path: Base + r.path, ID: c.OperationID, Summary: c.Summary, Description: c.Description}
	for _, parameter := range c.Parameters {
		shown.Parameters = append(shown.Parameters, d.Components.Parameters[parameter.Ref.name()])
	}
	shown.Body, shown.BodyExample = d.content(c.RequestBody.Content)
	for _, status := range slices.Sorted(maps.Keys(c.Responses)) {
		response := c.Responses[status]
		if response.Ref != "" {
			response = d.Components.Responses[response.Ref.name()]
		}
		answer := docsAnswer{Status: status, Description: response.Description}
		answer.Schema, answer.Example = d.content(response.Content)
		shown.Answers = append(shown.Answers, answer)
	}
	return shown
}

// content returns the schema and the example of a JSON body.
func (d *described) content(c describedMedia) (schema, example string) {
	media := c["application/json"]
	for _, ref := range media.Examples {
		example = string(d.Components.Examples[ref.Ref.name()].Value)
	}
	return media.Schema.Ref.name(), example
}

func (d *described) schemas() (schemas []docsSchema) {
	for name, s := range d.Components.Schemas {
		schemas = append(schemas, docsSchema{Name: name, Description: s.Description, Values: s.Enum, Fields: s.fields()})
	}
	slices.SortFunc(schemas, func(a, b docsSchema) int { return strings.Compare(a.Name, b.Name) })
	return schemas
}

// fields returns the properties of an object in the order of the document.
func (s *describedSchema) fields() (fields []docsField) {
	for _, p := range s.Properties {
		kind, link := p.Schema.describe()
		fields = append(fields, docsField{Name: p.Name, Type: kind, Link: link, Bounds: p.Schema.bounds(),
			Description: p.Schema.Description, Required: slices.Contains(s.Required, p.Name)})
	}
	return fields
}

// describe returns the kind of a schema as text, and the name of the schema that it links to.
func (s *describedSchema) describe() (kind, link string) {
	switch {
	case s.Ref != "":
		return s.Ref.name(), s.Ref.name()
	case len(s.AnyOf) > 0:
		kind, link = s.AnyOf[0].describe()
		return kind + " or null", link
	case s.Items != nil:
		kind, link = s.Items.describe()
		return "array of " + kind, link
	}
	if kinds, ok := s.Type.([]any); ok {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(kinds), " ", " or "), "[]"), ""
	}
	return fmt.Sprint(s.Type), ""
}

// bounds returns the limits and the default of a value as text.
func (s *describedSchema) bounds() string {
	var words []string
	if s.MaxLength != nil {
		words = append(words, fmt.Sprintf("at most %d characters", *s.MaxLength))
	}
	if s.MaxItems != nil {
		words = append(words, fmt.Sprintf("at most %d elements", *s.MaxItems))
	}
	if s.Minimum != nil && s.Maximum != nil {
		words = append(words, fmt.Sprintf("%d to %d", *s.Minimum, *s.Maximum))
	}
	if value, err := json.Marshal(s.Default); err == nil && s.Default != nil {
		words = append(words, fmt.Sprintf("default %s", value))
	}
	return strings.Join(words, ", ")
}

func docsCodes() (codes []docsCode) {
	for code, as := range refusals {
		codes = append(codes, docsCode{Code: string(code), Title: as.title, Status: as.status})
	}
	slices.SortFunc(codes, func(a, b docsCode) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Code, b.Code))
	})
	return codes
}
