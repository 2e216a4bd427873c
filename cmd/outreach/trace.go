package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"outreach/jobs"
	"outreach/jobs/queue"
)

// tracing exports spans; it does nothing without an OTLP endpoint.
type tracing struct {
	provider trace.TracerProvider
	exports  bool
	stop     func(context.Context) error
}

// newTracing exports spans over OTLP/HTTP, in batches in the background: an unavailable collector
// only loses spans.
func newTracing(ctx context.Context, endpoint string) (tracing, error) {
	if endpoint == "" {
		return tracing{noop.NewTracerProvider(), false, func(context.Context) error { return nil }}, nil
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint+"/v1/traces"))
	if err != nil {
		return tracing{}, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", "outreach"))))
	return tracing{provider, true, provider.Shutdown}, nil
}

// close sends the remaining spans, for five seconds at most.
func (t tracing) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = t.stop(ctx) // an unavailable collector is not an error
}

// requests creates a span for each request, named by its route. Without an exporter it returns
// next, because unused spans cost time.
func (t tracing) requests(next http.Handler) http.Handler {
	if !t.exports {
		return next
	}
	traced := otelhttp.NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, _ := r.Context().Value(askedKey{}).(*url.URL)
		r.URL = asked
		next.ServeHTTP(w, r)
	}), "request", otelhttp.WithTracerProvider(t.provider),
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string { return methodOf(r.Method) + " " + routeOf(r.URL.Path) }))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown := r.WithContext(context.WithValue(r.Context(), askedKey{}, r.URL))
		shown.URL = &url.URL{Path: logPath(r.URL.Path)}
		traced.ServeHTTP(w, shown)
	})
}

// askedKey holds the address of a request while its span gets another: the collector must not
// learn the tokens of public links.
type askedKey struct{}

// attempts creates a span for each delivery attempt, with only its ids and outcome.
func (t tracing) attempts(post jobs.Post) jobs.Post {
	tracer := t.provider.Tracer("outreach/webhook")
	return func(ctx context.Context, attempt queue.Attempt) queue.Answer {
		ctx, span := tracer.Start(ctx, "webhook attempt", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
			attribute.String("outreach.delivery_id", attempt.ID.String()), attribute.Int("outreach.attempt", attempt.Number),
			attribute.String("outreach.workspace_id", attempt.WorkspaceID.String())))
		answer := post(ctx, attempt)
		if answer.HTTPStatus != nil {
			span.SetAttributes(attribute.Int("http.response.status_code", *answer.HTTPStatus))
		}
		if answer.Error != nil {
			span.SetAttributes(attribute.String("error.type", *answer.Error))
		}
		span.End() // not deferred: it would record the text of a panic
		return answer
	}
}
