import { lazy, Suspense, useEffect, useState } from "react";
import { listen } from "./api";
import { client, useOne } from "./data";
import { ViewerDocument, type ViewerFieldsFragment } from "./gql/generated";
import { hearNews } from "./live";
import { Overview } from "./pages/Overview";
import { SignIn } from "./pages/SignIn";
import { Boundary } from "./parts/Boundary";
import { ConfirmPassword } from "./parts/ConfirmPassword";
import { fetchAhead } from "./parts/fetchAhead";
import { Layout } from "./parts/Layout";
import { Failure, Skeleton } from "./parts/states";
import { Toasts } from "./parts/Toasts";
import { usePlace } from "./parts/usePlace";
import { ViewerContext } from "./parts/viewer";

// A page is loaded when it is opened, or when the browser is idle.
const files = {
	inbox: () => import("./pages/Inbox"),
	campaigns: () => import("./pages/Campaigns"),
	prospects: () => import("./pages/Prospects"),
	companies: () => import("./pages/Companies"),
	offers: () => import("./pages/Offers"),
	mailboxes: () => import("./pages/Mailboxes"),
	deliverability: () => import("./pages/Deliverability"),
	suppressions: () => import("./pages/Suppressions"),
	settings: () => import("./pages/Settings"),
};
const pages = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, lazy(file)]));
const NotFound = lazy(() => import("./pages/NotFound"));
const SignInAgain = lazy(() => import("./pages/SignInAgain"));
const Join = lazy(() => import("./pages/Join"));
const TwoFactor = lazy(() => import("./parts/TwoFactor"));
fetchAhead(location.pathname, files, [
	() => import("./pages/SignInAgain"),
	() => import("./parts/Palette"),
	() => import("./parts/Keys"),
	() => import("./parts/More"),
]);

export function App() {
	const { data, error, refetch } = useOne(ViewerDocument, {}, { live: 60_000 });
	const [viewer, setViewer] = useState<ViewerFieldsFragment | null>(null);
	const [ended, setEnded] = useState(false);
	useEffect(
		() =>
			listen((event) => {
				if (event === "signed-out") setEnded(true);
			}),
		[],
	);
	useEffect(() => {
		if (data?.viewer) {
			setViewer(data.viewer);
			setEnded(false);
		} else if (data) setEnded(true);
	}, [data]);

	const signedIn = (next: ViewerFieldsFragment) => {
		if (viewer && (viewer.id !== next.id || viewer.workspaceId !== next.workspaceId)) {
			sessionStorage.clear();
			location.reload();
			return;
		}
		setViewer(next);
		setEnded(false);
		client.setQueryData(["one", "Viewer", {}], { viewer: next });
		void client.invalidateQueries();
	};

	if (location.pathname === "/join" && location.hash)
		return (
			<>
				<Suspense>
					<Join token={location.hash.slice(1)} onDone={() => location.replace("/")} />
				</Suspense>
				<Toasts />
			</>
		);
	if (!viewer && data && !data.viewer)
		return (
			<>
				<SignIn onDone={signedIn} />
				<Toasts />
			</>
		);
	if (!viewer && error)
		return (
			<main className="page alone">
				<Failure error={error} retry={() => void refetch()} what="The server does not respond." />
			</main>
		);
	if (!viewer)
		return (
			<main className="page alone">
				<h1 className="offscreen">Outreach</h1>
				<Skeleton kind="block" lines={3} />
			</main>
		);
	return (
		<ViewerContext value={viewer}>
			<News key={viewer.workspaceId ?? ""} />
			<Layout>{viewer.totpRequired && !viewer.totp ? <TotpNeeded /> : <Screen />}</Layout>
			{ended && (
				<Suspense>
					<SignInAgain email={viewer.email} onDone={signedIn} />
				</Suspense>
			)}
			<ConfirmPassword email={viewer.email} />
		</ViewerContext>
	);
}

/** Listens to the stream of news while a user is signed in. */
function News() {
	useEffect(() => hearNews(), []);
	return null;
}

/** The only page of a member without the second factor that the workspace requires. */
function TotpNeeded() {
	return (
		<main className="page" id="main" tabIndex={-1}>
			<h1>Two-factor sign-in</h1>
			<p>This workspace requires two-factor sign-in. Turn it on to continue.</p>
			<Suspense>
				<TwoFactor />
			</Suspense>
		</main>
	);
}

function Screen() {
	const { path } = usePlace();
	const name = path[0];
	const Chosen = name === undefined ? Overview : (pages[name] ?? NotFound);
	return (
		<Boundary key={name ?? ""}>
			<Suspense
				fallback={
					<main className="page" id="main" tabIndex={-1}>
						<h1 className="offscreen">Outreach</h1>
						<Skeleton lines={10} />
					</main>
				}
			>
				<Chosen />
			</Suspense>
		</Boundary>
	);
}
