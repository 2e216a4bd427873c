import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { client, remember } from "./data";
import {
	AttentionDocument,
	CapacityDocument,
	OpenRepliesDocument,
	OverviewDocument,
	ViewerDocument,
	WaitingDocument,
} from "./gql/generated";
import { DAYS, first } from "./start";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/lists.css";
import "./styles/pages.css";

/** Stores the first answer in the cache of the screens. */
const laid = first.then((answer) => {
	if (answer === undefined) return;
	remember(ViewerDocument, {}, { viewer: answer?.viewer ?? null });
	if (answer?.waitingReplies !== undefined) {
		remember(WaitingDocument, {}, { waitingReplies: answer.waitingReplies, sendingOff: answer.sendingOff });
	}
	if (answer?.overview) remember(OverviewDocument, { days: DAYS }, { overview: answer.overview });
	if (answer?.attention) remember(AttentionDocument, {}, { attention: answer.attention });
	if (answer?.mailboxes) remember(CapacityDocument, {}, { mailboxes: answer.mailboxes });
	if (answer?.replies && answer.positive && answer.newest)
		remember(OpenRepliesDocument, {}, { replies: answer.replies, positive: answer.positive, newest: answer.newest });
});

// The answer has usually arrived, so the first drawing is the whole screen. The page
// does not wait for a late answer: it draws the frame, and the screens request their data.
await Promise.race([
	laid,
	new Promise((late) => {
		setTimeout(late, 300);
	}),
]);
createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<QueryClientProvider client={client}>
			<App />
		</QueryClientProvider>
	</StrictMode>,
);
