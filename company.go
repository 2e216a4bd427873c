package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Temperature says how much a company has shown of late, by the events of the
// last TemperatureWindow. It is computed at each look and never stored.
type Temperature string

// The temperatures, from the most promising down.
const (
	TemperatureHot  Temperature = "hot"
	TemperatureWarm Temperature = "warm"
	TemperatureCold Temperature = "cold"
)

// TemperatureWindow is how far back a company's temperature looks.
const TemperatureWindow = 7 * 24 * time.Hour

// Company is the employer that prospects share, found or made by the domain of
// their addresses, else by its name.
type Company struct {
	ID                uuid.UUID
	WorkspaceID       uuid.UUID
	Name              string
	Domain            *string
	Temperature       Temperature
	TemperatureReason string
	ProspectCount     int
	CreatedAt         time.Time
}
