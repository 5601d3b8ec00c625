package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"aead.dev/minisign"

	"dossier/internal/config"
	"dossier/internal/files"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

// SignatureSuffix ends the name of a bundle's signature, as minisign names it.
const SignatureSuffix = ".minisig"

// maxKeySize bounds the size of a key or a signature, in bytes: they have some 200.
const maxKeySize = 4 << 10

// DefaultMaxSize is the default bound on a bundle's unpacked size, in bytes: a store of some three million records.
const DefaultMaxSize = 32e9

// BundleTrust is what a bundle must satisfy before it is unpacked.
type BundleTrust struct {
	PublicKey string // the file of the key that must have signed it; empty: not checked
	Required  bool   // a key must be configured
	MaxSize   int64  // the largest unpacked size, in bytes
}

// OpenBundle opens a bundle for an import and checks its signature. The signature is checked again after the bundle
// was read, since it might change in between. The result can be read once, and the caller closes it.
func (a *App) OpenBundle(path string, trust BundleTrust) (store.ImportRequest, io.Closer, error) {
	in := store.ImportRequest{Name: render.Path(path), MaxSize: trust.MaxSize}
	if trust.Required && trust.PublicKey == "" {
		return in, nil, Usagef("a signature is required, and there is no key to compare it with: name one with " +
			"--public-key, or as store.public_key in the configuration; nothing was imported")
	}

	f, err := files.Open(path)
	if err != nil {
		return in, nil, Usagef("nothing was imported: %w", err)
	}

	if trust.PublicKey == "" {
		in.Content = f
		if signature, err := files.Open(path + SignatureSuffix); err == nil {
			err = signature.Close()
			fmt.Fprintf(a.Err, "note: %s is not compared: no --public-key was given\n",
				text.Line(render.Path(path+SignatureSuffix)))
			return in, f, err
		}
		return in, f, nil
	}

	signed, confirm, err := compareSignature(f, path, trust.PublicKey)
	if err != nil {
		return in, nil, errors.Join(err, f.Close())
	}
	in.Content, in.Confirm = signed, confirm
	return in, f, nil
}

// zstdMagic is the beginning of a bundle.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// unpackData gives a reading command a store of its own if --data names a bundle: in a temporary folder, deleted by
// remove, checked as an import checks it, and signed if the configuration requires that. Anything that the command
// leaves in the store, such as live answers, is deleted too.
func (a *App) unpackData(ctx context.Context) (remove func() error, err error) {
	nothing := func() error { return nil }

	path := a.Config.Data
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nothing, nil // OpenStore reports what is wrong with it, if anything is
	}

	if begin, err := files.Read(path, int64(len(zstdMagic))); err != nil || !bytes.HasPrefix(begin, zstdMagic) {
		return nothing, nil
	}

	in, file, err := a.OpenBundle(path, BundleTrust{PublicKey: a.Config.Store.PublicKey,
		Required: a.Config.Store.RequireSignature, MaxSize: DefaultMaxSize})
	if err != nil {
		return nothing, err
	}
	defer file.Close() // only read

	folder, err := os.MkdirTemp("", "dossier-bundle-")
	if err != nil {
		return nothing, fmt.Errorf("unpacking %s: %w; TMPDIR names another folder", path, err)
	}

	if _, err := store.Folder(folder).Import(ctx, in, a.BeginOptions(a.Command)); err != nil {
		return nothing, errors.Join(fmt.Errorf("unpacking %s: %w", path, err), os.RemoveAll(folder))
	}
	a.Config.Data, a.Config.Store.Engine = folder, config.EngineLocal
	return func() error { return os.RemoveAll(folder) }, nil
}

// compareSignature reads f whole and checks its signature, then returns it from its beginning, with a function that
// checks it again after it was read.
func compareSignature(f io.ReadSeeker, path, keyFile string) (signed io.Reader, confirm func() error, err error) {
	var key minisign.PublicKey

	content, err := files.Read(keyFile, maxKeySize)
	if err == nil {
		err = key.UnmarshalText(content)
	}

	if err != nil {
		return nil, nil, Usagef("the key %s can't be used: %w; name minisign's file of the public key", keyFile, err)
	}

	signature, err := files.Read(path+SignatureSuffix, maxKeySize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s is not signed: there is no %s; nothing was imported: copy that here too, or have "+
			"the bundle signed with `indexer export --sign`", path, path+SignatureSuffix)
	}

	if err != nil {
		return nil, nil, fmt.Errorf("reading the signature: %w; nothing was imported", err)
	}
	compare := func(r *minisign.Reader) error {
		if r.Verify(key, signature) {
			return nil
		}
		return fmt.Errorf("%s is not what was signed with the key of %s; nothing was imported: copy both files here once "+
			"more, and ask who signed it", path, keyFile)
	}

	first := minisign.NewReader(f)
	if _, err := io.Copy(io.Discard, first); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", path, err)
	}

	if err := compare(first); err != nil {
		return nil, nil, err
	}

	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", path, err)
	}
	again := minisign.NewReader(f)
	return again, func() error { return compare(again) }, nil
}

// SigningKey reads minisign's file of a private key, with the password of the environment if it has one. It refuses a
// file that others may read, even with a password: that can be guessed offline.
func (a *App) SigningKey(path string) (key minisign.PrivateKey, err error) {
	content, err := files.ReadSecret(path, maxKeySize)
	switch {
	case err != nil:
	case !minisign.IsEncrypted(content):
		err = key.UnmarshalText(content)
	case a.Config.Keys.Signing == "":
		err = errors.New("it has a password, which is read from DOSSIER_SIGNING_PASSWORD alone")
	default:
		key, err = minisign.DecryptKey(a.Config.Keys.Signing.Reveal(), content)
	}

	if err != nil {
		return key, Usagef("--sign: the key %s can't be used: %w", path, err)
	}
	return key, nil
}
