package outreach

// Attachment is a file of a received mail. The mail stays in its mailbox.
type Attachment struct {
	ID          string // its number among the files of the mail, from 1
	Filename    string
	ContentType string
	Size        *int // in bytes, nil where only the beginning of a very large mail was read
}

// File is an attachment with its content.
type File struct {
	Attachment
	Content []byte
}

// Original is the HTML of a received mail, fit to be shown in a frame that runs no script.
type Original struct {
	HTML   string
	Remote bool // it shows pictures of other servers
}
