// Bench holds what scripts/bench.sh and its like need beside the two programs: a large PubMed file made of a few
// recorded records and exports of invented ones, the time and memory that whole processes take, what a night's requests
// take at the services' limits, and a search that has no index. It knows nothing of the project's packages, so that it
// measures the programs from outside; what it asks of a process that is up, inside answers.
package main
