// Package config reads Dossier's configuration into one plain struct: flags over environment over file
// over defaults. It is the only user of viper, and checks everything before work starts.
package config
