package classify

// phrases is one row of the tables by which refusals are told from their words:
// any of the phrases gives the class. They are matched against text prepared by
// plainWords, so they are in lower case; a leading space is a word's beginning.
type phrases struct {
	class  Class
	reason string
	any    []string
	// permanentOnly rows are passed over while the server calls the error
	// temporary: a name that does not resolve now may do so later.
	permanentOnly bool
}

// outright lists words that name a cause so plainly that no code outweighs
// them. Order matters: a row is reached only when none above it applies, so
// blame for the sender stands before "rejected" and "unknown".
var outright = []phrases{
	{class: SenderFault, reason: "our mail failed authentication (SPF, DKIM or DMARC)", any: []string{
		"dmarc", " spf ", "spf check", "spf record", "spf fail", "(spf", "dkim", "unauthenticated", "sender id ",
		"authentication information", "sender authentication", "not authorized to send", "not authorised to send",
		"not allowed to send", "not permitted to send", "not designated", "invalid ip for sending mail of domain",
		"authentication-results", "email authentication", "failed authentication check", "authentication checks",
		"sender domain is not authenticated", "spoof", "forged"}},
	{class: SenderFault, reason: "our server has no valid reverse DNS", any: []string{
		"reverse dns", "rdns", " ptr ", "ptr record", "reverse-dns", "reverse hostname", "mismatches client ip",
		"cannot find your hostname", "cannot find your reverse", "client host rejected: cannot find", "fcrdns",
		"forward-confirmed", "does not resolve to", "invalid helo", "helo command rejected", "helo/ehlo", "bad helo",
		"no dns a-data returned", "unresolvable relay host"}},
	{class: SenderFault, reason: "our address, server or domain has a bad reputation or is on a block list", any: []string{
		"blacklist", "black list", "blocklist", "block list", "blocked list", "block-list", "denylist", "deny list",
		"spamhaus", "spamcop", "sorbs", "barracudacentral", "dnsbl", " rbl", "/rbl", "uribl", "surbl", "invaluement",
		"uceprotect", "proofpoint.com/", "ipcheck.proofpoint", "senderscore", "mailspike", "abuseat", "cloudmark",
		"reputation", "blocked using", "blocked for abuse", "blocked by", "been blocked", "is blocked", "user complaints",
		"excessive complaints", "is listed in", "currently listed", "is listed at", "is listed on", "is listed by", "ip listed", "host listed", "address listed", "open relay", "open proxy", "banned",
		"too many unwanted messages", "unsolicited mail from", "dynamic ip", "dynamic address", "dynamically assigned",
		"residential ip", "generic hostname", "dialup", "dial-up", "bad ip", "poor ip", "ip address rejected",
		"client host rejected", "host network not allowed", "not be mail exchanger", "use the smtp server of your isp",
		"no access from mail server", "liste noire", "schwarze liste", "schwarzen liste", "auf der blacklist",
		"lista negra", "lista nera", "zwarte lijst", "заблокирован", "черный список", "connection refused by policy",
		"connections from this host", "connection from your", "mail from your ip", "your ip ", "your server is"}},
	{class: Transient, reason: "the mailbox is full", any: []string{
		"mailbox full", "mailbox is full", "mail box full", "mail box is full", "inbox is full", "inbox full", "full mailbox",
		"mailfolder is full", "mailbox size", "mailbox exceeds", "mailbox quota", "over quota", "overquota", "over the quota",
		"over its quota", "over disk quota", "over his quota", "over storage", "quota exceed", "quota has been exceeded",
		"exceeded quota", "exceeds quota", "quota limit", "quota is full", "quota full", "quota violation", "not enough quota",
		"exceeded their quota", "exceeded his quota", "exceeded its quota", "exceeded the quota", "exceeded storage",
		"exceeded his/her quota", "exceeded the space", "exceeding storage", "out of storage", "storage quota",
		"storage limit", "storage allocation", "insufficient disk", "insufficient storage", "no space left", "disk full",
		"disk quota", "disk space", "disc quota", "not enough storage", "not enough space", "not enough disk",
		"account is full", "account full", "user is overquota", "mailbox would exceed", "too much mail data",
		"message delivery fail because of the quota", "has too many messages", "too many messages on this mailbox",
		"maildir over", "box is over", "exceeded allowed size", "exceeds allowed size", "exceeds the maximum",
		"mailbox has exceeded", "mailbox limit", "postfach voll", "postfach ist voll", "speicherplatz", "quota überschritten",
		"posteingang ist voll", "mailbox ist voll", "boîte pleine", "boite pleine", "boîte aux lettres est pleine",
		"boite aux lettres pleine", "quota dépassé", "quota depasse", "espace insuffisant", "buzón lleno", "buzon lleno",
		"buzón está lleno", "bandeja llena", "cuota excedida", "excedido la cuota", "excede la cuota", "casella piena",
		"casella di posta piena", "casella è piena", "spazio esaurito", "quota superata", "caixa cheia", "caixa postal cheia",
		"caixa de correio cheia", "cota excedida", "quota excedida", "postvak vol", "postvak is vol", "mailbox is vol",
		"mailbox vol ", "ящик переполнен", "почтовый ящик получателя переполнен", "превышена квота", "skrzynka pełna",
		"przepełniona", "brevlåda full", "postkasse er full", "receptor esta cheia", "メールボックスが一杯", "容量", "空间不足"}},
	{class: Transient, reason: "too many messages or connections at once", any: []string{
		"too many recipients", "too many connections", "too many concurrent", "too many sessions", "too many emails",
		"too many mails", "too many messages", "too many smtp", "too many errors", "too many invalid recipients",
		"too many simultaneous", "too frequently", "too quickly", "too fast", "too busy", "too much load",
		"rate limit", "rate-limit", "ratelimit", "rate control", "rate exceeded", "receiving mail at a rate", "mail rate",
		"frequency limited", "throttl", "exceeded the rate", "exceeded the maximum number", "sending limit", "hourly limit",
		"daily limit", "limit exceeded for", "connection limit", "connections limit", "concurrent connection", "message limit",
		"recipient limit", "unusual rate", "slow down", "message count", "daily message quota", "max number of recipients",
		"maximum number of recipients", "in-1310", "ib607"}},
	{class: Transient, reason: "greylisted: the server asked to try again", any: []string{
		"greylist", "graylist", "grey list", "gray list", "grey-list", "postgrey", "sqlgrey", "temporarily deferred",
		"please retry later", "try your mail again", "resend after", "in einigen minuten"}},
	{class: SenderFault, reason: "our sender address was refused", any: []string{
		"sender rejected", "sender address rejected", "sender address has been", "sender address refused", "sender denied",
		"sender refused", "sender unknown", "sender is blocked", "sender not exist", "sender domain", "sender's domain",
		"invalid sender", "unroutable sender", "bad sender", "unknown sender", "sender verify fail", "sender verification",
		"sender callout", "unable to verify sender", "could not verify sender", "cannot verify sender", "verify sender",
		"domain of sender", "domain of your", "from: domain is invalid", "from: header", "addresses in from",
		"from address", "return path", "sending domain", "senders not allowed", "sender not allowed",
		"sender ip", "sender not authorized", "originator", "envelope sender", "your e-mail is redundant", "dns of sender",
		"you are not allowed to post", "expéditeur", "absender", "remitente", "mittente", "remetente", "afzender",
		"отправител"}},
	{class: SenderFault, reason: "the server does not relay for us", any: []string{
		"relay access denied", "relaying denied", "relay denied", "relay not permitted", "relaying not allowed",
		"relay not allowed", "relaying is prohibited", "unable to relay", "cannot relay", "not permitted to relay",
		"not configured to relay", "relay prohibited", "no relaying", "relay operation rejected", "relay disabled",
		"relaying mail to", "relay mail", "we do not relay", "that domain isn't in my list", "not in my list of allowed",
		"mail relay", "insecure mail relay", "relaying disallowed", "not local to this", "authentication is required for relay"}},
	{class: SenderFault, reason: "the server asks for a login", any: []string{
		"authrequired", "authentication required", "authentication is required", "turn on smtp authentication",
		"must be authenticated", "must authenticate", "auth required", "smtp auth", "please authenticate",
		"not authenticated", "login first", "starttls", "must issue a starttls", "encryption required", "encryption needed",
		"tls required", "tls is required"}},
	{class: SenderFault, reason: "the message was taken for spam", any: []string{
		"scored as spam", "considered spam", "considered as spam", "looks like spam", "appears to be spam",
		"identified as spam", "detected as spam", "classified as spam", "spam message", "spam detected", "spam content",
		"spam filter", "spam score", "spam block", "spam mail", "spam policy", "spam?", "spamdetect", "spam-like",
		"message content rejected", "content rejected", "content reject", "unsolicited", "bulk email", "bulk mail", " ube,",
		"junk mail", "suspected spam", "possible spam", "probable spam", "suspicious", "phish", "spam rejected", "as spam",
		"is spam", "- spam", "no spam", "spam not", "mail rejected", "mail rejete", "pourriel", "spamverdacht", "als spam",
		"mail appears to be unsolicited", "denied due to spam", "cloudfilter", "cleanmail", "gilt als spam", "correo no deseado",
		"comme spam", "indésirable", "похоже на спам", "спам", "垃圾邮件", "rejected by an anti-spam", "antispam", "anti-spam"}},
	{class: SenderFault, reason: "the message was taken for malware", any: []string{
		"virus", "malware", "infected", "malicious", "trojan", "dangerous attachment", "potentially executable"}},
	{class: SenderFault, reason: "the message is too large", any: []string{
		"message too large", "message too big", "message is too large", "message is too big", "size limit",
		"message size exceeds", "message size limit", "message file too big", "maximum message size", "max message size",
		"exceeds maximum size", "exceeds the size", "exceeds size", "exceeded message size", "fixed maximum message size",
		"message exceeds", "mail too large", "mail too big", "mail size", "nachricht ist zu groß", "nachricht zu groß",
		"message trop", "mensaje demasiado grande", "messaggio troppo grande", "mensagem muito grande", "bericht is te groot"}},
	{class: SenderFault, reason: "the receiver's policy or a filter refused the message", any: []string{
		"policy reason", "for policy", "policy violation", "by policy", "policy restrict", "policy reject", "local policy",
		"site policy", "security policy", "security polic", "message policy", "against policy", "violates policy",
		"due to policy", "administrative policy", "policy block", "protocol violation", "message rejected due to",
		"content filter", "content policy", "prohibited content", "not rfc", "rfc compliant", "rfc 5322", "rfc5322", "rfc 2822",
		"rfc2822", "rfc 822", "rfc-822", "header error", "multiple addresses in from", "8-bit data", "bare lf", "bare line",
		"line too long", "lines longer than", "missing header", "header field", "duplicate header", "invalid header",
		"mime error", "improper use of", "attachment type", "not accept attachment", "attachment not allowed",
		"refused by the content", "administrative prohibition", "administratively prohibited", "administratively denied",
		"prohibited by administrator", "blocked attachment", "delivery not authorized", "deliver restrict",
		"not a member of this mailing list", "are not member", "not subscribed", "subscribers only", "members only",
		"only members", "not allowed to post", "permission to post", "groups.google.com/support", "moderat",
		"message looks like", "message contains", "url in message", "link in message", "gateway user", "registered gateway"}},
	{class: RecipientFault, reason: "the host takes no mail", any: []string{
		"null mx", "does not accept mail", "doesn't accept mail", "does not accept e-mail", "does not accept email",
		"doesn't receive email", "does not receive mail", "does not receive email", "indicated no smtp service",
		"no smtp service", "couldn't find a mail exchanger", "no mail exchanger", "no valid mail exchanger",
		"smtp protocol returned a permanent error", "system not accepting network messages", "not accepting network mail",
		"host/domain does not accept", "no mx record", "does not have an mx", "no mail server", "malformed or unexpected name server reply",
		"all relevant mx records point to non-existent", "recipient domain has no mail"}},
	{class: RecipientFault, reason: "the mailbox has moved", any: []string{
		"user has moved", "has moved to", "no longer on server", "not our customer", "not our user", "recipient moved",
		"address has changed", "mailbox has moved", "is no longer with", "no longer works", "no longer employed",
		"has left the company", "has left the organi", "user not local; please try", "nicht mehr im unternehmen",
		"ne travaille plus", "ya no trabaja"}},
	{class: RecipientFault, reason: "the address does not exist", any: unknownUser},
	{class: SenderFault, reason: "the server denied us access", any: []string{"access denied"}},
	{class: Transient, reason: "the name server gave no answer", any: []string{
		"not found, try again", "temporary lookup failure", "servfail", "temporary failure in name resolution",
		"dns server failure", "dns timeout", "dns temporary"}},
	{class: RecipientFault, reason: "the domain does not exist", permanentOnly: true, any: []string{
		"host unknown", "unknown host", "host not found", "domain not found", "domain name not found", "no such domain",
		"no such host", "unknown domain", "unrouteable mail domain", "unroutable domain", "domain is not reachable",
		"domain does not exist", "domain doesn't exist", "domain not exist", "domain isn't exist", "domain is not valid",
		"nxdomain", "domain must exist", "host or domain name not found", "illegal host/domain", "any host named",
		"name or service not known", "non-existent domain", "nonexistent domain", "domain could not be found",
		"domain couldn't be found", "bad destination host", "no address associated with", "name service error for",
		"name server: host not found", "couldn't find any host", "invalid domain name", "recipient domain",
		"domäne wurde nicht gefunden", "domain existiert nicht", "domaine inexistant", "domaine n'existe pas",
		"dominio no existe", "dominio inesistente", "domínio inexistente", "domínio não existe", "domein bestaat niet",
		"hostname cannot be resolved", "cannot resolve destination host", "can't find a valid mx", "can't find mx"}},
}

