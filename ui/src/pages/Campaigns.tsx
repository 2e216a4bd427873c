export default function Campaigns() { return null; }
