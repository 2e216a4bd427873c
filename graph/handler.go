package graph

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"outreach"
	"outreach/internal/panics"
	"outreach/internal/share"
)

// The limits of one operation. The largest operation of the application has a depth of 5 and a
// complexity of about 60. The limits also hold for clients without a session: the time of
// validation grows with the square of the number of tokens, and valid documents stay in the cache.
const (
	maxDepth      = 8
	maxToolDepth  = 16 // with introspection; tools use 14 levels
	maxComplexity = 400
	maxSelections = 5_000
	maxRoots      = 10 // fields at the root; the application needs 9
	maxAtOnce     = 8  // fields of queries that one workspace resolves at a time
	maxTokens     = 1_500
	maxDocument   = 16 << 10
	maxDocuments  = 200 // in the cache
	maxBody       = 5 << 20
	maxUnknown    = 64 << 10 // body of a client without a session
)

// HandlerConfig configures the handler of /graphql.
type HandlerConfig struct {
	Logger *slog.Logger
	// Introspection allows tools to read the schema; for `outreach dev`.
	Introspection bool
	// RequestID returns the id of the request.
	RequestID func(ctx context.Context) string
	// Timeout limits one request; 90 seconds when zero, because a test e-mail may take a minute.
	Timeout time.Duration
}

// NewHandler serves the schema over POST. It refuses writes from another origin (Fetch
// metadata and Origin, see net/http.CrossOriginProtection), so that another site cannot
// use a session cookie.
func NewHandler(schema graphql.ExecutableSchema, config HandlerConfig) http.Handler {
	server := handler.New(schema)
	server.AddTransport(transport.POST{})
	server.SetQueryCache(lru.New[*ast.QueryDocument](maxDocuments))
	server.SetParserTokenLimit(maxTokens)
	server.Use(documentLimit(maxDocument))
	server.Use(limitSelections(maxSelections)) // before the next two, which expand every fragment
	server.Use(extension.FixedComplexityLimit(maxComplexity))
	server.Use(limitRoots(maxRoots))
	server.Use(workspaceLimit{share.New[uuid.UUID](maxAtOnce)})
	if config.Introspection {
		server.Use(limitDepth(maxToolDepth))
		server.Use(extension.Introspection{})
	} else {
		server.Use(limitDepth(maxDepth))
		server.Use(operationCheck(refuseIntrospection))
		server.SetDisableSuggestion(true) // for fields; quietRules has the other rules
		server.SetValidationRulesFn(quietRules)
	}
	server.SetErrorPresenter(config.present)
	server.SetRecoverFunc(func(ctx context.Context, panicked any) error {
		config.Logger.ErrorContext(ctx, "graphql resolver panicked", slog.String("panic", panics.Text(panicked)),
			slog.String("stack", string(debug.Stack())))
		return errors.New("panic")
	})
	var protection http.CrossOriginProtection
	return protection.Handler(headers(limited(within(cmp.Or(config.Timeout, 90*time.Second), server))))
}

// quietRules are the rules of GraphQL without "Did you mean": it would reveal the names of
// arguments, types, enum values and input fields to strangers.
func quietRules() *rules.Rules {
	quiet := rules.NewDefaultRules()
	quiet.ReplaceRule(rules.KnownArgumentNamesRule.Name, rules.KnownArgumentNamesRuleWithoutSuggestions.RuleFunc)
	quiet.ReplaceRule(rules.KnownTypeNamesRule.Name, rules.KnownTypeNamesRuleWithoutSuggestions.RuleFunc)
	quiet.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, rules.ValuesOfCorrectTypeRuleWithoutSuggestions.RuleFunc)
	return quiet
}

// limited limits the body, which is held in memory: clients with a session may send more than
// clients that sign in.
func limited(next http.Handler) http.Handler {
	known, unknown := http.MaxBytesHandler(next, maxBody), http.MaxBytesHandler(next, maxUnknown)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := outreach.ActorFrom(r.Context()); ok {
			known.ServeHTTP(w, r)
			return
		}
		unknown.ServeHTTP(w, r)
	})
}

