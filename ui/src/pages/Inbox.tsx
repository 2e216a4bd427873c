export default function Inbox() { return null; }
