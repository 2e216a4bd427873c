package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/google/go-cmp/cmp"
)

// secrets are what an operator has to say before the compose file starts.
func secrets() types.Mapping {
	return types.Mapping{
		"POSTGRES_PASSWORD":   "correcthorse",
		"DATABASE_PASSWORD":   "batterystaple",
		"REDIS_PASSWORD":      "staplebattery",
		"OUTREACH_BASE_URL":   "https://outreach.example.com",
		"OUTREACH_SECRET_KEY": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
	}
}

// compose reads docker-compose.yml as Compose does: schema, interpolation and
// the references between its parts.
func compose(t *testing.T, environment types.Mapping) (*types.Project, error) {
	t.Helper()
	return loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  root,
		ConfigFiles: []types.ConfigFile{{Filename: "docker-compose.yml", Content: []byte(read(t, "docker-compose.yml"))}},
		Environment: environment,
	}, func(o *loader.Options) { o.SetProjectName("outreach", true) })
}

func mustCompose(t *testing.T) *types.Project {
	t.Helper()
	project, err := compose(t, secrets())
	if err != nil {
		t.Fatalf("read docker-compose.yml: %v", err)
	}
	return project
}

// What an operator sets in .env reaches both roles, whatever variable it is. The file sets addresses
// itself, its database has no pooler, and files of authorities need a mount beside their variable.
func TestComposePassesVariablesOn(t *testing.T) {
	t.Parallel()
	own := []string{"DATABASE_URL", "REDIS_URL", "OUTREACH_ADDR", "OUTREACH_METRICS_ADDR", "OUTREACH_DATABASE_POOLER",
		"OUTREACH_MIGRATE_URL", "OUTREACH_MAIL_CA_FILE", "OUTREACH_WEBHOOK_CA_FILE"}
	environment := secrets()
	var names []string
	for name := range variables(t) {
		if !slices.Contains(own, name) {
			names = append(names, name)
			environment[name] = "set to " + name
		}
	}
	project, err := compose(t, environment)
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []string{"app", "worker"} {
		for _, name := range names {
			if passed := project.Services[role].Environment[name]; passed == nil || *passed != environment[name] {
				t.Errorf("%s does not get %s", role, name)
			}
		}
	}
}

// A missing secret stops the start with its name, and no secret has a default.
func TestComposeAsksForSecrets(t *testing.T) {
	t.Parallel()
	for name := range secrets() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			environment := secrets()
			delete(environment, name)
			if _, err := compose(t, environment); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("without %s: %v, want an error that names it", name, err)
			}
		})
	}
}

// Every service is watched, comes back, and can change nothing but its volumes.
func TestComposeServices(t *testing.T) {
	t.Parallel()
	project := mustCompose(t)
	if diff := cmp.Diff([]string{"app", "postgres", "redis", "worker"}, project.ServiceNames()); diff != "" {
		t.Fatalf("services (-want +got):\n%s", diff)
	}
	for name, service := range project.Services {
		if service.HealthCheck == nil || len(service.HealthCheck.Test) == 0 || service.HealthCheck.Disable {
			t.Errorf("%s is not watched", name)
		}
		if !service.ReadOnly || service.Privileged {
			t.Errorf("%s can write where it likes: read only %v, privileged %v", name, service.ReadOnly, service.Privileged)
		}
		if service.Restart != "unless-stopped" {
			t.Errorf("%s restarts %q", name, service.Restart)
		}
		if service.MemLimit == 0 || service.PidsLimit == 0 {
			t.Errorf("%s has no limits: memory %d, processes %d", name, service.MemLimit, service.PidsLimit)
		}
		if service.ContainerName != "" {
			t.Errorf("%s has a name of its own and cannot be scaled", name)
		}
		if name != "app" && len(service.Ports) > 0 {
			t.Errorf("%s publishes %v", name, service.Ports)
		}
	}
}

