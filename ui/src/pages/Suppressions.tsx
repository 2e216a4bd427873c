export default function Suppressions() { return null; }
