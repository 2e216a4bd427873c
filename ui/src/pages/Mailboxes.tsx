export default function Mailboxes() { return null; }
