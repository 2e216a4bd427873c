import { useState } from 'react';
import { useOne } from '../../data';
import { DeliveriesDocument } from '../../gql/generated';
import { Badge } from '../../parts/Badge';
import { Failure, Skeleton } from '../../parts/states';
import { Time } from '../../parts/Time';
import { answerOf, DeliveryDetail } from './DeliveryDrawer';

/** The last ten deliveries; one opens in place, so the drawer is not left. */
export function LastDeliveries({ subscriptionId }: { subscriptionId: string }) {
  const { data, error, refetch } = useOne(DeliveriesDocument, { first: 10, subscriptionId });
  const [open, setOpen] = useState<string | null>(null);
  const rows = data?.deliveries.nodes;
  return (
    <section className="section" aria-labelledby="last">
      <h3 id="last">Last 10 deliveries</h3>
      {!rows && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton />)}
      {rows?.length === 0 && <p className="faint">Nothing was delivered yet. Send a test event.</p>}
      {rows && rows.length > 0 && (
        <div className="scroll-x" tabIndex={0} role="region" aria-label="Last deliveries">
          <table className="plain">
            <thead><tr><th scope="col">Event</th><th scope="col">Status</th><th scope="col">Attempts</th><th scope="col">Answer</th><th scope="col">When</th><th scope="col"><span className="offscreen">Open</span></th></tr></thead>
            <tbody>{rows.map((d) => (
              <tr key={d.id}><td><code>{d.type}</code></td><td><Badge state={d.status} /></td><td>{d.attempts} of {d.type === 'test' ? 1 : 3}</td><td>{answerOf(d)}</td><td><Time at={d.createdAt} /></td>
                <td><button type="button" className="link" aria-expanded={open === d.id} onClick={() => setOpen(open === d.id ? null : d.id)}>{open === d.id ? 'Close' : 'Open'}</button></td></tr>
            ))}</tbody>
          </table>
        </div>
      )}
      {open && <DeliveryDetail id={open} />}
    </section>
  );
}
