import { useCallback, useEffect, useRef, useState } from "react";
import { dropTyped, formKey, keepTyped, readTyped } from "./typed";
import { useViewer } from "./viewer";

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
 * the typed ones, kept on this device until they are saved. So a reload, a closed
 * drawer or tab, or an unavailable server loses no input. Never pass a secret in:
 * forms hold those in plain state.
 */
export function useDraft<T extends object>(name: string, initial: T): Draft<T> {
	const key = formKey(useViewer().id, name);
	const [own, setOwn] = useState<T | null>(() => {
		const found = readTyped<Partial<T>>(key);
		return found && { ...initial, ...found };
	});
	const latest = useRef(initial),
		typed = useRef(own);
	useEffect(() => {
		latest.current = initial;
		typed.current = own;
	});
	useEffect(() => {
		if (own) keepTyped(key, own);
		else dropTyped(key);
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
		dropTyped(key);
		setOwn(null);
	}, [key]);
	const stored = useCallback(
		(sent: T, keep = (values: T) => values) => {
			if (typed.current === null || typed.current === sent) {
				clear();
				return;
			}
			const rest = keep(typed.current);
			keepTyped(key, rest); // for a form that was left meanwhile
			setOwn(rest);
		},
		[clear, key],
	);
	return { values: own ?? initial, set, clear, stored, kept: own !== null };
}
