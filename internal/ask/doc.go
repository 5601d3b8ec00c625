// Package ask answers one question, in this order: the topic with that id or question, a topic that asks the same, an
// earlier live answer likewise, the store's full text, and only then the services. It also explains how a question is
// understood.
//
// It is what `query "question"`, and whatever else answers people, stand on; it prints nothing.
package ask
