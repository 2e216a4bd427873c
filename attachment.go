package outreach

// Attachment is a file of a received mail. The mail stays in its mailbox.
type Attachment struct {
	ID          string // its position among the files of the mail, from 1
	Filename    string
	ContentType string
	Size        *int // in bytes; nil if only the start of a very large mail was read
}

// File is an attachment with its content.
type File struct {
	Attachment
	Content []byte
}

// Original is the HTML of a received mail, safe to show in a frame that runs no scripts.
type Original struct {
	HTML   string
	Remote bool // it loads images from other servers
}
