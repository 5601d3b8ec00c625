package render

import "dossier/internal/answer"

func nearLists(near []answer.Near) []answer.Near {
	out := []answer.Near{}
	for _, n := range near {
		n.Differs = append([]answer.Difference{}, n.Differs...)
		out = append(out, n)
	}
	return out
}
