import { useEffect, useState } from 'preact/hooks';
import { fieldText } from '../parts/field-text.js';
import { placeOf } from '../place.js';
import { startSession } from '../session.js';
import { prepareSignIn, signInHindrance, type Prepared } from '../sign-in-window.js';

const SignInButton = ({ onProblem }: { readonly onProblem: (text: string | null) => void }) => {
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  const [attempt, setAttempt] = useState(0);
  const hindrance = signInHindrance();
  useEffect(() => {
    if (hindrance !== null) return;
    prepareSignIn().then(setPrepared, (error: Error) => onProblem(`The issuer of tokens does not answer: ${error.message}`));
  }, [attempt]);
  if (hindrance !== null) return <p class="note warning">{hindrance}</p>;
  const begin = async (): Promise<void> => {
    onProblem(null);
    // A state and a verifier serve one sign-in only.
    const problem = (await prepared?.begin()) ?? null;
    onProblem(problem);
    setAttempt((count) => count + 1);
  };
  return (
    <button type="button" class="primary" disabled={prepared === null} onClick={() => void begin()}>
      Sign in
    </button>
  );
};

const TokenForm = ({ onProblem }: { readonly onProblem: (text: string | null) => void }) => (
  <form
    class="token"
    onSubmit={(event) => {
      event.preventDefault();
      onProblem(startSession(fieldText(event.currentTarget, 'token').replace(/^Bearer /i, '')));
    }}
  >
    <label for="token">Access token</label>
    <input id="token" name="token" type="password" autocomplete="off" required spellcheck={false} />
    <button type="submit">Use it</button>
  </form>
);

type Props = { readonly notice?: string; readonly level: 'page' | 'again' };

/** The ways to sign in. */
export const SignIn = ({ notice, level }: Props) => {
  const [problem, setProblem] = useState<string | null>(null);
  const Heading = level === 'page' ? 'h2' : 'h3';
  const { root } = placeOf();
  return (
    <>
      {notice !== undefined && (
        <p class="note warning" role="alert">
          {notice}
        </p>
      )}
      {problem !== null && (
        <p class="note wrong" role="alert">
          {problem}
        </p>
      )}
      <div class="ways">
        <section aria-labelledby="way-account">
          <Heading id="way-account">With your account</Heading>
          <p>A window opens, in which you sign in and agree. Your account needs the role of staff.</p>
          <SignInButton onProblem={setProblem} />
        </section>
        <section aria-labelledby="way-token">
          <Heading id="way-token">With an access token</Heading>
          <p>
            For auditors and other tools. It needs the scope <code>ops</code> or <code>audit:read</code>. This page keeps it in memory only:
            reloading forgets it.
          </p>
          <TokenForm onProblem={setProblem} />
        </section>
        <section aria-labelledby="way-link">
          <Heading id="way-link">With a one-time link</Heading>
          <p>
            A service that was started in a terminal of this machine prints a link to this page. It works once, within 10 minutes, and signs
            you in for an hour. <a href={`${root}docs/guides/operations`}>More for operators</a>
          </p>
        </section>
      </div>
    </>
  );
};

/** The page of those who are not signed in. */
export const SignInPage = ({ notice }: { readonly notice?: string }) => {
  useEffect(() => {
    document.title = 'Console · Pet Store';
  }, []);
  return (
    <>
      <h1>Console</h1>
      <p class="lead">
        For operators and auditors: what is wrong, since when and what helps; what happened to an order, who changed a price, and whether
        the log is whole.
      </p>
      <SignIn level="page" {...(notice !== undefined && { notice })} />
    </>
  );
};
