// Package cite reads and writes references in the formats of databases and reference managers: RIS, NBIB (MEDLINE),
// BibTeX and CSL-JSON. The text and tables of databases, of PubMed's page and of reference managers are only read,
// and so are lists of PMIDs, which hold no record: an Item names each.
//
// Reading is for what people export: it tells the format by the content, copes with encodings, line ends and tags that
// no standard allows, and loses no record: what cannot be read is a Problem with its line, and what was doubtful in a
// record is among its Notes. It takes an identifier only where the format's field defines it for certain, since a
// wrong identifier merges two papers. It does not decide which records are the same; that is identity's work.
//
// Writing takes papers' text for what it is, a stranger's: no title can start a tag, close a brace or leave its string.
// What is written can be read again with the same identifiers, title, authors, journal, year, volume, issue, pages and
// abstract. What the formats cannot hold:
//
//   - RIS has no place for a title in its own language beside the English one.
//   - RIS, BibTeX and CSL-JSON have no place for MeSH qualifiers, registry numbers, affiliations and links to other
//     records; MeSH headings go among the keywords.
//   - All four hold the abstract as one text: its labels stay in it ("METHODS: …"), its sections do not.
//   - NBIB has no DOI but the article's; further ones are written as the first is, as AID. RIS and BibTeX: as
//     addresses.
//   - RIS and BibTeX separate names by commas and semicolons; such marks inside a person's name become spaces.
//   - A registered trial's status, sites and arms are in none of them, but for a line among the notes.
//
// BibTeX is read by a parser of our own, entry by entry, because exports are large and often damaged: a brace left open
// must cost one entry and not the file, and the file need not fit into memory.
package cite
