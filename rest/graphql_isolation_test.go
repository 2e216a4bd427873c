package rest_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
	"outreach/graph"
)

// The application asks the query layer for more than REST has. Each argument that is an
// id, also inside of inputs, is read from the schema: asking with an id of another
// workspace is answered like asking with an unknown one, and changes nothing there.

// idArgument is an argument of a root field, or a field of its input, that is an id.
type idArgument struct {
	operation ast.Operation
	field     *ast.FieldDefinition
	path      []string // the argument, then fields of inputs; "-" is an element of a list
}

// name names the argument in failures and tables, such as "enroll.input.prospectId".
func (a idArgument) name() string { return a.field.Name + "." + strings.Join(a.path, ".") }

// idArguments returns all of them.
func idArguments(s *ast.Schema) (all []idArgument) {
	for operation, root := range map[ast.Operation]*ast.Definition{ast.Query: s.Query, ast.Mutation: s.Mutation} {
		for _, field := range root.Fields {
			for _, argument := range field.Arguments {
				for _, path := range idPaths(s, argument.Type, []string{argument.Name}) {
					all = append(all, idArgument{operation, field, path})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b idArgument) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), strings.Compare(a.name(), b.name()))
	})
	return all
}

// rank puts queries first, and last what removes rows that others need.
func (a idArgument) rank() int {
	removes := func(verb string) bool { return strings.HasPrefix(a.field.Name, verb) }
	switch {
	case a.operation == ast.Query:
		return 0
	case slices.ContainsFunc([]string{"delete", "remove", "revoke", "end", "archive", "withdraw", "dismiss", "undo"}, removes):
		return 2
	}
	return 1
}

func idPaths(s *ast.Schema, t *ast.Type, path []string) (all [][]string) {
	if t.Elem != nil {
		return idPaths(s, t.Elem, append(slices.Clone(path), "-"))
	}
	definition := s.Types[t.NamedType]
	if definition.Name == "UUID" {
		return [][]string{path}
	}
	if definition.Kind != ast.InputObject {
		return nil
	}
	for _, field := range definition.Fields {
		all = append(all, idPaths(s, field.Type, append(slices.Clone(path), field.Name))...)
	}
	return all
}

// document returns an operation with a variable for each argument that variables gives.
func (a idArgument) document(s *ast.Schema) string {
	var variables, arguments []string
	for _, argument := range a.field.Arguments {
		if a.gives(argument) {
			variables = append(variables, "$"+argument.Name+": "+argument.Type.String())
			arguments = append(arguments, argument.Name+": $"+argument.Name)
		}
	}
	return fmt.Sprintf("%s q(%s) { %s(%s)%s }", a.operation, strings.Join(variables, ", "), a.field.Name, strings.Join(arguments, ", "),
		selection(s, a.field.Type, 2))
}

// gives reports whether the call has a value for an argument: it has the id, or there is
// no default.
func (a idArgument) gives(argument *ast.ArgumentDefinition) bool {
	return argument.Name == a.path[0] || argument.Type.NonNull && argument.DefaultValue == nil
}

// selection selects all fields of an object that are not objects themselves, down to a
// depth.
func selection(s *ast.Schema, t *ast.Type, depth int) string {
	definition := s.Types[t.Name()]
	if definition.Kind != ast.Object {
		return ""
	}
	fields := []string{"__typename"}
	for _, field := range definition.Fields {
		isObject := s.Types[field.Type.Name()].Kind == ast.Object
		if len(field.Arguments) == 0 && (!isObject || depth > 0) {
			fields = append(fields, field.Name+selection(s, field.Type, depth-1))
		}
	}
	return " { " + strings.Join(fields, " ") + " }"
}

// fills are fields of inputs without which a call does not look at ids.
var fills = map[string]map[string]any{
	"AnswerInput":            {"bodyText": "T"},
	"CampaignInput":          {"name": "N"},
	"ConnectionAttemptInput": {"provider": "google"},
	"EnrollInput":            {"campaignId": "OURS", "prospect": map[string]any{"email": "new@a.example"}},
	"MailboxInput":           {"displayName": "X"},
	"OfferInput":             {"title": "T", "targetUrl": "https://a.example/"},
	"PlacementCheckInput":    {"toMailboxId": "OURS"},
	"PreviewInput":           {"subject": "S", "bodyText": "T"},
	"ProspectInput":          {"firstName": "X"},
	"ReplyInput":             {"interest": "positive"},
	"SnippetInput":           {"name": "X"},
	"StepInput":              {"subject": "S", "bodyText": "T"},
	"SubscriptionInput":      {"enabled": false},
	"TestStepInput":          {"subject": "S", "bodyText": "T"},
}

// apart are inputs that exclude the fills of their siblings.
var apart = map[string]string{"enroll.input.prospectId": "prospect"}

