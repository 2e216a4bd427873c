// Command generate writes graph/exec from schema.graphqls and the types of the
// root package. It runs gqlgen twice: into graph/exec, where the objects of lists
// are written by tables (see pages), and into graph/exec/stock without them, for the
// test that compares the two. Run it with `make generate`.
package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
)

const (
	configFile = "gqlgen.yml"
	stockDir   = "stock"
)

func main() {
	if err := run(); err != nil {
		slog.Error("generate the query layer", slog.Any("error", err))
		os.Exit(1)
	}
}

func run() error {
	cfg, err := config.LoadConfig(configFile)
	if err != nil {
		return fmt.Errorf("read %s: %w", configFile, err)
	}
	// The stock code of the last run would not compile with new models.
	if err := os.RemoveAll(filepath.Join(cfg.Exec.DirName, stockDir)); err != nil {
		return fmt.Errorf("remove the last stock code: %w", err)
	}
	if err := api.Generate(cfg, api.AddPlugin(pages{})); err != nil {
		return fmt.Errorf("generate %s: %w", cfg.Exec.DirName, err)
	}
	return stock()
}

// stock generates gqlgen's own code for the same schema and types. The inputs and connections are
// those of graph/exec, so that both accept the same resolvers.
func stock() error {
	cfg, err := config.LoadConfig(configFile)
	if err != nil {
		return fmt.Errorf("read %s: %w", configFile, err)
	}
	cfg.AutoBind = append(cfg.AutoBind, "outreach/graph/exec")
	cfg.Model = config.PackageConfig{}
	cfg.Exec.DirName = filepath.Join(cfg.Exec.DirName, stockDir)
	cfg.Exec.Package = stockDir
	if err := api.Generate(cfg); err != nil {
		return fmt.Errorf("generate %s: %w", cfg.Exec.DirName, err)
	}
	return nil
}
