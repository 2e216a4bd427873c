# syntax=docker/dockerfile:1

# The application under ui/dist is committed, so Go is all that the build needs.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY third_party ./third_party
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
# No cgo: the resolver is Go's own, which refuses numbers that pass for hosts,
# and the binary runs without a C library.
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags='-s -w' -o /outreach ./cmd/outreach

# Certificates and a user without rights; no shell.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /outreach /outreach
USER nonroot
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s CMD ["/outreach", "healthcheck"]
ENTRYPOINT ["/outreach"]
CMD ["serve"]
