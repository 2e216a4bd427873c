import { request } from "../../api";
import { refresh, useOne } from "../../data";
import { EndSessionDocument, SessionsDocument } from "../../gql/generated";
import { browserOf } from "../../logic/agent";
import { Failure, Skeleton } from "../../parts/states";
import { Time } from "../../parts/Time";
import { toast, toastError } from "../../parts/Toasts";

/** Where the user is signed in. */
export function Sessions() {
	const { data, error, refetch } = useOne(SessionsDocument, {});
	if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton />;
	const end = async (id: string) => {
		await request(EndSessionDocument, { id });
		toast("The session ended.");
		void refresh();
	};
	return (
		<section className="section" aria-labelledby="sessions">
			<h2 id="sessions">Sessions</h2>
			<ul className="rows">
				{data.sessions.map((session) => (
					<li key={session.id}>
						<span className="grow">
							<span className="clip" title={session.agent ?? undefined}>
								{session.agent ? browserOf(session.agent) : "Unknown browser"}
							</span>
							<small className="faint">
								{session.client ?? "unknown address"}, last seen <Time at={session.lastSeenAt} />
							</small>
						</span>
						{session.current ? (
							<span className="faint">this browser</span>
						) : (
							<button type="button" className="link bad" onClick={() => void end(session.id).catch(toastError)}>
								End
							</button>
						)}
					</li>
				))}
			</ul>
		</section>
	);
}
