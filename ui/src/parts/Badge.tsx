import {
	AlertTriangle,
	Ban,
	Check,
	CircleDashed,
	CircleDot,
	Clock,
	Flame,
	type LucideIcon,
	Minus,
	Pause,
	Reply,
	Snowflake,
	Sun,
	ThumbsDown,
	ThumbsUp,
	Undo2,
	X,
} from "lucide-react";
import type {
	CampaignStatus,
	DeliveryStatus,
	DomainState,
	EnrollmentStatus,
	Interest,
	MailboxStatus,
	MessageStatus,
	OfferStatus,
	ProspectStatus,
	RecordResult,
	Role,
	SuppressionReason,
	Temperature,
	TrackingDomainStatus,
} from "../gql/generated";
import { words } from "../logic/format";

/** Every state that the schema knows, and the two of a webhook, which is a boolean there. */
export type State =
	| CampaignStatus
	| DeliveryStatus
	| DomainState
	| EnrollmentStatus
	| Interest
	| MailboxStatus
	| MessageStatus
	| OfferStatus
	| ProspectStatus
	| RecordResult
	| Role
	| SuppressionReason
	| Temperature
	| TrackingDomainStatus
	| "enabled"
	| "disabled";
type Tone = "good" | "warn" | "bad" | "accent" | "plain";

// Every state that can be shown, each with an icon so that no colour stands alone.
const STATES: Record<State, [Tone, LucideIcon]> = {
	new: ["plain", CircleDashed],
	in_sequence: ["accent", CircleDot],
	paused: ["warn", Pause],
	finished: ["plain", Check],
	replied: ["good", Reply],
	bounced: ["bad", AlertTriangle],
	unsubscribed: ["bad", Ban],
	active: ["good", CircleDot],
	held: ["warn", AlertTriangle],
	stopped: ["plain", X],
	failed: ["bad", X],
	draft: ["plain", CircleDashed],
	completed: ["plain", Check],
	archived: ["plain", Minus],
	connected: ["good", Check],
	error: ["bad", AlertTriangle],
	sent: ["plain", Check],
	unknown: ["warn", AlertTriangle],
	scheduled: ["accent", Clock],
	not_sent: ["plain", Undo2],
	hot: ["good", Flame],
	warm: ["accent", Sun],
	cold: ["plain", Snowflake],
	unread: ["plain", CircleDashed],
	read: ["good", Check],
	reread: ["good", Check],
	manual: ["plain", Ban],
	complaint: ["bad", AlertTriangle],
	passing: ["good", Check],
	failing: ["bad", AlertTriangle],
	pass: ["good", Check],
	fail: ["bad", X],
	none: ["bad", Minus],
	queued: ["plain", Clock],
	delivered: ["good", Check],
	positive: ["good", ThumbsUp],
	neutral: ["plain", Minus],
	negative: ["bad", ThumbsDown],
	pending: ["warn", Clock],
	verified: ["good", Check],
	enabled: ["good", Check],
	disabled: ["plain", Pause],
	owner: ["accent", CircleDot],
	member: ["plain", CircleDot],
};

export function Badge({ state, label }: { state: State; label?: string }) {
	const [tone, Icon] = STATES[state];
	return (
		<span className={`badge ${tone}`}>
			<Icon size={12} aria-hidden />
			{label ?? words(state)}
		</span>
	);
}
