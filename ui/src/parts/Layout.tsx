import { MailX, Menu, PanelLeft, Search, WifiOff } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { listen } from "../api";
import { useOne } from "../data";
import { WaitingDocument } from "../gql/generated";
import { useDeletions } from "./deletions";
import { Mark } from "./Mark";
import { places } from "./places";
import { Below, Entry } from "./Rail";
import { Toasts, undoLast } from "./Toasts";
import { typeAhead } from "./typeAhead";
import { useChords } from "./useChords";
import { chord, useKeys } from "./useKeys";
import { usePhone } from "./useMedia";
import { usePlace } from "./usePlace";
import { Works } from "./Works";

const Palette = lazy(() => import("./Palette"));
const Keys = lazy(() => import("./Keys"));
const More = lazy(() => import("./More"));

export function Layout({ children }: { children: ReactNode }) {
	const [narrow, setNarrow] = useState(localStorage.getItem("outreach.rail") === "narrow");
	const [palette, setPalette] = useState(false);
	const ahead = useRef((): string => "");
	const [keys, setKeys] = useState(false);
	const [more, setMore] = useState(false);
	const phone = usePhone();
	const { path, navigate } = usePlace();
	useChords(navigate);
	useDeletions();
	useKeys({ "?": () => setKeys(true), z: undoLast });
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
			event.preventDefault();
			ahead.current();
			if (!palette) ahead.current = typeAhead();
			setPalette(!palette);
		};
		document.addEventListener("keydown", onKey);
		return () => document.removeEventListener("keydown", onKey);
	}, [palette]);
	const flip = () => {
		localStorage.setItem("outreach.rail", narrow ? "wide" : "narrow");
		setNarrow(!narrow);
	};
	return (
		<div className={narrow ? "frame narrow" : "frame"}>
			<a className="skip" href="#main">
				Skip to the content
			</a>
			{!phone && (
				<nav className="rail" aria-label="Main">
					<div className="brand">
						<Mark size={22} />
						<span>Outreach</span>
						<button
							type="button"
							className="icon"
							aria-label={narrow ? "Expand sidebar" : "Collapse sidebar"}
							onClick={flip}
						>
							<PanelLeft size={16} aria-hidden />
						</button>
					</div>
					<button
						type="button"
						className="find"
						onClick={() => setPalette(true)}
						title={`Search or run a command (${chord("K")})`}
					>
						<Search size={14} aria-hidden />
						<span>
							Search<span className="offscreen"> or run a command</span>
						</span>
						<kbd>{chord("K")}</kbd>
					</button>
					{places.map((place) => (
						<Entry key={place.to} {...place} at={path[0]} />
					))}
					<div className="rail-foot">
						<Below at={path[0]} onKeys={() => setKeys(true)} />
					</div>
				</nav>
			)}
			<div className="content">
				<Away />
				<SendingOff />
				<Works path={`/${path.join("/")}`} />
				{children}
				<Toasts />
			</div>
			{phone && (
				<nav className="bottom" aria-label="Main, bottom">
					{places.slice(0, 4).map((place) => (
						<Entry key={place.to} {...place} at={path[0]} />
					))}
					<button type="button" onClick={() => setMore(true)} aria-haspopup="dialog">
						<Menu size={18} aria-hidden />
						<span>More</span>
					</button>
				</nav>
			)}
			<Suspense>
				{more && (
					<More
						at={path[0]}
						onClose={() => setMore(false)}
						onFind={() => setPalette(true)}
						onKeys={() => setKeys(true)}
					/>
				)}
				{palette && (
					<Palette ahead={() => ahead.current()} onKeys={() => setKeys(true)} onClose={() => setPalette(false)} />
				)}
				{keys && <Keys onClose={() => setKeys(false)} />}
			</Suspense>
		</div>
	);
}

/** The bar that is shown while the server cannot be reached. */
function Away() {
	const [away, setAway] = useState(false);
	useEffect(
		() =>
			listen((event) => {
				if (event !== "signed-out") setAway(event === "away");
			}),
		[],
	);
	return (
		<div role="status">
			{away && (
				<p className="away">
					<WifiOff size={14} aria-hidden /> The server cannot be reached. Retrying… Nothing you typed is lost.
				</p>
			)}
		</div>
	);
}

/** The bar that is shown while the installation sends no mail. */
function SendingOff() {
	const off = useOne(WaitingDocument, {}).data?.sendingOff;
	return (
		<div role="status">
			{off && (
				<p className="away">
					<MailX size={14} aria-hidden /> <span>{off}</span>
				</p>
			)}
		</div>
	);
}
