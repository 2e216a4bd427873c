export default function Companies() { return null; }
