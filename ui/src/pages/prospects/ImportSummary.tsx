import { useState } from 'react';
import { Link } from 'wouter';
import { download, toCSV } from '../../logic/csv';
import { count, duration } from '../../logic/format';
import type { ImportState } from '../../logic/importer';
import { BulkEnrol } from './BulkEnrol';

export function ImportSummary({ state, again }: { state: ImportState; again: () => void }) {
  const [ids, setIds] = useState(state.ids);
  const seconds = (state.finishedAt - state.startedAt) / 1000;
  return (
    <section className="panel" aria-label="Summary of the import">
      <div role="status">
        <h2>{state.note ? 'Import stopped' : 'Import finished'}</h2>
        <p className="faint">{state.file}, {count(state.done)} of {count(state.total)} rows in {duration(seconds)}</p>
      </div>
      <dl className="numbers">
        {([['Created', state.created], ['Updated', state.updated], ['Already there', state.skipped], ['Left out', state.refused.length]] as const).map(([label, n]) => <div className="number" key={label}><dt>{label}</dt><dd>{count(n)}</dd></div>)}
      </dl>
      {state.refused.length > 0 && (
        <div className="section">
          <h3>What failed and why</h3>
          <ul className="rows">{state.refused.slice(0, 8).map((row) => <li key={row.line}><span className="faint">Line {row.line}</span><span className="grow"><span className="clip">{row.email || 'no address'}</span><small className="faint">{row.reason}</small></span></li>)}</ul>
          <div><button type="button" onClick={() => download('not-imported.csv', toCSV([['line', 'email', 'reason'], ...state.refused.map((row) => [row.line, row.email, row.reason])]))}>Download all {count(state.refused.length)}</button></div>
        </div>
      )}
      {ids.length > 0 && <BulkEnrol ids={ids} all={ids} choose={setIds} />}
      <div className="buttons start"><Link className="button primary" href="/prospects">See the prospects</Link><button type="button" onClick={again}>Import another file</button></div>
    </section>
  );
}
