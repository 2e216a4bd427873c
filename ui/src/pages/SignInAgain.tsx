import * as Ariakit from "@ariakit/react/dialog";
import { heading } from "../parts/heading";
import { type Done, SignInForm } from "./SignIn";

/** Asks to sign in again after the session ended. The page below stays as it is. */
export default function SignInAgain({ email, onDone }: { email: string; onDone: Done }) {
	return (
		<Ariakit.Dialog
			open
			className="dialog"
			preventBodyScroll={false}
			hideOnEscape={false}
			hideOnInteractOutside={false}
			backdrop={<div className="backdrop" />}
		>
			<Ariakit.DialogHeading render={heading}>Your session has ended</Ariakit.DialogHeading>
			<p className="faint">Sign in again to continue. What you typed is still there.</p>
			<SignInForm email={email} onDone={onDone} />
		</Ariakit.Dialog>
	);
}
