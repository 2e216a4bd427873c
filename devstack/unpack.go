package devstack

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// unpack writes the files of an npm package below folder. It refuses anything but plain files.
// os.Root keeps every name inside the folder.
func unpack(archive, folder string) error {
	file, err := os.Open(archive)
	if err != nil {
		return fmt.Errorf("open package: %w", err)
	}
	defer func() { _ = file.Close() }()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("read gzip: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	defer func() { _ = root.Close() }()
	in := tar.NewReader(plain)
	for {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read package: %w", err)
		}
		if err := unpackOne(root, header, in); err != nil {
			return fmt.Errorf("unpack %q: %w", header.Name, err)
		}
	}
}

// unpackOne writes one file. Other accounts must be able to read and run it:
// as root we start Postgres as another user.
func unpackOne(root *os.Root, header *tar.Header, content io.Reader) error {
	if header.Typeflag == tar.TypeDir {
		return openFolders(root, filepath.Clean(header.Name))
	}
	if header.Typeflag != tar.TypeReg {
		return errors.New("not a plain file")
	}
	if err := openFolders(root, filepath.Dir(header.Name)); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if header.Mode&0o111 != 0 || filepath.Base(filepath.Dir(header.Name)) == "bin" {
		mode = 0o755
	}
	out, err := root.OpenFile(header.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, content); err != nil {
		_ = out.Close()
		return err
	}
	if err := out.Chmod(mode); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}

// openFolders creates the folder and its parents, readable by all users regardless of the umask.
func openFolders(root *os.Root, folder string) error {
	if folder == "." {
		return nil
	}
	if _, err := root.Stat(folder); err == nil {
		return nil
	}
	if err := openFolders(root, filepath.Dir(folder)); err != nil {
		return err
	}
	if err := root.Mkdir(folder, 0o755); err != nil {
		return err
	}
	return root.Chmod(folder, 0o755)
}

// linkLibraries creates the symbolic links that the package lists in a file, because npm packages
// cannot contain links.
func linkLibraries(home string) error {
	raw, err := os.ReadFile(filepath.Join(home, "native", "pg-symlinks.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read list of links: %w", err)
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(raw, &links); err != nil {
		return fmt.Errorf("decode list of links: %w", err)
	}
	for _, l := range links {
		if err := linkOne(home, l.Source, l.Target); err != nil {
			return fmt.Errorf("link %q: %w", l.Target, err)
		}
	}
	return nil
}

func linkOne(home, source, target string) error {
	if !filepath.IsLocal(source) || !filepath.IsLocal(target) {
		return errors.New("it points outside of the package")
	}
	relative, err := filepath.Rel(filepath.Dir(target), source)
	if err != nil {
		return err
	}
	return os.Symlink(relative, filepath.Join(home, target))
}
