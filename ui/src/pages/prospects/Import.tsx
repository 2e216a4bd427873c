import { FileUp } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { request } from '../../api';
import { refresh } from '../../data';
import { BulkProspectsDocument } from '../../gql/generated';
import { Importer } from '../../logic/importer';
import { plural } from '../../logic/format';
import { Page } from '../../parts/Page';
import { Progress } from '../../parts/Progress';
import { ImportMapping } from './ImportMapping';
import { ImportSummary } from './ImportSummary';
import { readCSV, type Sheet } from './readCSV';

const importer = new Importer(async (prospects, onExisting) => (await request(BulkProspectsDocument, { input: { prospects, onExisting } })).bulkProspects.results);

/** From a file to prospects: choose, map and check, send with progress, summary. */
export default function Import() {
  const state = useSyncExternalStore(importer.watch, importer.read);
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const busy = state.phase === 'running' || state.phase === 'waiting';
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [busy]);
  useEffect(() => { if (state.phase === 'done') void refresh(); }, [state.phase]);
  const again = () => { importer.reset(); setSheet(null); };
  return (
    <Page title="Import prospects" action={<Link className="button" href="/prospects">{busy ? 'Leave it running' : 'Back to prospects'}</Link>}>
      {busy && (
        <section className="panel">
          <p>Importing <b>{state.file}</b>. You may go elsewhere in the application and come back; only closing the tab stops it.</p>
          <Progress label="Import" unit="row" done={state.done} total={state.total} startedAt={state.startedAt} />
          {state.phase === 'waiting' && <p className="note warn" role="status">{state.note} The import waits and goes on by itself.</p>}
          <p className="faint">{plural(state.created, 'row')} created, {state.updated} updated, {state.skipped} already there, {state.refused.length} refused.</p>
          <div className="buttons start"><button type="button" onClick={importer.stop}>Stop after this chunk</button></div>
        </section>
      )}
      {state.phase === 'done' && <ImportSummary state={state} again={again} />}
      {state.phase === 'idle' && !sheet && <Choose onSheet={setSheet} />}
      {state.phase === 'idle' && sheet && <ImportMapping sheet={sheet} back={() => setSheet(null)} start={(rows, onExisting, refused) => void importer.run(sheet.name, rows, onExisting, refused)} />}
    </Page>
  );
}

function Choose({ onSheet }: { onSheet: (sheet: Sheet) => void }) {
  const [over, setOver] = useState(false);
  const [read, setRead] = useState<number | null>(null);
  const [fault, setFault] = useState('');
  const take = async (file: File | undefined) => {
    if (!file) return;
    setFault('');
    setRead(0);
    try { onSheet(await readCSV(file, setRead)); } catch (error) { setFault(error instanceof Error ? error.message : String(error)); }
    setRead(null);
  };
  return (
    <div className="panel">
      <label className={over ? 'drop over' : 'drop'} onDragOver={(event) => { event.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)}
        onDrop={(event) => { event.preventDefault(); setOver(false); void take(event.dataTransfer.files[0]); }}>
        <FileUp size={28} aria-hidden />
        <span>Drop a CSV file here, or choose one. The first line holds the names of the columns.</span>
        <input type="file" accept=".csv,.tsv,.txt,text/csv" onChange={(event) => void take(event.target.files?.[0])} />
        <small className="faint">Commas, semicolons or tabs; UTF-8. A hundred thousand rows are fine. Nothing is sent until you say so.</small>
      </label>
      {read !== null && <p role="status">Reading… {plural(read, 'row')}</p>}
      {fault && <p className="note bad" role="alert">{fault}</p>}
    </div>
  );
}
