// Package recordedtest gives tests the recorded answers of the services, which lie beside the repository on some
// machines, in ../shared/data, and not in it. Where they are absent the test skips, saying so.
package recordedtest
