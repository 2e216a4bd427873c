package outreach

import (
	"sync"
	"time"
)

// zones keeps the time zones that were loaded, by name: the standard library reads a file each
// time, and a claim asks for the zone of each queue. Only known names are kept, so that it stays
// small.
var zones sync.Map

// loadZone is time.LoadLocation, which reads each zone once.
func loadZone(name string) (*time.Location, error) {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, err
	}
	zones.Store(name, zone)
	return zone, nil
}

// ValidateTimezone adds a fault unless name is in the IANA time zone database. Its names begin
// with a capital letter. Time zone directories also contain files such as localtime and right/UTC,
// which differ between systems.
func ValidateTimezone(faults *Faults, path Path, name string) {
	if _, err := loadZone(name); err != nil || name == "" || name == "Local" || name[0] < 'A' || name[0] > 'Z' {
		faults.Add(path, FieldInvalid, "%s must be an IANA time zone, such as Europe/Paris.", path.name())
	}
}