// unknownUser are the ways of saying that there is nobody of that name.
var unknownUser = []string{
	"user unknown", "unknown user", "no such user", "user not found", "user not exist", "user doesn't exist",
	"user does not exist", "user not known", "user is unknown", "user is not found", "user invalid", "invalid user",
	"unknown recipient", "recipient unknown", "recipient not found", "recipientnotfound", "recipnotfound", "no such recipient",
	"recipient does not exist", "recipient doesn't exist", "recipient not exist", "recipient is unknown", "recipient name is not recognized",
	"invalid recipient", "recipient invalid", "recipient is invalid", "recipient no longer", "bad recipient", "recipient rejected",
	"recipient address does not exist", "recipient address rejected: access denied", "recipient address rejected: user",
	"recipient address rejected: undeliverable", "recipient address rejected: invalid", "recipient address rejected: no such",
	"recipient address rejected: unknown", "recipient address rejected: address", "recipient address rejected: 550",
	"recipient address unknown", "recipient address is invalid", "recipient address is unknown", "address rejected ", "address rejected.",
	"address unknown", "unknown address", "address not found", "address does not exist", "address doesn't exist",
	"address couldn't be found", "address could not be found", "address wasn't found", "address is invalid", "address invalid",
	"invalid address", "bad address", "bad destination", "address error", "no such address", "unrouteable address",
	"unroutable address", "address is not valid", "address is no longer", "address no longer", "inactive email address",
	"illegal alias", "unknown alias", "unknown local", "unknown or illegal", "local part", "local-part", "no mailbox", "mailbox not found",
	"mailbox not exist", "mailbox does not exist", "mailbox doesn't exist", "mailbox unavailable", "mailbox unknown",
	"unknown mailbox", "mailbox name not allowed", "mailbox name invalid", "mailbox invalid", "invalid mailbox", "invalid final delivery userid",
	"no such mailbox", "nonexistent mailbox", "mailbox is inactive", "inactive mailbox", "mailbox inactive", "mailbox disabled", "mailbox is disabled",
	"account does not exist", "account doesn't exist", "account not found", "account that you tried to reach does not exist",
	"account is disabled", "account disabled", "account has been disabled", "account inactive", "account is inactive",
	"inactive account", "inactive user", "user inactive", "user disabled", "disabled user", "disabled recipient", "account suspended",
	"account is suspended", "account has been suspended", "account closed", "account is closed", "account has been closed", "account deactivated",
	"account is locked", "account expired", "account is not active", "account terminated", "account that you tried to reach is disabled", "account that you tried to reach is inactive",
	"no such account", "unknown account", "invalid account", "no account by that name", "no account", "no mail box", "user account is unavailable",
	"doesn't have a", "does not have a mail", "does not have an account", "have a yahoo.com account", "there is no such", "there is no user",
	"no such person", "not a valid", "not listed in", "not in directory", "not a known user", "no one by that", "no user by that",
	"not exist", "does not like recipient", "no longer valid", "no longer available", "no longer active", "not our recipient",
	"said: 550 unknown", "cannot find your recipient", "this email address", "user terminated", "user suspended", "user is disabled", "dosn't exist",
	"empfänger unbekannt", "empfänger nicht", "benutzer unbekannt", "unbekannter empfänger", "unbekannter benutzer", "adresse existiert nicht", "adresse nicht gefunden",
	"postfach existiert nicht", "postfach nicht", "konto existiert nicht", "existiert nicht", "wurde nicht gefunden", "nicht gefunden",
	"adresse inconnue", "destinataire inconnu", "utilisateur inconnu", "destinataire invalide", "adresse invalide", "adresse d au moins un destinataire invalide", "compte inexistant",
	"n'existe pas", "adresse introuvable", "usuario desconocido", "destinatario desconocido", "usuario no existe", "dirección no existe", "direccion no existe",
	"cuenta no existe", "no existe", "no se encontró la dirección", "buzón no existe", "utente sconosciuto", "destinatario sconosciuto", "indirizzo inesistente", "non esiste",
	"casella inesistente", "utente inesistente", "indirizzo non trovato", "usuário desconhecido", "utilizador desconhecido", "destinatário desconhecido", "usuário inexistente",
	"usuario desconhecido", "destinatario desconhecido", "usuario inexistente", "cuenta inexistente", "cuenta de correo inexistente", "endereco nao encontrado",
	"não existe", "nao existe", "endereço não encontrado", "conta inexistente", "onbekende gebruiker", "onbekende ontvanger", "bestaat niet", "gebruiker onbekend", "adres niet gevonden",
	"пользователь не найден", "адрес не существует", "не существует", "нет такого пользователя", "несуществующ", "недоступен", "nieznany użytkownik", "nie istnieje", "okänd mottagare", "finns inte", "findes ikke", "finnes ikke",
	"宛先が見つかりません", "見つかりません", "存在しません", "ディレクトリのリストにありません", "用户不存在", "不存在",
}

