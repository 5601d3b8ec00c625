package ask

// Refusal is for tests, which can then make questions that the dictionary at hand does not give.
var Refusal = refusal
