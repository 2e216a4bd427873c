// Package check tests the files in deploy by the tools that read them: Helm's linter and
// renderer with strict decoding into the types of Kubernetes, systemd-analyze, promtool.
// That the metrics exist is tested in cmd/outreach.
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	sigyaml "sigs.k8s.io/yaml"
)

const chartDir = "../helm/outreach"

// everything turns on each optional part of the chart.
var everything = map[string]any{
	"config":           map[string]any{"OUTREACH_LOG_LEVEL": "warn", "OUTREACH_RATE_LIMIT": 900},
	"imagePullSecrets": []any{map[string]any{"name": "registry"}},
	"api":              map[string]any{"autoscaling": map[string]any{"enabled": true}},
	"worker":           map[string]any{"autoscaling": map[string]any{"enabled": true}},
	"ingress":          map[string]any{"enabled": true, "className": "nginx", "tlsSecret": "tls", "annotations": map[string]any{"a": "b"}},
	"networkPolicy":    map[string]any{"apiFrom": []any{map[string]any{"podSelector": map[string]any{}}}},
	"nodeSelector":     map[string]any{"kubernetes.io/os": "linux"},
	"tolerations":      []any{map[string]any{"operator": "Exists"}},
	"affinity":         map[string]any{"nodeAffinity": map[string]any{}},
}

func TestChartPassesHelmsLinter(t *testing.T) {
	for name, values := range map[string]map[string]any{"default": nil, "everything": everything} {
		for _, message := range lint.All(chartDir, values, "default", true).Messages {
			if message.Severity > support.InfoSev {
				t.Errorf("%s values: %s", name, message)
			}
		}
	}
}

// kinds are the objects of the chart, and what each decodes into.
var kinds = map[string]func() any{
	"ServiceAccount":          func() any { return new(corev1.ServiceAccount) },
	"Service":                 func() any { return new(corev1.Service) },
	"Deployment":              func() any { return new(appsv1.Deployment) },
	"Job":                     func() any { return new(batchv1.Job) },
	"PodDisruptionBudget":     func() any { return new(policyv1.PodDisruptionBudget) },
	"HorizontalPodAutoscaler": func() any { return new(autoscalingv2.HorizontalPodAutoscaler) },
	"NetworkPolicy":           func() any { return new(networkingv1.NetworkPolicy) },
	"Ingress":                 func() any { return new(networkingv1.Ingress) },
}

func TestChartRendersKnownObjects(t *testing.T) {
	tests := []struct {
		name   string
		values map[string]any
		want   map[string]int
	}{
		{"default", nil, map[string]int{
			"ServiceAccount": 1, "Service": 1, "Deployment": 2, "Job": 1, "PodDisruptionBudget": 2, "NetworkPolicy": 3}},
		{"everything", everything, map[string]int{
			"ServiceAccount": 1, "Service": 1, "Deployment": 2, "Job": 1, "PodDisruptionBudget": 2, "NetworkPolicy": 3,
			"HorizontalPodAutoscaler": 2, "Ingress": 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			objects := render(t, test.values)
			got := map[string]int{}
			for _, object := range objects {
				got[object.kind]++
			}
			if !maps.Equal(got, test.want) {
				t.Errorf("objects %v, want %v", got, test.want)
			}
			for _, object := range objects {
				checkPods(t, object)
			}
		})
	}
}