// vague lists words that decide where neither clear words nor a code do.
var vague = []phrases{
	{class: SenderFault, reason: "the server refuses to serve us", permanentOnly: true, any: []string{"service refuse"}},
	{class: SenderFault, reason: "the server refuses to serve us", any: []string{"refused to talk to me", "refuses to talk to"}},
	{class: SenderFault, reason: "the message was refused for its sender or content", any: []string{
		"service unavailable; client", "access denied", "not allowed", "policy", "denied", "blocked", "spam", "unacceptable",
		"not accepted", "rejected", "refused to accept", "forbidden", "prohibited", "unauthorized", "not authorized",
		"not permitted", "security", "content", "disallowed", "abuse", "complaint", "aup#", "error - blocked", "zurückgewiesen",
		"abgelehnt", "rejeté", "rejete", "refusé", "rechazado", "rifiutato", "rejeitad", "geweigerd", "отклонен", "permission"}},
	{class: Transient, reason: "the receiving host could not be reached", any: []string{
		"timed out", "timeout", "time out", "time-out", "too long", "giving up", "gave up", "connection refused", "connection reset",
		"connection lost", "lost connection", "could not connect", "couldn't connect", "unable to connect", "cannot connect",
		"can't connect", "failed to connect", "establish an smtp connection", "did not accept our requests to connect",
		"no route to host", "network is unreachable", "network unreachable", "network error", "host not reachable", "unreachable",
		"socket error", "message expired", "expired", "have been failing", "retry time", "could not be delivered for",
		"still undelivered", "name lookup", "dns error", "lookup failure", "connection closed", "closed connection",
		"closed the connection", "connection dropped", "connection failed", "connection was", "too many hops", "mail loop",
		"loops back", "loop detected", "mail loop detected", "delivery time", "delivery retry", "could not deliver for the last",
		"conversation with", "host is down", "not responding", "did not respond", "no response", "unable to contact",
		"zeitüberschreitung", "délai", "tiempo de espera", "tempo limite", "tempo scaduto", "hop count", "routing loop"}},
	{class: Transient, reason: "the receiving system has a problem", any: []string{
		"service unavailable", "service currently unavailable", "service temporarily", "service not available", "service refuse", "temporarily",
		"temporary", "try again", "try later", "later", "system error", "internal error", "internal system", "server error",
		"config error", "configuration error", "local error", "local problem", "mail system problem", "resource", "could not load",
		"out of memory", "cannot open", "unable to open", "i/o error", "input/output", "database", "ldap", "deferred", "overload",
		"busy", "maintenance", "queue file", "no such file", "failed to read", "pipe to", "command died", "exit status", "unknown error",
		"vorübergehend", "später", "réessayer", "plus tard", "más tarde", "più tardi", "mais tarde", "later opnieuw", "позже"}},
}
