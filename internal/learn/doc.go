// Package learn holds the linear models over the words of texts and facts beside them. It knows words alone, neither
// records, designs nor readers.
//
// model.go classifies a text by the words and pairs of words of its fields, each with a weight for every class
// (multinomial logistic regression); models are trained elsewhere (scripts/design) and come as a table that people can
// read. learn.go ranks documents by a few that are marked, some kept and some excluded; the same documents and marks
// give the same ranking, bit for bit, on every kind of processor.
package learn
