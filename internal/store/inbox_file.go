package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"dossier/internal/files"
)

// readInboxFile reads one file of the inbox, and its owner. It reads regular files only.
func (l layout) readInboxFile(name string) (content []byte, uid uint32, err error) {
	if !inboxNameRE().MatchString(name) {
		return nil, 0, errors.New("it does not have the name of a live answer")
	}

	f, err := files.OpenOwn(filepath.Join(l.inbox(), name), os.O_RDONLY, 0)
	if other, ok := errors.AsType[*files.OtherError](err); ok {
		return nil, 0, fmt.Errorf("it is %s, which is not read", other.Kind)
	}

	if err != nil {
		return nil, 0, err
	}
	defer f.Close()

	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}

	if uid = uidOf(info); info.Size() > maxInboxFile {
		return nil, uid, fmt.Errorf("it has %d bytes; at most %d are read", info.Size(), maxInboxFile)
	}
	content, err = io.ReadAll(io.LimitReader(f, maxInboxFile+1))
	return content, uid, err
}

// noUser is the owner of a file if the system does not report one.
const noUser = ^uint32(0)

// fileOwners names the owners of files, and decides which are trusted.
type fileOwners struct {
	reader, store uint32
	names         map[uint32]string
}

func newFileOwners(dir string) *fileOwners {
	o := &fileOwners{reader: uint32(os.Geteuid()), store: noUser, names: map[uint32]string{}}
	if info, err := os.Stat(dir); err == nil {
		o.store = uidOf(info)
	}
	return o
}

// trusts reports whether a file of that user is trusted: it belongs to the reading user, to the data directory's
// owner, or to root, who could write to the store itself.
func (o *fileOwners) trusts(uid uint32) bool {
	return uid != noUser && (uid == 0 || uid == o.reader || uid == o.store)
}

// ProcessUser is the name of this process's user, as it appears beside a live answer.
func ProcessUser() string { return newFileOwners("").name(uint32(os.Geteuid())) }

// name returns the user's name, or a number if the machine knows no name.
func (o *fileOwners) name(uid uint32) string {
	name, known := o.names[uid]
	switch {
	case uid == noUser:
		return "an unknown user"
	case !known:
		name = "user " + strconv.FormatUint(uint64(uid), 10)
		if u, err := user.LookupId(strconv.FormatUint(uint64(uid), 10)); err == nil {
			name = u.Username
		}
		o.names[uid] = name
	}
	return name
}
