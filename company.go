package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Company is the organisation of one or more prospects. It is found or created by the domain of
// their addresses, else by its name. Domain is canonical.
type Company struct {
	ID                uuid.UUID
	WorkspaceID       uuid.UUID
	Name              string
	Domain            *string
	Temperature       Temperature
	TemperatureReason string
	Signals           Signals // input of Temperature
	ProspectCount     int
	CreatedAt         time.Time
}

// CompanyFilter narrows a list of companies. A nil field does not narrow.
type CompanyFilter struct {
	Temperature *Temperature
	Search      *string // a part of the name or domain
}
