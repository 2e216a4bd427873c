import { useRef, useState } from 'react';
import { request } from '../../api';
import { refresh } from '../../data';
import { EnrollDocument } from '../../gql/generated';
import { download, toCSV } from '../../logic/csv';
import { enrolMany, type EnrolProgress } from '../../logic/enrolMany';
import { count, plural } from '../../logic/format';
import { CampaignSelect } from '../../parts/CampaignSelect';
import { Progress } from '../../parts/Progress';

interface Props { ids: string[]; all: string[]; choose: (ids: string[]) => void }

/** The bar over a list with chosen rows: enrol them all, see how far it is, read what failed. */
export function BulkEnrol({ ids, all, choose }: Props) {
  const [campaign, setCampaign] = useState('');
  const [progress, setProgress] = useState<EnrolProgress | null>(null);
  const stop = useRef(false);
  const run = async () => {
    stop.current = false;
    await enrolMany(ids, async (prospectId) => (await request(EnrollDocument, { input: { campaignId: campaign, prospectId } })).enroll.enrollmentCreated, setProgress, () => stop.current);
    await refresh();
  };
  if (progress?.running) {
    return <div className="bulk"><div className="grow"><Progress label="Enrolling" unit="prospect" {...progress} /></div><button type="button" onClick={() => { stop.current = true; }}>Stop</button></div>;
  }
  if (progress) {
    return (
      <div className="bulk" role="status">
        <span>{plural(progress.enrolled, 'prospect')} enrolled, {count(progress.already)} already in the campaign, {count(progress.failed.length)} refused.</span>
        {progress.failed.length > 0 && <button type="button" onClick={() => download('not-enrolled.csv', toCSV([['prospect_id', 'reason'], ...progress.failed.map(({ id, reason }) => [id, reason])]))}>What failed and why</button>}
        <button type="button" onClick={() => { setProgress(null); choose([]); }}>Done</button>
      </div>
    );
  }
  return (
    <div className="bulk">
      <b>{plural(ids.length, 'prospect')} chosen</b>
      {all.length > ids.length && <button type="button" className="link" onClick={() => choose(all)}>Choose all {count(all.length)} loaded</button>}
      <button type="button" className="link" onClick={() => choose([])}>Choose none</button>
      <CampaignSelect value={campaign} onChange={setCampaign} />
      <button type="button" className="primary" disabled={!campaign} onClick={() => void run()}>Enrol {count(ids.length)}</button>
    </div>
  );
}
