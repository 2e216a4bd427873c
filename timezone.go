package outreach

import "time"

// ValidateTimezone adds a fault unless name is in the IANA time zone database. Its names begin
// with a capital letter. Time zone directories also contain files such as localtime and right/UTC,
// which differ between systems.
func ValidateTimezone(faults *Faults, path Path, name string) {
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" || name[0] < 'A' || name[0] > 'Z' {
		faults.Add(path, FieldInvalid, "%s must be an IANA time zone, such as Europe/Paris.", path.name())
	}
}
