package storage

import "testing"

// A schema is the same whatever is said about it.
func TestHashOfSQL(t *testing.T) {
	t.Parallel()
	const table = "-- why\nCREATE TABLE a (\n  id int -- what\n);\n"
	for text, same := range map[string]bool{
		"CREATE TABLE a ( id int );": true, "-- other\n\n" + table: true, "CREATE TABLE a (\n  id bigint\n);": false,
		"CREATE TABLE a (id int, b int);": false, "": false,
	} {
		if (hashOfSQL(text) == hashOfSQL(table)) != same {
			t.Errorf("%q is the same: want %v", text, same)
		}
	}
}
