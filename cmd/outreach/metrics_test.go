package main

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"outreach/jobs"
	"outreach/storage/stores"
)

var (
	metricInText = regexp.MustCompile(`\boutreach_[a-z_]+`)
	metricInDesc = regexp.MustCompile(`fqName: "([a-z_]+)"`)
	ofHistogram  = regexp.MustCompile(`_(bucket|sum|count)$`)
)

// The alerts, the dashboard and the chart in deploy name metrics that exist.
func TestDeployedMetricsExist(t *testing.T) {
	t.Parallel()
	a := &app{store: &stores.Stores{}, attempts: jobs.NewMetrics(), mailMetrics: newMailMetrics(), requests: newRequestMetrics(),
		partitions: newPartitionGauge(), opts: options{roles: []string{"api", "worker"}}}
	if err := a.buildMetrics(); err != nil {
		t.Fatal(err)
	}
	descs := make(chan *prometheus.Desc)
	go func() { a.registry.Describe(descs); close(descs) }()
	var known []string
	for desc := range descs {
		known = append(known, metricInDesc.FindStringSubmatch(desc.String())[1])
	}
	for _, file := range []string{"prometheus/alerts.yaml", "grafana/outreach.json", "helm/outreach/templates/autoscaling.yaml"} {
		text, err := os.ReadFile("../../deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		named := metricInText.FindAllString(string(text), -1)
		if len(named) == 0 {
			t.Errorf("%s names no metric", file)
		}
		for _, name := range named {
			if !slices.Contains(known, name) && !slices.Contains(known, ofHistogram.ReplaceAllString(name, "")) {
				t.Errorf("%s: there is no metric %s", file, name)
			}
		}
	}
}
