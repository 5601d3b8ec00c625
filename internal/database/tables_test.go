package database_test

import (
	"testing"

	"dossier/internal/database"
	"dossier/internal/database/databasetest"
)

func TestTablesInMemory(t *testing.T) {
	databasetest.Run(t, func(*testing.T) database.Tables { return databasetest.NewMemory() })
}
