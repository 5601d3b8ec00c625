// Package safeopen opens regular files and nothing else: a device gives bytes without end, and a pipe waits for
// somebody who may never come. What people name (a configuration, topics, a dictionary, an export) may be reached
// over links; what lies in a folder of ours may not. It knows nothing of ours, and every package may import it.
package safeopen
