// Package strictyaml decodes YAML that people write by hand and refuses what they did not mean: unknown keys, wrong
// types, keys given twice. Every error names file, line and key, and says what to do.
//
// Anchors and aliases are refused, so that a small file cannot expand into a large one.
package strictyaml
