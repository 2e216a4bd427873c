import { useState } from 'react';
import { Link } from 'wouter';
import { patchRow, useChange, useRows } from '../../data';
import { EnrollDocument, EnrollmentsDocument, PauseEnrollmentDocument, ResumeEnrollmentDocument, StopEnrollmentDocument, type EnrollmentFieldsFragment, type ProspectRowFragment } from '../../gql/generated';
import { exact } from '../../logic/format';
import { Badge } from '../../parts/Badge';
import { CampaignSelect } from '../../parts/CampaignSelect';
import { FormError } from '../../parts/Field';
import { Time } from '../../parts/Time';
import { toast } from '../../parts/Toasts';

export function Enrollments({ prospect }: { prospect: Pick<ProspectRowFragment, 'id' | 'email'> }) {
  const list = useRows(EnrollmentsDocument, (data) => data.enrollments, { prospectId: prospect.id }, { size: 20 });
  return (
    <section className="section" aria-labelledby="enrollments">
      <h3 id="enrollments">Campaigns</h3>
      {!list.loading && list.rows.length === 0 && <p className="faint">In no campaign.</p>}
      <ul className="rows">{list.rows.map((enrollment) => <Enrolled key={enrollment.id} enrollment={enrollment} />)}</ul>
      <EnrolForm prospectId={prospect.id} />
    </section>
  );
}

/** Why it stands where it stands, in one line. */
export function where(e: EnrollmentFieldsFragment): React.ReactNode {
  if (e.status === 'held') return <span title={e.holdUntil ? `Goes on by itself at ${exact(e.holdUntil)}` : undefined}>{e.holdReason ?? 'Held'}</span>;
  if (e.status === 'active') return e.nextStep ? <>Step {e.nextStep}, <Time at={e.nextSendAt} none="soon" /></> : 'Waiting for the end';
  return e.stopReason ?? (e.nextStep ? `Before step ${e.nextStep}` : '');
}

function Enrolled({ enrollment: e }: { enrollment: EnrollmentFieldsFragment }) {
  return (
    <li>
      <span className="grow"><Link className="clip" href={`/campaigns/${e.campaignId}`}>{e.campaign.name}</Link><small className="faint">{where(e)}</small></span>
      <Badge state={e.status} />
      <EnrollmentActs enrollment={e} />
    </li>
  );
}

/** What can be done with an enrollment where it stands; stopping can be undone. */
export function EnrollmentActs({ enrollment: e }: { enrollment: EnrollmentFieldsFragment }) {
  const stop = useChange(StopEnrollmentDocument), pause = useChange(PauseEnrollmentDocument), resume = useChange(ResumeEnrollmentDocument), enrol = useChange(EnrollDocument);
  const error = stop.error ?? pause.error ?? resume.error;
  const undo = () => enrol.mutate({ input: { campaignId: e.campaignId, prospectId: e.prospectId, restart: true } }, { onSuccess: (data) => patchRow(data.enroll.enrollment) });
  const live = e.status === 'active' || e.status === 'held';
  return (
    <span className="line" onClick={(event) => event.stopPropagation()}>
      {live && <button type="button" className="link" onClick={() => pause.mutate({ id: e.id }, { onSuccess: (data) => patchRow(data.pauseEnrollment) })}>Pause</button>}
      {(e.status === 'paused' || e.status === 'held') && <button type="button" className="link" onClick={() => resume.mutate({ id: e.id }, { onSuccess: (data) => patchRow(data.resumeEnrollment) })}>Resume</button>}
      {(live || e.status === 'paused') && <button type="button" className="link bad" onClick={() => stop.mutate({ id: e.id }, { onSuccess: (data) => { patchRow(data.stopEnrollment); toast('1 enrollment stopped.', undo); } })}>Stop</button>}
      {(e.status === 'finished' || e.status === 'stopped') && <button type="button" className="link" onClick={undo}>Start again</button>}
      {error && <span className="bad-text" role="alert">{error.message}</span>}
    </span>
  );
}

function EnrolForm({ prospectId }: { prospectId: string }) {
  const [campaignId, setCampaignId] = useState('');
  const enrol = useChange(EnrollDocument);
  const send = (force: boolean) => enrol.mutate({ input: { campaignId, prospectId, force } }, {
    onSuccess: (data) => { toast(data.enroll.enrollmentCreated ? 'Enrolled.' : 'In that campaign already.'); setCampaignId(''); },
  });
  return (
    <form onSubmit={(event) => { event.preventDefault(); send(false); }}>
      <div className="line">
        <div className="grow"><CampaignSelect value={campaignId} onChange={setCampaignId} /></div>
        <button type="submit" disabled={!campaignId || enrol.isPending}>Enrol</button>
      </div>
      <FormError error={enrol.error} />
      {enrol.error?.code === 'prospect_replied' && <button type="button" onClick={() => send(true)}>Enrol although there was a reply</button>}
    </form>
  );
}
