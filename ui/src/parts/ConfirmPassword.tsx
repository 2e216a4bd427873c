import { lazy, Suspense, useEffect, useState } from "react";
import { onPasswordRequired } from "../api";

const AskPassword = lazy(() => import("./AskPassword"));

type Answer = (confirmed: boolean) => void;

/** Asks for the password when a sensitive change needs it again. */
export function ConfirmPassword({ email }: { email: string }) {
	const [answer, setAnswer] = useState<Answer | null>(null);
	useEffect(() => {
		onPasswordRequired(() => new Promise((resolve) => setAnswer(() => resolve)));
		return () => onPasswordRequired(() => Promise.resolve(false));
	}, []);
	if (!answer) return null;
	const close = (confirmed: boolean) => {
		setAnswer(null);
		answer(confirmed);
	};
	return (
		<Suspense>
			<AskPassword email={email} onAnswer={close} />
		</Suspense>
	);
}
