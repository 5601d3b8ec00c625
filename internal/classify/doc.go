// Package classify tells the class of a text by a linear model: the words and pairs of words of its fields, and facts
// beside them, each with a weight for every class (multinomial logistic regression). It knows words alone, neither
// records nor designs; models are trained elsewhere (scripts/design) and come as a table that people can read.
package classify