// app and worker are one image in two roles, and the schema is brought up to
// date by one of them, before the other starts.
func TestComposeRoles(t *testing.T) {
	t.Parallel()
	project := mustCompose(t)
	app, worker := project.Services["app"], project.Services["worker"]
	if diff := cmp.Diff(types.ShellCommand{"serve", "--roles", "api", "--migrate"}, app.Command); diff != "" {
		t.Errorf("command of app (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(types.ShellCommand{"serve", "--roles", "worker"}, worker.Command); diff != "" {
		t.Errorf("command of worker (-want +got):\n%s", diff)
	}
	if app.Image != worker.Image {
		t.Errorf("app is %s, worker is %s", app.Image, worker.Image)
	}
	if got := worker.DependsOn["app"].Condition; got != types.ServiceConditionHealthy {
		t.Errorf("worker waits for app to be %q", got)
	}
	if diff := cmp.Diff(app.Environment, worker.Environment); diff != "" {
		t.Errorf("app and worker are told different things (-app +worker):\n%s", diff)
	}
}

// The stores are of the versions and settings that the service relies on, and
// live on a network that leads nowhere else.
func TestComposeStores(t *testing.T) {
	t.Parallel()
	project := mustCompose(t)
	postgres, redis := project.Services["postgres"], project.Services["redis"]
	if !strings.HasPrefix(postgres.Image, "postgres:17") {
		t.Errorf("postgres is %s", postgres.Image)
	}
	// app and three workers take up to 30 connections each.
	if command := strings.Join(postgres.Command, " "); command != "postgres -c max_connections=200" {
		t.Errorf("postgres runs %q", command)
	}
	// The service's role owns its database and is not a superuser.
	if url := project.Services["app"].Environment["DATABASE_URL"]; url == nil ||
		!strings.HasPrefix(*url, "postgres://outreach:batterystaple@") {
		t.Error("the service does not connect by its own role")
	}
	if user := postgres.Environment["POSTGRES_USER"]; user != nil {
		t.Errorf("the superuser is %s, want the default apart from the service's role", *user)
	}
	if role := project.Configs["role"].Content; !strings.Contains(role, "CREATE ROLE outreach LOGIN NOSUPERUSER") {
		t.Errorf("the database is set up by:\n%s", role)
	}
	command := strings.Join(redis.Command, " ")
	if url := project.Services["app"].Environment["REDIS_URL"]; url == nil ||
		!strings.HasPrefix(*url, "redis://:staplebattery@") || !strings.Contains(command, "--requirepass staplebattery") {
		t.Error("Redis has no password, or the service does not know it")
	}
	for _, setting := range []string{"--appendonly yes", "--maxmemory-policy noeviction"} {
		if !strings.Contains(command, setting) {
			t.Errorf("redis runs %q, without %s", command, setting)
		}
	}
	for name, service := range map[string]types.ServiceConfig{"postgres": postgres, "redis": redis} {
		if len(service.Volumes) != 1 || service.Volumes[0].Type != types.VolumeTypeVolume {
			t.Errorf("%s keeps its data in %v", name, service.Volumes)
		}
		for network := range service.Networks {
			if !project.Networks[network].Internal {
				t.Errorf("%s is on the open network %s", name, network)
			}
		}
	}
}

// Each variable that app is given is one that the program knows, and each that
// the program requires is given.
func TestComposeVariables(t *testing.T) {
	t.Parallel()
	known := variables(t)
	given := mustCompose(t).Services["app"].Environment
	for name := range given {
		if _, ok := known[name]; !ok {
			t.Errorf("docker-compose.yml sets %s, which the program does not read", name)
		}
	}
	for name, required := range known {
		if value, ok := given[name]; required && (!ok || value == nil) {
			t.Errorf("docker-compose.yml does not set %s, which the program requires", name)
		}
	}
}

// variables reads the names out of the tags of cmd/outreach's Config, the same
// that `outreach help config` prints, and whether each is required.
func variables(t *testing.T) map[string]bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "cmd/outreach/config.go"), nil, 0)
	if err != nil {
		t.Fatalf("parse the program's configuration: %v", err)
	}
	found := map[string]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		field, ok := node.(*ast.Field)
		if !ok || field.Tag == nil {
			return true
		}
		name, options, _ := strings.Cut(reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("env"), ",")
		if name != "" {
			found[name] = slices.Contains(strings.Split(options, ","), "required")
		}
		return true
	})
	if len(found) == 0 {
		t.Fatal("the program has no configuration")
	}
	return found
}

// The image and the compose file call commands that the program has.
func TestImageCommands(t *testing.T) {
	t.Parallel()
	program := read(t, "cmd/outreach/main.go")
	app := mustCompose(t).Services["app"]
	for _, command := range []string{app.Command[0], app.HealthCheck.Test[2]} {
		if !strings.Contains(program, `{"`+command+`", `) {
			t.Errorf("the program has no command %s", command)
		}
	}
	dockerfile := read(t, "Dockerfile")
	for _, line := range []string{`USER nonroot`, `EXPOSE 8080`, `CGO_ENABLED=0`, `CMD ["/outreach", "healthcheck"]`} {
		if !strings.Contains(dockerfile, line) {
			t.Errorf("Dockerfile has no %s", line)
		}
	}
	module := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))
	if want := "FROM golang:" + module[1]; !strings.Contains(dockerfile, want) {
		t.Errorf("Dockerfile does not build with %s", want)
	}
}
