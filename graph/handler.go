package graph

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"outreach"
)

// The bounds of one operation from outside. The largest that the application
// sends has a depth of 5 and a complexity of about 60. Anybody may ask, signed in or
// not: validation takes time by the square of the tokens, and what is valid stays
// in the cache with its text.
const (
	maxDepth      = 8
	maxToolDepth  = 16 // where tools read the schema, which takes them 14 levels
	maxComplexity = 400
	maxSelections = 5_000
	maxTokens     = 1_500
	maxDocument   = 16 << 10
	maxDocuments  = 200 // in the cache
	maxBody       = 5 << 20
	maxUnknown    = 64 << 10 // the body of somebody who has not signed in
)

// HandlerConfig says how /graphql is served.
type HandlerConfig struct {
	Logger *slog.Logger
	// Introspection lets tools read the schema; for `outreach dev`.
	Introspection bool
	// RequestID names the request that an answer belongs to.
	RequestID func(ctx context.Context) string
	// Timeout bounds one request; 90 seconds when zero, as a test mail may take a
	// minute.
	Timeout time.Duration
}

// NewHandler serves the schema over POST. Writes from another origin are refused
// (Fetch metadata and Origin, see net/http.CrossOriginProtection), so that a
// session cookie is of no use to another site.
func NewHandler(schema graphql.ExecutableSchema, config HandlerConfig) http.Handler {
	server := handler.New(schema)
	server.AddTransport(transport.POST{})
	server.SetQueryCache(lru.New[*ast.QueryDocument](maxDocuments))
	server.SetParserTokenLimit(maxTokens)
	server.Use(documentLimit(maxDocument))
	server.Use(selectionLimit(maxSelections)) // first: the next two follow every spread
	server.Use(extension.FixedComplexityLimit(maxComplexity))
	if config.Introspection {
		server.Use(depthLimit(maxToolDepth))
		server.Use(extension.Introspection{})
	} else {
		server.Use(depthLimit(maxDepth))
		server.Use(closedSchema{})
		server.SetDisableSuggestion(true) // "Did you mean" would tell the schema to strangers
	}
	server.SetErrorPresenter(config.present)
	server.SetRecoverFunc(func(ctx context.Context, panicked any) error {
		config.Logger.ErrorContext(ctx, "graphql resolver panicked", slog.Any("panic", panicked))
		return errors.New("panic")
	})
	var protection http.CrossOriginProtection
	return protection.Handler(headers(limited(within(cmp.Or(config.Timeout, 90*time.Second), server))))
}

// limited bounds the body by who sends it: it is held in memory, and whoever wants
// to sign in has little to say.
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

// within bounds how long a request may take, the reading of its body included.
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

// What gqlgen says of a body that it cannot decode begins with unreadable, and of
// one that http.MaxBytesReader has cut off it ends with tooLarge.
const (
	unreadable = "json request body could not be decoded"
	tooLarge   = "http: request body too large"
)

// present shows a client error with its code and fields, and hides every other
// behind the request's id.
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
			shown.Message = "The body is not a JSON object with a query." // gqlgen repeats it, password and all
		case strings.HasSuffix(shown.Message, tooLarge) && known:
			shown.Message, extensions["code"] = "The body is too large.", outreach.CodeTooLarge
		case strings.HasSuffix(shown.Message, tooLarge): // a session may have ended meanwhile
			shown.Message, extensions["code"] = errSignIn.Message, errSignIn.Code
		}
	} else {
		if !errors.Is(ctx.Err(), context.Canceled) { // a client that left is no fault
			config.Logger.ErrorContext(ctx, "graphql operation failed", slog.Any("error", err), slog.String("request_id", config.RequestID(ctx)))
		}
		shown.Message, extensions["code"] = "Something went wrong on our side.", outreach.CodeInternal
		if errors.Is(err, context.DeadlineExceeded) {
			shown.Message, extensions["code"] = "This took too long. Try again in a moment.", outreach.CodeUnavailable
		}
	}
	shown.Extensions = extensions
	return shown
}

func faultsOf(fields []outreach.FieldError) []map[string]string {
	out := make([]map[string]string, len(fields))
	for i, f := range fields {
		out[i] = map[string]string{"pointer": f.Pointer(), "code": string(f.Code), "detail": f.Detail}
	}
	return out
}

// documentLimit refuses documents of more bytes than it says, before they are
// parsed. Values have their place in the variables.
type documentLimit int

// ExtensionName names the limit in gqlgen's registry.
func (documentLimit) ExtensionName() string { return "DocumentLimit" }

// Validate has nothing to check: the limit needs nothing of the schema.
func (documentLimit) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters refuses a request whose document is too long.
func (limit documentLimit) MutateOperationParameters(_ context.Context, request *graphql.RawParams) *gqlerror.Error {
	if len(request.Query) > int(limit) {
		return gqlerror.Errorf("The document has more than %d bytes; put values into variables.", int(limit))
	}
	return nil
}

// selectionLimit refuses operations of more selections than it says, each counted
// as often as its fragments are spread: a document of n fragments that spread each
// other twice stands for 2^n fields.
type selectionLimit int

// ExtensionName names the limit in gqlgen's registry.
func (selectionLimit) ExtensionName() string { return "SelectionLimit" }

// Validate has nothing to check: the limit needs nothing of the schema.
func (selectionLimit) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext refuses an operation that is too long once it is written out.
func (limit selectionLimit) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if left := int(limit); !fits(&left, op.Operation.SelectionSet) {
		return gqlerror.Errorf("The operation has more than %d selections, fragments written out.", int(limit))
	}
	return nil
}

// fits counts down for every selection and stops below zero.
func fits(left *int, set ast.SelectionSet) bool {
	for _, selection := range set {
		*left--
		if *left < 0 || !fits(left, below(selection)) {
			return false
		}
	}
	return true
}

// below gives what a selection holds.
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

// depthLimit refuses operations that nest deeper than it says.
type depthLimit int

// ExtensionName names the limit in gqlgen's registry.
func (depthLimit) ExtensionName() string { return "DepthLimit" }

// Validate has nothing to check: the limit needs nothing of the schema.
func (depthLimit) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext refuses an operation that is too deep.
func (limit depthLimit) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if depth(op.Operation.SelectionSet) > int(limit) {
		return gqlerror.Errorf("The operation nests deeper than %d levels.", int(limit))
	}
	return nil
}

// closedSchema refuses operations that ask for the schema itself.
type closedSchema struct{}

// ExtensionName names the refusal in gqlgen's registry.
func (closedSchema) ExtensionName() string { return "ClosedSchema" }

// Validate has nothing to check.
func (closedSchema) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext refuses an operation with __schema or __type at its root.
func (closedSchema) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	for _, field := range graphql.CollectFields(op, op.Operation.SelectionSet, []string{"Query"}) {
		if field.Name == "__schema" || field.Name == "__type" {
			return gqlerror.Errorf("This service does not answer to introspection.")
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
