package store

// lockedName is a file beside LOCK: on Windows nobody else can read what is locked, and LOCK says who holds it.
const lockedName = "LOCKED"
