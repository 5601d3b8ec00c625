package web

import (
	"context"
	"net/http"
	"net/netip"
	"runtime"
	"sync"
	"time"
)

// workSlots are the slots in which requests work. One address has at most half of them: its further requests wait for
// these, and others are let in.
type workSlots struct {
	all chan struct{} // one for each request that works

	mu        sync.Mutex
	addresses map[netip.Prefix]*addressSlots
}

// addressSlots are one address's slots, while any of its requests waits or works.
type addressSlots struct {
	working  chan struct{}
	visitors int
}

// newWorkSlots makes two slots for each processor, so that a single address keeps them all busy.
func newWorkSlots() *workSlots {
	return &workSlots{all: make(chan struct{}, 2*runtime.NumCPU()), addresses: map[netip.Prefix]*addressSlots{}}
}

// acquire waits for a slot; leave returns it. A request that waits for its address's slots holds none of the common
// ones.
func (p *workSlots) acquire(ctx context.Context, address netip.Prefix) (leave func(), err error) {
	own := p.enter(address)
	wait := time.NewTimer(waitToWork)
	defer wait.Stop()
	taken := 0

	leave = func() {
		for _, of := range []chan struct{}{own.working, p.all}[:taken] {
			<-of
		}
		p.leave(address, own)
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

func (p *workSlots) enter(address netip.Prefix) *addressSlots {
	p.mu.Lock()
	defer p.mu.Unlock()

	own, ok := p.addresses[address]
	if !ok {
		own = &addressSlots{working: make(chan struct{}, cap(p.all)/2)}
		p.addresses[address] = own
	}
	own.visitors++
	return own
}

func (p *workSlots) leave(address netip.Prefix, own *addressSlots) {
	p.mu.Lock()
	defer p.mu.Unlock()

	if own.visitors--; own.visitors == 0 {
		delete(p.addresses, address)
	}
}
