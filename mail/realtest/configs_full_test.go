//go:build full

package realtest

const dovecotConf = `
base_dir = {{.Base}}/dovecot
state_dir = {{.Base}}/dovecot
log_path = {{.Base}}/dovecot.log
listen = 127.0.0.1
protocols = imap
ssl = yes
ssl_cert = <{{.Base}}/cert.pem
ssl_key = <{{.Base}}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
mail_location = maildir:{{.Base}}/mail/%d/%n
first_valid_uid = {{.Vmail}}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = subscribe
    special_use = \Sent
  }
  mailbox Spam {
    auto = subscribe
    special_use = \Junk
  }
}
passdb {
  driver = passwd-file
  args = {{.Base}}/users
}
userdb {
  driver = static
  args = uid={{.Vmail}} gid={{.Vmail}} home={{.Base}}/mail/%d/%n
}
service imap-login {
  inet_listener imap {
    port = {{.IMAP}}
  }
  inet_listener imaps {
    port = {{.IMAPS}}
    ssl = yes
  }
}
service auth {
  unix_listener {{.Base}}/sasl {
    mode = 0666
  }
}
mail_max_userip_connections = 100
`

// Temporary refusals are retried each second, told of after two and given up
// after six.
const mainCf = `
compatibility_level = 3.6
queue_directory = {{.Base}}/queue
data_directory = {{.Base}}/data
maillog_file = {{.Base}}/mail.log
maillog_file_prefixes = {{.Base}}
myhostname = mx.acme.example
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
alias_maps =
smtputf8_enable = yes
header_checks = regexp:{{.Base}}/postfix/rules
smtpd_tls_cert_file = {{.Base}}/cert.pem
smtpd_tls_key_file = {{.Base}}/key.pem
smtpd_tls_security_level = may
smtpd_sasl_type = dovecot
smtpd_sasl_path = {{.Base}}/sasl
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
virtual_mailbox_domains = acme.example, prospects.example
virtual_mailbox_base = {{.Base}}/mail
virtual_mailbox_maps = texthash:{{.Base}}/postfix/mailboxes
virtual_uid_maps = static:{{.Vmail}}
virtual_gid_maps = static:{{.Vmail}}
virtual_alias_maps =
transport_maps = texthash:{{.Base}}/postfix/transport
smtp_tls_security_level = none
smtp_dns_support_level = disabled
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
delay_warning_time = 2s
maximal_queue_lifetime = 6s
smtp_destination_concurrency_failed_cohort_limit = 0
default_destination_concurrency_failed_cohort_limit = 0
`

const masterCf = `
127.0.0.1:{{.MX}} inet n - n - - smtpd
127.0.0.1:{{.Submission}} inet n - n - - smtpd
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
  -o sender_bcc_maps=
  -o cleanup_service_name=filing
127.0.0.1:{{.Submissions}} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
cleanup unix n - n - 0 cleanup
filing unix n - n - 0 cleanup
  -o header_checks=
  -o sender_bcc_maps=texthash:{{.Base}}/postfix/copies
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
`

// sent+… is how Postfix files a copy of what a mailbox sends, as large hosts do; rule+… is where a
// rule files mail.
const mailboxMap = `{{range .Mailboxes}}{{.}} {{$.Folder .}}/
sent+{{.}} {{$.Folder .}}/.Sent/
rule+{{.}} {{$.Folder .}}/` + filed + `/
{{end}}`

// filed is the Maildir of the folder "Antworten.März" (modified UTF-7, RFC 3501, 5.1.3).
const filed = ".Antworten.M&AOQ-rz"

// rules file mail with a mark in its subject for the first mailbox, as a filter of its owner does.
const rules = `/^Subject:.*\[March\]/ REDIRECT rule+{{index .Mailboxes 0}}
`
