import { useRef, useState } from 'react';
import { request } from '../api';
import { refresh } from '../data';
import { CreateSuppressionDocument } from '../gql/generated';
import { download, toCSV } from '../logic/csv';
import { count, plural } from '../logic/format';
import { readList, suppressMany, type SuppressProgress } from '../logic/suppressMany';
import { Drawer } from '../parts/Drawer';
import { Field } from '../parts/Field';
import { Progress } from '../parts/Progress';
import { useDraft } from '../parts/useDraft';

const send = async (text: string) => (await request(CreateSuppressionDocument, { input: text.includes('@') ? { email: text } : { domain: text } })).createSuppression.created;

export default function SuppressionImport({ onClose }: { onClose: () => void }) {
  const { values, set, clear } = useDraft('suppression.import', { text: '' });
  const [progress, setProgress] = useState<SuppressProgress | null>(null);
  const stop = useRef(false);
  const list = readList(values.text);
  const run = async () => { stop.current = false; await suppressMany(list, send, setProgress, () => stop.current); clear(); await refresh(); };
  return (
    <Drawer title="Import suppressions" onClose={() => { stop.current = true; onClose(); }}>
      {!progress && (
        <form onSubmit={(event) => { event.preventDefault(); void run(); }}>
          <Field label="Addresses and domains" hint="One a line, or a CSV file whose first column holds them.">{(wired) => <textarea {...wired} rows={12} value={values.text} onChange={(event) => set({ text: event.target.value })} />}</Field>
          <input type="file" aria-label="A file instead" accept=".csv,.txt,text/csv,text/plain" onChange={(event) => { const file = event.target.files?.[0]; if (file) void file.text().then((text) => set({ text })); }} />
          <p role="status" className="faint">{plural(list.length, 'address or domain', 'addresses and domains')} found.</p>
          <div className="buttons"><button type="submit" className="primary" disabled={list.length === 0}>Suppress {count(list.length)}</button></div>
        </form>
      )}
      {progress && <Progress label="Suppressing" unit="entry" {...progress} />}
      {progress?.running && <div><button type="button" onClick={() => { stop.current = true; }}>Stop</button></div>}
      {progress && !progress.running && (
        <>
          <p role="status">{plural(progress.made, 'suppression')} made, {count(progress.already)} were there, {count(progress.failed.length)} refused.</p>
          {progress.failed.length > 0 && <div><button type="button" onClick={() => download('not-suppressed.csv', toCSV([['entry', 'reason'], ...progress.failed.map(({ text, reason }) => [text, reason])]))}>What failed and why</button></div>}
          <div className="buttons"><button type="button" className="primary" onClick={onClose}>Done</button></div>
        </>
      )}
    </Drawer>
  );
}
