package opensearch

import (
	"net/http"
	"testing"
)

func TestSort(t *testing.T) {
	for name, tc := range map[string]struct {
		status int
		said   refusalReason
		want   Kind
	}{
		"a wrong password":                 {http.StatusUnauthorized, refusalReason{"security_exception", "missing"}, Unauthorised},
		"a missing right":                  {http.StatusForbidden, refusalReason{"security_exception", "no permissions"}, Forbidden},
		"a missing right for one document": {http.StatusServiceUnavailable, refusalReason{"security_exception", "no"}, Forbidden},
		"a full disk": {http.StatusTooManyRequests, refusalReason{"cluster_block_exception",
			"disk usage exceeded flood-stage watermark"}, DiskFull},
		"a block":         {http.StatusForbidden, refusalReason{"cluster_block_exception", "FORBIDDEN/8/index write"}, WriteBlocked},
		"a proxy's words": {http.StatusBadGateway, refusalReason{"", "Bad Gateway"}, Unreachable},
	} {
		t.Run(name, func(t *testing.T) {
			if got := classify(tc.status, tc.said); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}
