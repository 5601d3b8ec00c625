package fields

import "math/bits"

// The positions of a word in a document are stored, if they fit, in the number that the index keeps as the word's
// frequency: 2 to 4 bytes, where a location of its own would take 6 for each position. That number is
//
//   - odd: above the lowest bit, from low to high, the distance of each place from the one before (of the first from
//     0), each in two bits that say which of widths it has, and so many bits; behind the last there is nothing but
//     zeros, and no distance is 0
//   - even: twice the count of places; the places' distances are the "array positions" of the one location there is
//
// A word of a field without places has its frequency as it is.
var widths = [...]int{4, 7, 10, 20}

// room is how many bits a frequency may have: it is kept with a bit below it.
const room = 62

// PackPlaces packs a word's positions, which ascend from 1, into a frequency. If rest is not nil, it is the content of
// the location.
func PackPlaces(places []int) (frequency uint64, rest []uint64) {
	packed, used, before := uint64(1), 1, 0
	for _, place := range places {
		distance := place - before
		before = place

		class := 0
		for class < len(widths) && bits.Len(uint(distance)) > widths[class] {
			class++
		}

		if class == len(widths) || used+2+widths[class] > room {
			return 2 * uint64(len(places)), distances(places)
		}
		packed |= uint64(distance<<2|class) << used
		used += 2 + widths[class]
	}
	return packed, nil
}

func distances(places []int) []uint64 {
	out := make([]uint64, len(places))

	before := 0
	for i, place := range places {
		out[i] = uint64(place - before)
		before = place
	}
	return out
}

// nextDistance removes the lowest distance from a packed number without its lowest bit; there is one as long as that
// is not 0.
func nextDistance(packed uint64) (distance int, left uint64) {
	width := widths[packed&3]
	packed >>= 2
	return int(packed & (1<<width - 1)), packed >> width
}

// Occurrences is how often the word occurs.
func Occurrences(frequency uint64) int {
	if frequency&1 == 0 {
		return int(frequency / 2)
	}

	n := 0
	for packed := frequency >> 1; packed != 0; n++ {
		_, packed = nextDistance(packed)
	}
	return n
}

// AppendPlaces appends the positions in a frequency, or else those in rest.
func AppendPlaces(out []int, frequency uint64, rest []uint64) []int {
	place := 0
	if frequency&1 == 0 {
		for _, distance := range rest {
			place += int(distance)
			out = append(out, place)
		}
		return out
	}

	for packed := frequency >> 1; packed != 0; {
		var distance int
		distance, packed = nextDistance(packed)
		place += distance
		out = append(out, place)
	}
	return out
}