// The schema of the values refuses what no process could start with.
func TestChartRefusesBadValues(t *testing.T) {
	chart, err := loader.Load(chartDir)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range map[string]map[string]any{
		"base URL with a path": {"baseURL": "https://outreach.example.com/app"},
		"no secret":            {"existingSecret": ""},
		"too little time":      {"terminationGracePeriodSeconds": 10},
	} {
		if _, err := chartutil.ToRenderValues(chart, values, chartutil.ReleaseOptions{Name: "o"}, nil); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// object is one rendered document.
type object struct {
	kind  string
	typed any
}

// render returns the objects of the chart. A field that its type does not have fails the
// test.
func render(t *testing.T, values map[string]any) (objects []object) {
	t.Helper()
	chart, err := loader.Load(chartDir)
	if err != nil {
		t.Fatal(err)
	}
	release := chartutil.ReleaseOptions{Name: "outreach", Namespace: "default", IsInstall: true}
	all, err := chartutil.ToRenderValues(chart, values, release, nil)
	if err != nil {
		t.Fatal(err)
	}
	files, err := engine.Render(chart, all)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if filepath.Ext(name) != ".yaml" {
			continue
		}
		for _, document := range documents(t, files[name]) {
			var head struct{ Kind string }
			if err := sigyaml.Unmarshal(document, &head); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if head.Kind == "" {
				continue
			}
			build := kinds[head.Kind]
			if build == nil {
				t.Fatalf("%s: unknown kind %q", name, head.Kind)
			}
			typed := build()
			if err := sigyaml.UnmarshalStrict(document, typed); err != nil {
				t.Errorf("%s: %s: %v", name, head.Kind, err)
			}
			objects = append(objects, object{head.Kind, typed})
		}
	}
	return objects
}

func documents(t *testing.T, text string) (all [][]byte) {
	t.Helper()
	decoder := yaml.NewDocumentDecoder(io.NopCloser(strings.NewReader(text)))
	for buffer := make([]byte, 1<<20); ; {
		n, err := decoder.Read(buffer)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, slices.Clone(buffer[:n]))
	}
}

// checkPods fails for a pod that has more rights than it needs, or whose selector does not
// find it.
func checkPods(t *testing.T, o object) {
	t.Helper()
	var pod corev1.PodTemplateSpec
	switch typed := o.typed.(type) {
	case *appsv1.Deployment:
		pod = typed.Spec.Template
		for name, value := range typed.Spec.Selector.MatchLabels {
			if pod.Labels[name] != value {
				t.Errorf("%s: the selector wants %s=%s, the pod has %q", typed.Name, name, value, pod.Labels[name])
			}
		}
	case *batchv1.Job:
		pod = typed.Spec.Template
	default:
		return
	}
	security := pod.Spec.SecurityContext
	if security == nil || security.RunAsNonRoot == nil || !*security.RunAsNonRoot {
		t.Errorf("%s may run as root", o.kind)
	}
	for _, container := range pod.Spec.Containers {
		if c := container.SecurityContext; c == nil || c.ReadOnlyRootFilesystem == nil || !*c.ReadOnlyRootFilesystem ||
			len(c.Capabilities.Drop) != 1 {
			t.Errorf("%s: container %s has rights that it does not need", o.kind, container.Name)
		}
		if container.Resources.Limits.Memory().IsZero() {
			t.Errorf("%s: container %s has no memory limit", o.kind, container.Name)
		}
	}
}

// systemd-analyze reads the units with the drop-in, finds no fault, and rates what a
// process could do if it were taken over.
func TestUnits(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../systemd")); err != nil {
		t.Fatal(err)
	}
	var units []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".service" {
			return err
		}
		units = append(units, path)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		installed := strings.ReplaceAll(string(text), "/usr/local/bin/outreach", "/bin/true")
		return os.WriteFile(path, []byte(installed), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(units) != 2 {
		t.Fatalf("units %v, want two", units)
	}
	run(t, dir, "systemd-analyze", append([]string{"verify", "--man=no", "--recursive-errors=no"}, units...)...)
	for _, unit := range units {
		run(t, dir, "systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", filepath.Base(unit))
	}
}

func TestAlerts(t *testing.T) {
	dir, err := filepath.Abs("../prometheus")
	if err != nil {
		t.Fatal(err)
	}
	run(t, "", "promtool", "check", "rules", filepath.Join(dir, "alerts.yaml"))
	run(t, "", "promtool", "test", "rules", filepath.Join(dir, "alerts_test.yaml"))
}

// run runs a tool with a folder of units and fails the test with its output.
func run(t *testing.T, units, name string, args ...string) {
	t.Helper()
	command := exec.CommandContext(context.Background(), name, args...)
	if units != "" {
		command.Env = append(os.Environ(), fmt.Sprintf("SYSTEMD_UNIT_PATH=%s:", units))
	}
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
