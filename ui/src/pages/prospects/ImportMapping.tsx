import { useMemo, useState } from 'react';
import type { OnExisting } from '../../gql/generated';
import { download, guess, judge, plainName, targets, toCSV, type Mapping, type Target } from '../../logic/csv';
import { count, plural } from '../../logic/format';
import type { ImportRow, Refused } from '../../logic/importer';
import type { Sheet } from './readCSV';

interface Props { sheet: Sheet; back: () => void; start: (rows: ImportRow[], onExisting: OnExisting, refused: Refused[]) => void }

/** Says what each column is, and what an import would do, before anything is sent. */
export function ImportMapping({ sheet, back, start }: Props) {
  const [mapping, setMapping] = useState<Mapping>(() => guess(sheet.headers));
  const [onExisting, setOnExisting] = useState<OnExisting>('skip');
  const judged = useMemo(() => judge(sheet.rows, mapping), [sheet, mapping]);
  const hasEmail = Object.values(mapping).includes('email');
  const refused = [...judged.invalid, ...judged.duplicates.map(({ line, email, first }) => ({ line, email, reason: `The same address stands in line ${first}.` }))];
  const used = (target: Target, header: string) => Object.entries(mapping).some(([other, value]) => value === target && other !== header);
  return (
    <section className="panel">
      <h2>{sheet.name}: {plural(sheet.rows.length, 'row')}</h2>
      <div className="scroll-x" tabIndex={0} role="region" aria-label="Columns">
        <table className="plain">
          <thead><tr><th scope="col">Column</th><th scope="col">First values</th><th scope="col">Becomes</th></tr></thead>
          <tbody>
            {sheet.headers.map((header) => (
              <tr key={header}>
                <th scope="row">{header}</th>
                <td className="faint">{sheet.rows.slice(0, 3).map((row) => row[header]).filter(Boolean).join(' · ').slice(0, 80)}</td>
                <td>
                  <select aria-label={`What ${header} becomes`} value={mapping[header]} onChange={(event) => setMapping({ ...mapping, [header]: event.target.value as Mapping[string] })}>
                    <option value="">Leave out</option>
                    {Object.entries(targets).map(([target, label]) => <option key={target} value={target} disabled={used(target as Target, header)}>{label}</option>)}
                    {plainName(header) && <option value={`custom:${plainName(header)}`}>Custom field {plainName(header)}</option>}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <fieldset><legend>When an address is already a prospect</legend>
        <label className="check"><input type="radio" name="existing" checked={onExisting === 'skip'} onChange={() => setOnExisting('skip')} /> Leave the prospect as it is</label>
        <label className="check"><input type="radio" name="existing" checked={onExisting === 'update'} onChange={() => setOnExisting('update')} /> Update it with what the file says</label>
      </fieldset>
      {!hasEmail && <p className="note warn">Choose the column that holds the e-mail address.</p>}
      {hasEmail && (
        <div className="section" role="status" aria-label="Dry run">
          <h3>Dry run: nothing is sent yet</h3>
          <ul>
            <li><b>{count(judged.valid.length)}</b> rows would be sent in {plural(Math.ceil(judged.valid.length / 1000), 'chunk')}.</li>
            <li><b>{count(judged.duplicates.length)}</b> come twice in the file; the first of each is taken.</li>
            <li><b>{count(judged.invalid.length)}</b> have no usable e-mail address.</li>
            <li className="faint">How many are prospects already, the import itself tells.</li>
          </ul>
          {refused.length > 0 && <div><button type="button" onClick={() => download('not-imported.csv', toCSV([['line', 'email', 'reason'], ...refused.map((row) => [row.line, row.email, row.reason])]))}>Download the {count(refused.length)} left out</button></div>}
        </div>
      )}
      <div className="buttons start">
        <button type="button" className="primary" disabled={!hasEmail || judged.valid.length === 0} onClick={() => start(judged.valid, onExisting, refused)}>Import {count(judged.valid.length)} rows</button>
        <button type="button" onClick={back}>Another file</button>
      </div>
    </section>
  );
}
