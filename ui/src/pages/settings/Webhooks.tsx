import { Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useOne, useRows } from "../../data";
import {
	type CreateSubscriptionMutation,
	DeliveriesDocument,
	type SubscriptionFieldsFragment,
	SubscriptionsDocument,
} from "../../gql/generated";
import { Badge } from "../../parts/Badge";
import { ShortList } from "../../parts/ShortList";
import { Empty } from "../../parts/states";
import { Time } from "../../parts/Time";
import { usePlace } from "../../parts/usePlace";
import { answerOf } from "./DeliveryDrawer";
import { SubscriptionDrawer } from "./SubscriptionDrawer";
import { SubscriptionForm } from "./SubscriptionForm";

type Made = CreateSubscriptionMutation["createSubscription"];

/** The event subscriptions with their events and their last delivery. */
export function Webhooks({ id }: { id: string | undefined }) {
	const { open, swap, close } = usePlace();
	const list = useRows(SubscriptionsDocument, (data) => data.subscriptions, {}, { size: 50 });
	// The secret of one just made is shown in its drawer once, and can be revealed there again.
	const [made, setMade] = useState<Made | null>(null);
	const shut = () => {
		setMade(null);
		close("/settings/webhooks");
	};
	return (
		<section className="section" aria-labelledby="subscriptions">
			<header>
				<h2 id="subscriptions">Webhooks</h2>
				<button type="button" className="primary" onClick={() => open("/settings/webhooks/new")}>
					<Plus size={14} aria-hidden /> Add webhook
				</button>
			</header>
			<p className="faint">
				Events are sent as signed JSON within a minute, with up to three attempts. Opens are never sent.
			</p>
			<ShortList
				list={list}
				item={(subscription) => <Item key={subscription.id} subscription={subscription} />}
				empty={
					<Empty title="Send events to your own systems: replies, clicks, bounces and more.">
						<button type="button" className="primary" onClick={() => open("/settings/webhooks/new")}>
							Add a webhook
						</button>
					</Empty>
				}
			/>
			{id === "new" && (
				<SubscriptionForm
					onClose={shut}
					onMade={(next) => {
						setMade(next);
						swap(`/settings/webhooks/${next.id}`);
					}}
				/>
			)}
			{id && id !== "new" && (
				<SubscriptionDrawer key={id} id={id} secret={made?.id === id ? made.secret : null} onClose={shut} />
			)}
		</section>
	);
}

function Item({ subscription: s }: { subscription: SubscriptionFieldsFragment }) {
	const { data } = useOne(DeliveriesDocument, { first: 1, subscriptionId: s.id });
	const last = data?.deliveries.nodes[0];
	return (
		<li>
			<span className="grow">
				<Link className="clip" href={`/settings/webhooks/${s.id}`} state={{ over: true }} title={s.url}>
					{s.url}
				</Link>
				<small className="faint clip">{s.events.join(", ")}</small>
			</span>
			<span className="line">
				{last && (
					<small className="faint">
						{answerOf(last)}, <Time at={last.createdAt} />
					</small>
				)}
				<Badge state={s.enabled ? "enabled" : "disabled"} />
			</span>
		</li>
	);
}
