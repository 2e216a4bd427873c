import * as Ariakit from '@ariakit/react/dialog';
import { useEffect, useState } from 'react';
import { useChange } from '../data';
import { SignInDocument, type ViewerFieldsFragment } from '../gql/generated';
import { Field, FormError } from '../parts/Field';
import icon from '../icon.svg';

type Done = (viewer: ViewerFieldsFragment) => void;

export function SignIn({ onDone }: { onDone: Done }) {
  useEffect(() => { document.title = 'Sign in · Outreach'; }, []);
  return (
    <main className="sign-in">
      <img src={icon} alt="" width="40" height="40" />
      <h1>Sign in to Outreach</h1>
      <Form onDone={onDone} />
    </main>
  );
}

/** The session ended under somebody at work: the page stays below, as it is. */
export function SignInAgain({ email, onDone }: { email: string; onDone: Done }) {
  return (
    <Ariakit.Dialog open className="dialog" preventBodyScroll={false} hideOnEscape={false} hideOnInteractOutside={false} backdrop={<div className="backdrop" />}>
      <Ariakit.DialogHeading render={<h2 />}>Your session ended</Ariakit.DialogHeading>
      <p className="faint">Sign in again and go on; what you typed is still there.</p>
      <Form email={email} onDone={onDone} />
    </Ariakit.Dialog>
  );
}

function Form({ email: known = '', onDone }: { email?: string; onDone: Done }) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const signIn = useChange(SignInDocument);
  const send = () => signIn.mutate({ email, password }, { onSuccess: (data) => onDone(data.signIn) });
  return (
    <form onSubmit={(event) => { event.preventDefault(); send(); }}>
      <Field label="E-mail address" at="/email" error={signIn.error}>
        {(wired) => <input {...wired} type="email" autoComplete="username" required autoFocus={!known} value={email} onChange={(event) => setEmail(event.target.value)} />}
      </Field>
      <Field label="Password" at="/password" error={signIn.error}>
        {(wired) => <input {...wired} type="password" autoComplete="current-password" required autoFocus={!!known} value={password} onChange={(event) => setPassword(event.target.value)} />}
      </Field>
      <FormError error={signIn.error} />
      <button type="submit" className="primary full" disabled={signIn.isPending}>{signIn.isPending ? 'Signing in…' : 'Sign in'}</button>
    </form>
  );
}
