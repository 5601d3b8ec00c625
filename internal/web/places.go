package web

import (
	"context"
	"net/http"
	"net/netip"
	"runtime"
	"sync"
	"time"
)

// places are those that requests work at. One address has at most half of them: whoever asks for much at once waits for
// their own, and others are let in.
type places struct {
	all chan struct{} // one for each request that works

	mu        sync.Mutex
	addresses map[netip.Prefix]*ownPlaces
}

// ownPlaces are an address's, for as long as one of its requests waits or works.
type ownPlaces struct {
	working  chan struct{}
	visitors int
}

// newPlaces makes two for each processor, so that an address that is alone keeps them all busy.
func newPlaces() *places {
	return &places{all: make(chan struct{}, 2*runtime.NumCPU()), addresses: map[netip.Prefix]*ownPlaces{}}
}

// take waits for a place; leave gives it back. Whoever waits for one of their own holds none that others might have.
func (p *places) take(ctx context.Context, address netip.Prefix) (leave func(), err error) {
	own := p.arrive(address)
	wait := time.NewTimer(waitToWork)
	defer wait.Stop()
	taken := 0

	leave = func() {
		for _, of := range []chan struct{}{own.working, p.all}[:taken] {
			<-of
		}
		p.depart(address, own)
	}
	for _, of := range []chan struct{}{own.working, p.all} {
		select {
		case of <- struct{}{}:
			taken++
		case <-ctx.Done():
			leave()
			return nil, ctx.Err()
		case <-wait.C:
			leave()
			return nil, &problem{http.StatusServiceUnavailable, "Too many ask at once", "Try again in a moment."}
		}
	}
	return leave, nil
}

func (p *places) arrive(address netip.Prefix) *ownPlaces {
	p.mu.Lock()
	defer p.mu.Unlock()

	own, ok := p.addresses[address]
	if !ok {
		own = &ownPlaces{working: make(chan struct{}, cap(p.all)/2)}
		p.addresses[address] = own
	}
	own.visitors++
	return own
}

func (p *places) depart(address netip.Prefix, own *ownPlaces) {
	p.mu.Lock()
	defer p.mu.Unlock()

	if own.visitors--; own.visitors == 0 {
		delete(p.addresses, address)
	}
}
