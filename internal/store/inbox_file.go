package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"dossier/internal/safeopen"
)

// readInboxFile reads one file of the inbox, with its owner. What is no regular file is not read.
func (l layout) readInboxFile(name string) (content []byte, uid uint32, err error) {
	if !inboxNameRE().MatchString(name) {
		return nil, 0, errors.New("it does not have the name of a live answer")
	}

	f, err := safeopen.OpenOwn(filepath.Join(l.inbox(), name), os.O_RDONLY, 0)
	if other, ok := errors.AsType[*safeopen.OtherError](err); ok {
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

// noUser is the owner of a file where the system does not tell it.
const noUser = ^uint32(0)

// owners names the owners of files, and says whose word is as good as the store's.
type owners struct {
	reader, store uint32
	names         map[uint32]string
}

func newOwners(dir string) *owners {
	o := &owners{reader: uint32(os.Geteuid()), store: noUser, names: map[uint32]string{}}
	if info, err := os.Stat(dir); err == nil {
		o.store = uidOf(info)
	}
	return o
}

// vouchFor reports whether a file of that user is vouched for: it is the reader's own, or that of the data directory's
// owner, or root's, who could both write to the store itself.
func (o *owners) vouchFor(uid uint32) bool {
	return uid != noUser && (uid == 0 || uid == o.reader || uid == o.store)
}

// OwnName is what the owner of this process' files is called, where it is told whose a live answer is.
func OwnName() string { return newOwners("").name(uint32(os.Geteuid())) }

// name is the user's, or a number where the machine knows no name.
func (o *owners) name(uid uint32) string {
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