// variables returns a value for each argument that the call needs; id is at the path.
func (a idArgument) variables(s *ast.Schema, own map[string]string, id string) map[string]any {
	values := map[string]any{}
	for _, argument := range a.field.Arguments {
		switch {
		case argument.Name == a.path[0]:
			values[argument.Name] = a.value(s, own, argument.Type, a.path[1:], id)
		case a.gives(argument):
			values[argument.Name] = a.value(s, own, argument.Type, nil, own[a.collection(argument.Name)])
		}
	}
	return values
}

// value returns a valid value of a type, with id at the path.
func (a idArgument) value(s *ast.Schema, own map[string]string, t *ast.Type, path []string, id string) any {
	if t.Elem != nil {
		if len(path) > 0 {
			path = path[1:]
		}
		return []any{a.value(s, own, t.Elem, path, id)}
	}
	definition := s.Types[t.NamedType]
	switch {
	case definition.Kind == ast.Enum:
		return definition.EnumValues[0].Name
	case definition.Kind == ast.InputObject:
		return a.input(s, own, definition, path, id)
	}
	switch definition.Name {
	case "UUID":
		return id
	case "Int":
		return 1
	case "Boolean":
		return true
	case "Time":
		return time.Now().Format(time.RFC3339)
	}
	return "x"
}

func (a idArgument) input(s *ast.Schema, own map[string]string, definition *ast.Definition, path []string, id string) map[string]any {
	values := maps.Clone(fills[definition.Name])
	if values == nil {
		values = map[string]any{}
	}
	for name, value := range values {
		if value == "OURS" {
			values[name] = own[a.collection(name)]
		}
	}
	delete(values, apart[a.name()])
	for _, field := range definition.Fields {
		switch {
		case len(path) > 0 && field.Name == path[0]:
			values[field.Name] = a.value(s, own, field.Type, path[1:], id)
		case field.Type.NonNull && field.DefaultValue == nil && values[field.Name] == nil:
			values[field.Name] = a.value(s, own, field.Type, nil, own[a.collection(field.Name)])
		}
	}
	return values
}

// nouns name the collection that an id of a root field is of, where the argument is "id"
// or "ids". The first that the field's name has counts.
var nouns = []struct{ noun, collection string }{
	{"placementcheck", "placement_checks"}, {"checkplacement", "mailboxes"}, {"sendingdomain", "sending_domains"},
	{"mailboxconnection", "mailbox_connections"}, {"updateanswer", "messages"},
	{"withdrawanswer", "messages"}, {"answerreply", "replies"}, {"continuefinished", "campaigns"}, {"redeliver", "deliveries"},
	{"conversations", "replies"}, {"revokeinvitation", "invitations"},
	{"removemember", "users"}, {"endsession", "sessions"}, {"switchworkspace", "workspaces"},
	{"subscription", "subscriptions"}, {"suppression", "suppressions"}, {"enrollment", "enrollments"}, {"campaign", "campaigns"},
	{"prospect", "prospects"}, {"company", "companies"}, {"offer", "offers"}, {"snippet", "snippets"}, {"mailbox", "mailboxes"},
	{"message", "messages"}, {"reply", "replies"}, {"replies", "replies"}, {"delivery", "deliveries"},
}

// collection names the collection that an argument or a field of an input leads to.
func (a idArgument) collection(name string) string {
	switch name {
	case "companyId":
		return "companies"
	case "mailboxId", "toMailboxId", "mailboxIds":
		return "mailboxes"
	case "assignedTo", "memberId":
		return "users"
	case "replyId":
		return "replies"
	case "stopped":
		return "enrollments"
	case "id", "ids":
		for _, n := range nouns {
			if strings.Contains(strings.ToLower(a.field.Name), n.noun) {
				return n.collection
			}
		}
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(name, "Ids"), "Id") + "s"
}

// target names the collection that the id is of.
func (a idArgument) target() string {
	name := a.path[len(a.path)-1]
	switch {
	case name == "-":
		name = a.path[len(a.path)-2]
	case name == "id" && len(a.path) > 1:
		return "steps"
	}
	return a.collection(name)
}

// row returns the id of the target in a workspace. For a filter of a list it is the one
// that the workspace's row of the list leads to.
func (a idArgument) row(s *stage, ids map[string]string) string {
	list, column := a.field.Name, strings.ToLower(strings.TrimSuffix(a.path[0], "Id"))+"_id"
	if a.rank() > 0 || ids[list] == "" || !strings.HasSuffix(a.path[0], "Id") {
		return ids[a.target()]
	}
	query := `SELECT to_jsonb(t)->>$2 FROM ` + list + ` t WHERE id = $1`
	if a.name() == "prospects.campaignId" {
		query = `SELECT to_jsonb(e)->>$2 FROM enrollments e WHERE prospect_id = $1`
	}
	var id *string
	if err := s.sql.QueryRow(s.t.Context(), query, ids[list], column).Scan(&id); err != nil || id == nil {
		return ids[a.target()]
	}
	return *id
}

