package house

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// wall is one depguard rule of .golangci.yml.
type wall struct {
	ListMode string   `yaml:"list-mode"`
	Files    []string `yaml:"files"`
	Allow    []string `yaml:"allow"`
	Deny     []struct {
		Pkg  string `yaml:"pkg"`
		Desc string `yaml:"desc"`
	} `yaml:"deny"`
}

// lintConfig is the part of .golangci.yml that is surveyed.
type lintConfig struct {
	Linters struct {
		Settings struct {
			Depguard struct {
				Rules map[string]wall `yaml:"rules"`
			} `yaml:"depguard"`
			Forbidigo struct {
				Forbid []struct {
					Pattern string `yaml:"pattern"`
					Msg     string `yaml:"msg"`
				} `yaml:"forbid"`
			} `yaml:"forbidigo"`
		} `yaml:"settings"`
	} `yaml:"linters"`
}

func readLint(t *testing.T) lintConfig {
	t.Helper()
	var config lintConfig
	if err := yaml.Unmarshal([]byte(read(t, ".golangci.yml")), &config); err != nil {
		t.Fatalf("read .golangci.yml: %v", err)
	}
	if len(config.Linters.Settings.Depguard.Rules) == 0 {
		t.Fatal(".golangci.yml has no walls")
	}
	return config
}

// A new room is not left without walls: some rule names its folder. The programs
// under cmd and devstack/install join rooms, and what a room's rule reaches by **
// counts for the folders below it.
func TestEveryRoomIsWalled(t *testing.T) {
	t.Parallel()
	var walled []string
	for _, rule := range readLint(t).Linters.Settings.Depguard.Rules {
		for _, file := range rule.Files {
			if pattern, ok := strings.CutPrefix(file, "${base-path}/"); ok {
				walled = append(walled, pattern)
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(goFiles(t))) {
		if folder == "rest/resttest" || strings.HasPrefix(folder, "cmd/") {
			continue
		}
		if !slices.ContainsFunc(walled, func(pattern string) bool { return reaches(pattern, folder) }) {
			t.Errorf("no wall in .golangci.yml names %s", folder)
		}
	}
}

// reaches reports whether a pattern of ours (folder/** or folder/*.go) covers the files in folder.
func reaches(pattern, folder string) bool {
	if above, deep := strings.CutSuffix(pattern, "/**"); deep {
		return folder == above || strings.HasPrefix(folder, above+"/")
	}
	own, _ := split(pattern)
	return folder == own
}

// depguard looks up an import among the sorted prefixes by the nearest one below
// it, so a prefix within another hides the shorter one from what lies between.
func TestWallsDoNotHideEachOther(t *testing.T) {
	t.Parallel()
	for name, rule := range readLint(t).Linters.Settings.Depguard.Rules {
		for _, one := range rule.Deny {
			if one.Desc == "" {
				t.Errorf("%s denies %s without a reason", name, one.Pkg)
			}
			for _, other := range rule.Deny {
				if one.Pkg != other.Pkg && strings.HasPrefix(other.Pkg, strings.TrimSuffix(one.Pkg, "$")) && !strings.HasSuffix(one.Pkg, "$") {
					t.Errorf("%s: %s lies within %s", name, other.Pkg, one.Pkg)
				}
			}
		}
	}
}
