import { useEffect, useSyncExternalStore } from 'react';
import { useRows } from '../../data';
import { DeliveriesDocument, SubscriptionsDocument, type DeliveryRowFragment, type DeliveryStatus, type EventType } from '../../gql/generated';
import { download, toCSV } from '../../logic/csv';
import { count, plural } from '../../logic/format';
import { refusedRows } from '../../logic/work';
import { Badge } from '../../parts/Badge';
import { ClearFilters, Filter } from '../../parts/Filters';
import { Progress } from '../../parts/Progress';
import { RowList, type Column } from '../../parts/RowList';
import { Empty } from '../../parts/states';
import { Time } from '../../parts/Time';
import { usePlace } from '../../parts/usePlace';
import { redeliver, redeliverer } from '../../works';
import { answerOf, DeliveryDrawer } from './DeliveryDrawer';

const columns: Column<DeliveryRowFragment>[] = [
  { head: 'Event', cell: (d) => <code>{d.type}</code> },
  { head: 'Status', cell: (d) => <Badge state={d.status} />, phone: 'side' },
  { head: 'Attempts', cell: (d) => `${d.attempts} of ${d.type === 'test' ? 1 : 3}` },
  { head: 'Answer', cell: (d) => <span title={answerOf(d)}>{answerOf(d)}</span> },
  { head: 'To', cell: (d) => <span title={d.url}>{d.url}</span>, phone: 'sub' },
  { head: 'Made', cell: (d) => <Time at={d.createdAt} /> },
];

/** The history of every delivery. */
export function Integrations({ id }: { id: string | undefined }) {
  const { params, close } = usePlace();
  const subscriptions = useRows(SubscriptionsDocument, (data) => data.subscriptions, {}, { size: 100, live: false });
  const days = params.get('since');
  const since = days ? new Date(Math.floor(Date.now() / 86_400_000 - Number(days)) * 86_400_000).toISOString() : null;
  const list = useRows(DeliveriesDocument, (data) => data.deliveries, { subscriptionId: params.get('webhook'), type: params.get('type') as EventType | null, status: params.get('status') as DeliveryStatus | null, since });
  const failed = list.rows.filter(({ status }) => status === 'failed').map((delivery) => delivery.id);
  const names = ['webhook', 'type', 'status', 'since'];
  return (
    <>
      <div className="filters">
        <Filter name="webhook" label="Webhook" options={subscriptions.rows.map((s) => ({ value: s.id, label: s.url }))} />
        <Filter name="type" label="Event" options={['sent', 'replied', 'clicked', 'bounced', 'unsubscribed', 'test']} />
        <Filter name="status" label="Status" options={['queued', 'delivered', 'failed']} />
        <Filter name="since" label="When" options={[{ value: '1', label: 'Since yesterday' }, { value: '7', label: 'Last 7 days' }]} />
        <ClearFilters names={names} />
      </div>
      <RedeliverAll ids={params.get('status') === 'failed' ? failed : []} />
      <RowList label="Deliveries" kind="deliveries" list={list} columns={columns} href={(d) => `/settings/integrations/${d.id}`}
        empty={<Empty title={names.some((name) => params.get(name)) ? 'No delivery fits these filters.' : 'Nothing was delivered yet: subscribe a webhook first.'} />} />
      {id && <DeliveryDrawer key={id} id={id} onClose={() => close('/settings/integrations')} />}
    </>
  );
}

function RedeliverAll({ ids }: { ids: string[] }) {
  const state = useSyncExternalStore(redeliverer.watch, redeliverer.read);
  useEffect(() => { if (state.phase === 'done') redeliverer.see(); }, [state.phase]);
  if (redeliverer.busy) return <div className="bulk"><div className="grow"><Progress label="Redelivering" unit="delivery" {...state} /></div><button type="button" onClick={redeliverer.stop}>Stop</button></div>;
  if (state.phase === 'done') {
    return (
      <div className="bulk"><span role="status">{count(state.counts.queued ?? 0)} queued again, {count(state.refused.length)} refused.</span>
        {state.refused.length > 0 && <button type="button" onClick={() => download('not-redelivered.csv', toCSV(refusedRows(state.refused, 'delivery_id')))}>What failed and why</button>}
        <button type="button" onClick={redeliverer.reset}>Done</button></div>
    );
  }
  if (ids.length === 0) return null;
  return <div className="bulk"><b>{plural(ids.length, 'failed delivery')} loaded</b><button type="button" onClick={() => void redeliverer.run('Redelivering', ids, redeliver)}>Redeliver all {count(ids.length)}</button></div>;
}