func TestAnotherWorkspaceIsNowhereInGraphQL(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ours, theirs := s.workspace(), s.workspace()
	own, foreign := s.furnish(ours), s.furnish(theirs)
	owner := s.people(ours, own)
	s.people(theirs, foreign)
	arguments := idArguments(schema(t))
	documents := map[string]string{}
	for _, a := range arguments {
		documents[a.name()] = a.document(schema(t))
	}
	queries, err := graph.NewExecutor(s.executable, documents)
	must(t, err)
	ctx := outreach.WithActor(t.Context(), outreach.Actor{WorkspaceID: ours, User: &owner})
	before := s.everything(theirs)
	for _, a := range arguments {
		id, nowhere := a.row(s, foreign), uuid.NewString()
		if id == "" {
			t.Errorf("%s: there is no row for it", a.name())
			continue
		}
		known := ask(ctx, queries, a.name(), a.variables(schema(t), own, id))
		unknown := ask(ctx, queries, a.name(), a.variables(schema(t), own, nowhere))
		if known = strings.ReplaceAll(known, id, nowhere); known != unknown {
			t.Errorf("%s\ntheirs  %s\nnowhere %s", a.name(), known, unknown)
		}
		mine := ask(ctx, queries, a.name(), a.variables(schema(t), own, a.row(s, own)))
		if mine == unknown && sameForAll[a.name()] == "" {
			t.Errorf("%s does not look at the id: %s", a.name(), unknown)
		}
	}
	if diff := gocmp.Diff(before, s.everything(theirs)); diff != "" {
		t.Errorf("something of theirs has changed:\n%s", diff)
	}
}

// ask returns the data or the error of an operation as text.
func ask(ctx context.Context, queries *graph.Executor, name string, variables map[string]any) string {
	data, err := queries.Run(ctx, name, variables)
	if err != nil {
		return fmt.Sprintf("%s: %v", outreach.CodeOf(err), err)
	}
	return string(data)
}

// sameForAll are the arguments whose answer is the same for a row of one's own, with the
// reason.
var sameForAll = map[string]string{
	"answerDraft.replyId":             "there are no drafts",
	"deleteAnswerDraft.replyId":       "it succeeds without a draft",
	"deleteProspects.ids.-":           "deleteProspect has deleted it",
	"waitingAnswers.prospectId":       "no answer waits",
	"writers.replyId":                 "there are no writers",
	"redelivered.ids.-":               "nothing was queued again",
	"prospects.campaignId":            "the prospect is not enrolled",
	"replies.assignedTo":              "nothing is assigned yet",
	"history.prospectId":              "the prospect has no events",
	"createCampaign.input.steps.-.id": "a new campaign has no steps yet",
	"enrollmentCounts.campaignId":     "the campaign has no enrollments",
	"restoreEnrollments.ids.-":        "the enrollment is not stopped yet",
	"undoSuppressions.ids.-":          "deleteSuppression has deleted it",
	"undoSuppressions.stopped.-":      "its suppression is deleted",
}

// people puts a second user, a session and an invitation into a workspace. It returns its
// first user, an owner who has just entered the password.
func (s *stage) people(ws uuid.UUID, ids map[string]string) outreach.Viewer {
	s.t.Helper()
	ctx, email := s.t.Context(), ws.String()+"@people.example"
	owner, err := s.db.AddUser(ctx, ws, email, "hash", outreach.RoleOwner, false)
	must(s.t, err)
	member, err := s.db.AddUser(ctx, ws, "second."+email, "hash", outreach.RoleMember, false)
	must(s.t, err)
	session, invitation := uuid.New(), uuid.New()
	s.exec(`INSERT INTO sessions (hash, id, user_id, workspace_id, created_at, confirmed_at, last_seen_at, expires_at)
		VALUES ($1, $2, $3, $4, now(), now(), now(), now() + interval '1 day')`, session[:], session, owner, ws)
	s.exec(`INSERT INTO invitations (workspace_id, id, hash, email, role, invited_by, created_at, expires_at)
		VALUES ($1, $2, $3, $4, 'member', 'x', now(), now() + interval '1 day')`, ws, invitation, invitation[:], "third."+email)
	ids["users"], ids["sessions"], ids["invitations"], ids["workspaces"] = member.String(), session.String(), invitation.String(), ws.String()
	return outreach.Viewer{ID: owner, Email: email, Role: outreach.RoleOwner, WorkspaceID: ws, SessionID: session, ConfirmedAt: time.Now()}
}
