import { useCallback, useEffect, useRef, useState } from "react";

interface Draft<T> {
	values: T;
	set: (part: Partial<T> | ((had: T) => Partial<T>)) => void;
	clear: () => void;
	kept: boolean;
	/** Marks sent as stored. Values typed since then stay, passed through keep. */
	stored: (sent: T, keep?: (typed: T) => T) => void;
}

/**
 * The values of a form: the initial ones until something is typed, from then on
 * the typed ones, kept in this tab's storage until they are saved. So a reload,
 * a closed drawer or an unavailable server loses no input. Never pass a secret in:
 * forms hold those in plain state.
 */
export function useDraft<T extends object>(name: string, initial: T): Draft<T> {
	const key = `outreach.draft.${name}`;
	const [own, setOwn] = useState<T | null>(() => read<T>(key, initial));
	const latest = useRef(initial),
		typed = useRef(own);
	useEffect(() => {
		latest.current = initial;
		typed.current = own;
	});
	useEffect(() => {
		if (own) sessionStorage.setItem(key, JSON.stringify(own));
		else sessionStorage.removeItem(key);
	}, [key, own]);
	const set = useCallback(
		(part: Partial<T> | ((had: T) => Partial<T>)) =>
			setOwn((had) => {
				const values = had ?? latest.current;
				return { ...values, ...(typeof part === "function" ? part(values) : part) };
			}),
		[],
	);
	const clear = useCallback(() => {
		sessionStorage.removeItem(key);
		setOwn(null);
	}, [key]);
	const stored = useCallback(
		(sent: T, keep = (values: T) => values) => {
			if (typed.current === null || typed.current === sent) {
				clear();
				return;
			}
			const rest = keep(typed.current);
			sessionStorage.setItem(key, JSON.stringify(rest)); // for a form that was left meanwhile
			setOwn(rest);
		},
		[clear, key],
	);
	return { values: own ?? initial, set, clear, stored, kept: own !== null };
}

function read<T extends object>(key: string, initial: T): T | null {
	try {
		const found = JSON.parse(sessionStorage.getItem(key) ?? "null") as Partial<T> | null;
		return found && { ...initial, ...found };
	} catch {
		return null;
	}
}
