// Package privacy finds what tells in a question who the patient is: names behind titles and labels, numbers of records
// and of insurances, dates with a day, ages over 89, addresses, telephone numbers. It reads English, German, French,
// Spanish, Italian and Portuguese, from a table of words (words.txt); and it says what becomes of such a question.
//
// It knows nothing of medicine: which words belong to it, its caller says. It neither sends nor keeps anything.
package privacy
