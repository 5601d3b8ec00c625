package cite

import (
	"encoding/json"
	"strings"
)

// zoteroItem is an item of Zotero's own JSON (its API's, and Better BibTeX's) under CSL's names; any other is itself.
func zoteroItem(item map[string]json.RawMessage) map[string]json.RawMessage {
	var inner map[string]json.RawMessage
	if json.Unmarshal(item["data"], &inner) == nil && inner["itemType"] != nil {
		item = inner
	}

	if item["itemType"] == nil {
		return item
	}

	out := map[string]json.RawMessage{}
	for name, value := range item {
		if known, ok := zoteroNames[name]; ok {
			name = known
		}

		if out[name] == nil || string(out[name]) == `""` {
			out[name] = value
		}
	}

	for role, people := range zoteroCreators(item["creators"]) {
		out[role] = people
	}
	return out
}

// zoteroNames are Zotero's names of what CSL has other ones for.
var zoteroNames = map[string]string{
	"key": "id", "itemType": "type", "date": "issued", "abstractNote": "abstract", "publicationTitle": "container-title",
	"bookTitle": "container-title", "proceedingsTitle": "container-title", "journalAbbreviation": "container-title-short",
	"pages": "page", "extra": "note", "tags": "zotero-tags",
}

// zoteroCreators groups the people of an item by role, as CSL does. Those of a role that is none of CSL's
// two are left out, as they are there.
func zoteroCreators(raw json.RawMessage) map[string]json.RawMessage {
	var creators []struct{ CreatorType, FirstName, LastName, Name string }
	if len(raw) == 0 || json.Unmarshal(raw, &creators) != nil {
		return nil
	}

	names := map[string][]cslName{}
	for _, c := range creators[:min(len(creators), maxList)] {
		role := strings.ToLower(c.CreatorType)
		if role != "editor" {
			role = "author"
		}
		names[role] = append(names[role], cslName{Family: c.LastName, Given: c.FirstName, Literal: c.Name})
	}

	out := map[string]json.RawMessage{}
	for role, list := range names {
		out[role], _ = json.Marshal(list) // strings have a JSON form
	}
	return out
}