// within limits the time of a request, including reading its body.
func within(timeout time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "private, no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// gqlgen's message about a body that it cannot decode begins with unreadable; if
// http.MaxBytesReader cut the body off, it ends with tooLarge.
const (
	unreadable = "json request body could not be decoded"
	tooLarge   = "http: request body too large"
)

// present returns a client error with its code and fields. Of any other error it shows only the
// request id.
func (config HandlerConfig) present(ctx context.Context, err error) *gqlerror.Error {
	shown := graphql.DefaultErrorPresenter(ctx, err)
	extensions := map[string]any{"request_id": config.RequestID(ctx)}
	if refused, ok := errors.AsType[*outreach.Error](err); ok {
		shown.Message = refused.Message
		extensions["code"] = refused.Code
		if len(refused.Fields) > 0 {
			extensions["fields"] = faultsOf(refused.Fields)
		}
		for key, value := range refused.Extra {
			extensions[key] = value
		}
	} else if plain, ok := errors.AsType[*gqlerror.Error](err); ok && plain.Err == nil {
		extensions["code"] = "invalid_query" // the document or its variables
		_, known := outreach.ActorFrom(ctx)
		switch {
		case strings.HasPrefix(shown.Message, unreadable):
			shown.Message = "The body must be a JSON object with a query." // gqlgen's message would contain the body, and a password in it
		case strings.HasSuffix(shown.Message, tooLarge) && known:
			shown.Message, extensions["code"] = "The body is too large.", outreach.CodeTooLarge
		case strings.HasSuffix(shown.Message, tooLarge): // a session may have ended during the request
			shown.Message, extensions["code"] = errSignIn.Message, errSignIn.Code
		default:
			shown.Message = withoutValues(shown.Message)
		}
	} else {
		if !errors.Is(ctx.Err(), context.Canceled) { // not logged if the client closed the connection
			config.Logger.ErrorContext(ctx, "graphql operation failed", slog.Any("error", err), slog.String("request_id", config.RequestID(ctx)))
		}
		shown.Message, extensions["code"] = "An internal error occurred. Try again in a moment.", outreach.CodeInternal
		if errors.Is(err, context.DeadlineExceeded) {
			shown.Message, extensions["code"] = "This took too long. Try again in a moment.", outreach.CodeUnavailable
		}
	}
	shown.Extensions = extensions
	return shown
}

// The parser's messages contain a literal that is not expected, and one of a wrong type.
var (
	unexpectedLiteral = regexp.MustCompile(`\b(String|BlockString) "(?:[^"\\]|\\.)*"`)
	wrongLiteral      = regexp.MustCompile(`(?s)( cannot represent [^:]* value): .*`)
)

// withoutValues removes literals from a message about a document: one of them may be a password.
func withoutValues(message string) string {
	return wrongLiteral.ReplaceAllString(unexpectedLiteral.ReplaceAllString(message, "$1"), "$1")
}

func faultsOf(fields []outreach.FieldError) []map[string]string {
	out := make([]map[string]string, len(fields))
	for i, f := range fields {
		out[i] = map[string]string{"pointer": f.Pointer(), "code": string(f.Code), "detail": f.Detail}
	}
	return out
}

// documentLimit refuses longer documents before they are parsed. Values belong in variables.
type documentLimit int

// ExtensionName names the limit in gqlgen's registry.
func (documentLimit) ExtensionName() string { return "DocumentLimit" }

// Validate does nothing: the limit does not depend on the schema.
func (documentLimit) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters refuses a request whose document is too long.
func (limit documentLimit) MutateOperationParameters(_ context.Context, request *graphql.RawParams) *gqlerror.Error {
	if len(request.Query) > int(limit) {
		return gqlerror.Errorf("The document has more than %d bytes. Put values into variables.", int(limit))
	}
	return nil
}

// operationCheck is a gqlgen extension that refuses operations before they run.
type operationCheck func(op *graphql.OperationContext) *gqlerror.Error

// ExtensionName names the check in gqlgen's registry.
func (operationCheck) ExtensionName() string { return "OperationCheck" }

// Validate does nothing: no check depends on the schema.
func (operationCheck) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext calls the check.
func (check operationCheck) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	return check(op)
}

// limitSelections refuses operations with more selections. A fragment counts each time it is used:
// n fragments that each use the next one twice make 2^n fields.
func limitSelections(most int) operationCheck {
	return func(op *graphql.OperationContext) *gqlerror.Error {
		if left := most; !fits(&left, op.Operation.SelectionSet) {
			return gqlerror.Errorf("The operation has more than %d selections, counted with its fragments.", most)
		}
		return nil
	}
}

// fits subtracts every selection from left and reports whether left stays at zero or above.
func fits(left *int, set ast.SelectionSet) bool {
	for _, selection := range set {
		*left--
		if *left < 0 || !fits(left, below(selection)) {
			return false
		}
	}
	return true
}

// below returns the selections inside a selection.
func below(selection ast.Selection) ast.SelectionSet {
	switch s := selection.(type) {
	case *ast.Field:
		return s.SelectionSet
	case *ast.InlineFragment:
		return s.SelectionSet
	case *ast.FragmentSpread:
		return s.Definition.SelectionSet
	}
	return nil
}

// limitDepth refuses operations that nest deeper.
func limitDepth(most int) operationCheck {
	return func(op *graphql.OperationContext) *gqlerror.Error {
		if depth(op.Operation.SelectionSet) > most {
			return gqlerror.Errorf("The operation nests deeper than %d levels.", most)
		}
		return nil
	}
}

// refuseIntrospection refuses an operation with __schema or __type at its root.
func refuseIntrospection(op *graphql.OperationContext) *gqlerror.Error {
	for _, field := range graphql.CollectFields(op, op.Operation.SelectionSet, []string{"Query"}) {
		if field.Name == "__schema" || field.Name == "__type" {
			return gqlerror.Errorf("This service does not answer introspection.")
		}
	}
	return nil
}

func depth(set ast.SelectionSet) int {
	deepest := 0
	for _, selection := range set {
		levels := depth(below(selection))
		if _, field := selection.(*ast.Field); field {
			levels++
		}
		deepest = max(deepest, levels)
	}
	return deepest
}
