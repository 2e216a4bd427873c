package testdb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"outreach/internal/testkit"
)

// SmallDisk is a separate disk in memory for one server.
type SmallDisk struct {
	t      testing.TB
	filler string
}

// SmallDisk mounts a disk of this size for a server that Add starts next. Only root can.
func (g *PostgresGroup) SmallDisk(name string, megabytes int) *SmallDisk {
	g.t.Helper()
	folder := filepath.Join(g.folder, name)
	testkit.NoError(g.t, os.Mkdir(folder, 0o700))
	testkit.NoError(g.t, syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=700", megabytes)))
	g.t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	if as := g.attributes.Credential; as != nil {
		testkit.NoError(g.t, os.Chown(folder, int(as.Uid), int(as.Gid)))
	}
	return &SmallDisk{g.t, filepath.Join(folder, "filler")}
}

// Fill uses up the disk.
func (d *SmallDisk) Fill() {
	file, err := os.Create(d.filler)
	testkit.NoError(d.t, err)
	defer file.Close()
	for err == nil {
		_, err = file.Write(make([]byte, 1<<16))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		d.t.Errorf("fill the disk: %v", err)
	}
}

// MakeRoom frees what Fill has used.
func (d *SmallDisk) MakeRoom() { testkit.NoError(d.t, os.Remove(d.filler)) }
