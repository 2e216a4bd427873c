import { download, toCSV } from '../../logic/csv';
import { count } from '../../logic/format';
import { refusedRows, type Refused } from '../../logic/work';

/** The first rows that were left out, with the reason, and all of them as a file. */
export function LeftOut({ refused }: { refused: Refused[] }) {
  if (refused.length === 0) return null;
  return (
    <div className="section">
      <header><h3>What is left out and why</h3><button type="button" onClick={() => download('not-imported.csv', toCSV(refusedRows(refused, 'email')))}>Download all {count(refused.length)}</button></header>
      <ul className="rows">
        {refused.slice(0, 8).map((row) => (
          <li key={row.line}>
            <span className="faint line-no">Line {row.line}</span>
            <span className="grow"><span className="clip" title={row.what}>{row.what || 'no address'}</span><small className="faint">{row.reason}</small></span>
          </li>
        ))}
      </ul>
      {refused.length > 8 && <p className="faint">And {count(refused.length - 8)} more.</p>}
    </div>
  );
}
