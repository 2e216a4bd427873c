import { useEffect, useState } from 'react';
import { patchRow, useChange, useOne, useRows } from '../data';
import { MailboxesDocument, MarkReplyDoneDocument, RepliesDocument, UpdateReplyDocument, type Interest, type ReplyFieldsFragment } from '../gql/generated';
import { words } from '../logic/format';
import { CampaignFilter } from '../parts/CampaignSelect';
import { ClearFilters, Filter } from '../parts/Filters';
import { Page } from '../parts/Page';
import { toast } from '../parts/Toasts';
import { useKeys } from '../parts/useKeys';
import { usePhone } from '../parts/useMedia';
import { usePlace } from '../parts/usePlace';
import { Letters } from './inbox/Letters';
import { Thread } from './inbox/Thread';

/** Replies of all mailboxes: the list, what was written back and forth, who it is. */
export default function Inbox() {
  const { path: [, id], params, filter, navigate, tail } = usePlace();
  const phone = usePhone();
  const [folded, setFolded] = useState(true);
  const shared = { campaignId: params.get('campaign'), mailboxId: params.get('mailbox') };
  const done = params.get('show') === 'done' ? true : params.get('show') === 'all' ? null : false;
  const people = useRows(RepliesDocument, (data) => data.replies, { ...shared, interest: params.get('interest') as Interest | null, automatic: false, done }, { size: 50 });
  const programs = useRows(RepliesDocument, (data) => data.replies, { ...shared, automatic: true, done }, { size: 50 });
  const rows = folded ? people.rows : [...people.rows, ...programs.rows];
  const mark = useChange(UpdateReplyDocument), finish = useChange(MarkReplyDoneDocument);
  const at = rows.findIndex((row) => row.id === id);
  const go = (to: number) => { const row = rows[Math.max(0, Math.min(rows.length - 1, to))]; if (row) navigate(`/inbox/${row.id}${tail}`, { replace: id !== undefined }); };
  const [first] = rows;
  useEffect(() => { if (!phone && !id && first) navigate(`/inbox/${first.id}${tail}`, { replace: true }); }, [phone, id, first, navigate, tail]);

  const setInterest = (reply: ReplyFieldsFragment, interest: Interest) => {
    const before = reply.interest;
    mark.mutate({ id: reply.id, input: { interest } }, {
      onSuccess: (data) => { patchRow(data.updateReply); toast(`Marked ${interest}.`, before ? () => mark.mutate({ id: reply.id, input: { interest: before } }, { onSuccess: (undone) => patchRow(undone.updateReply) }) : undefined); },
      onError: (error) => toast(error.message),
    });
  };
  const setDone = (reply: ReplyFieldsFragment, value: boolean) => finish.mutate({ id: reply.id, done: value }, {
    onSuccess: (data) => { patchRow(data.markReplyDone); if (value) { go(at + 1); toast('Done.', () => setDone(reply, false)); } },
    onError: (error) => toast(error.message),
  });
  const current = rows[at];
  useKeys({
    j: () => go(at + 1), k: () => go(at < 0 ? 0 : at - 1),
    p: () => { if (current) setInterest(current, 'positive'); }, n: () => { if (current) setInterest(current, 'negative'); }, u: () => { if (current) setInterest(current, 'neutral'); },
    e: () => { if (current) setDone(current, !current.done); },
  });
  const mailboxes = useOne(MailboxesDocument, {}, { live: 60_000 });
  const setAutomatic = (reply: ReplyFieldsFragment, automatic: boolean) => mark.mutate({ id: reply.id, input: { automatic } }, { onSuccess: (data) => { patchRow(data.updateReply); toast(automatic ? 'Marked as automatic.' : 'A person wrote this.'); } });
  return (
    <Page title="Inbox" wide filters={
      <>
        <select className="filter" aria-label="Show" value={params.get('show') ?? ''} onChange={(event) => filter('show', event.target.value)}><option value="">To deal with</option><option value="done">Done</option><option value="all">All</option></select>
        <Filter name="interest" label="Interest" options={['positive', 'neutral', 'negative']} /><CampaignFilter />
        <Filter name="mailbox" label="Mailbox" options={(mailboxes.data?.mailboxes.nodes ?? []).map((box) => ({ value: box.id, label: box.email }))} />
        <ClearFilters names={['interest', 'campaign', 'mailbox', 'show']} />
      </>}>
      <div className={id ? 'inbox reading' : 'inbox'}>
        <Letters people={people} programs={programs} folded={folded} fold={setFolded} open={id} go={(row) => navigate(`/inbox/${row.id}${tail}`)} />
        <Thread key={id ?? ''} id={id} known={current} back={() => navigate(`/inbox${tail}`)} setInterest={setInterest} setDone={setDone} setAutomatic={setAutomatic} label={words} />
      </div>
    </Page>
  );
}
