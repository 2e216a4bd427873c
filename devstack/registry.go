package devstack

import (
	"bufio"
	"cmp"
	"os"
	"path/filepath"
	"strings"
)

// NPMRegistry returns the npm registry that this machine is configured to use, by the rules of npm:
// the environment first, then the user's .npmrc, then the global one. It returns "" for the public
// registry if none is configured. getenv is os.Getenv outside tests.
func NPMRegistry(getenv func(string) string) string {
	for _, name := range []string{"npm_config_registry", "NPM_CONFIG_REGISTRY"} {
		if address := getenv(name); address != "" {
			return address
		}
	}
	for _, path := range npmrcFiles(getenv) {
		if address := registryIn(path, getenv); address != "" {
			return address
		}
	}
	return ""
}

func npmrcFiles(getenv func(string) string) []string {
	files := []string{cmp.Or(getenv("npm_config_userconfig"), filepath.Join(getenv("HOME"), ".npmrc"))}
	if global := getenv("npm_config_globalconfig"); global != "" {
		files = append(files, global)
	}
	return append(files, "/usr/local/etc/npmrc", "/usr/etc/npmrc", "/etc/npmrc")
}

// registryIn reads the registry from a file. A registry for the scope of the package takes
// precedence over the general one.
func registryIn(path string, getenv func(string) string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	values := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), "=")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		values[strings.TrimSpace(key)] = os.Expand(value, getenv)
	}
	if scoped := values["@embedded-postgres:registry"]; scoped != "" {
		return scoped
	}
	return values["registry"]
}
