// Package privacy finds what identifies the patient in a question: names behind titles and labels, numbers of records
// and of insurances, dates with a day, ages over 89, addresses, telephone numbers. It reads English, German, French,
// Spanish, Italian and Portuguese, from a table of words (words.txt), and decides what happens to such a question.
//
// It knows nothing of medicine: its caller defines the medical words. It neither sends nor stores anything.
package privacy
