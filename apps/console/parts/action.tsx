import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { askAgain, forgetAnswer, outdatedReads, perform, sentActions, type Action, type Sent } from '../acting.js';
import { problemOf } from '../api.js';
import type { Problem } from '../shapes.js';
import { createStore, useStore } from '../store.js';
import { RequestLink } from './links.js';
import { ProblemNote } from './problem.js';
import { State, type Tone } from './state.js';

/** The action that the page asks about. One dialog for all: a row that an action removes must not take the outcome along. */
const asked = createStore<Action | null>(null);

/** The longest reason (contract 43.1). */
const MAX_REASON = 500;

type ButtonProps = {
  /** Returns the action; a promise if it must be read first what it acts on. */
  readonly action: () => Action | Promise<Action>;
  readonly children: ComponentChildren;
  readonly label?: string;
};

/** Asks whether an action is meant. `label` names the button for screen readers if its text does not say what it acts on. */
export const ActionButton = ({ action, children, label }: ButtonProps) => {
  const [problem, setProblem] = useState<Problem | null>(null);
  const ask = async (): Promise<void> => {
    setProblem(null);
    try {
      asked.set(await action());
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <>
      <button
        type="button"
        class="act"
        aria-haspopup="dialog"
        aria-label={label}
        disabled={useStore(outdatedReads) > 0}
        onClick={() => void ask()}
      >
        {children}
      </button>
      {problem && <ProblemNote problem={problem} />}
    </>
  );
};

const STATES: Readonly<Record<Sent['state'], { readonly tone: Tone; readonly words: string }>> = {
  sending: { tone: 'plain', words: 'Sent, waiting for the answer…' },
  done: { tone: 'good', words: 'Done' },
  refused: { tone: 'wrong', words: 'Refused: nothing was changed' },
  unknown: { tone: 'warning', words: 'No answer: it may have happened or not' },
};

/** What has become of an action, with a link to the event that says so. */
export const Outcome = ({ sent: { id, action, state, tenant, attempts, answer, problem } }: { readonly sent: Sent }) => {
  const { tone, words } = STATES[state];
  useEffect(() => () => void (action.hasSecret === true && forgetAnswer(id)), [id]);
  return (
    <div class="outcome">
      <p role="status">
        <State tone={state === 'done' && action.done !== undefined ? 'plain' : tone}>
          {state === 'done' ? (action.done ?? words) : words}
        </State>
        {state === 'sending' && attempts > 1 && <span class="quiet"> Attempt {attempts}: no answer has come yet.</span>}
      </p>
      {state === 'done' && action.answerOf?.(answer)}
      {state === 'done' && <p class="quiet">Undo: {action.undo}</p>}
      {problem && state !== 'done' && (problem.status === CHANGED ? <Changed /> : <ProblemNote problem={problem} />)}
      {state === 'unknown' && (
        <p>
          <button type="button" onClick={() => void askAgain(id)}>
            Ask again
          </button>{' '}
          with the same key. If somebody else has decided otherwise since, look first.
        </p>
      )}
      <p class="quiet">
        {state === 'done' ? 'Recorded as request ' : 'Sent as request '}
        <RequestLink id={id} tenant={tenant} />
      </p>
    </div>
  );
};

/** The status of an action on a state that is not the present one any more (contract 43.1). */
const CHANGED = 412;

const Changed = () => (
  <div class="note wrong" role="alert">
    <strong>It has changed since this page was read</strong>
    <p>Somebody else has acted, or a rebuild has ended. The page shows the present state now: look at it, and decide again.</p>
  </div>
);

const Reason = ({ reason, id }: { readonly reason: NonNullable<Action['reason']>; readonly id: string }) => (
  <div class="field">
    <label for={`${id}-reason`}>Reason{reason.isRequired === true ? '' : ' (optional)'}</label>
    <textarea
      id={`${id}-reason`}
      name="reason"
      rows={2}
      maxLength={MAX_REASON}
      required={reason.isRequired}
      aria-describedby={`${id}-reason-help`}
    />
    <p id={`${id}-reason-help`} class="quiet">
      It is kept in the log for good, so name no persons.
    </p>
  </div>
);

const Question = ({
  action,
  id,
  onSend,
  onCancel,
}: {
  readonly action: Action;
  readonly id: string;
  readonly onSend: (form: FormData) => void;
  readonly onCancel: () => void;
}) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onSend(new FormData(event.currentTarget));
    }}
  >
    <dl class="facts">
      <dt>What it does</dt>
      <dd>{action.does}</dd>
      <dt>What it stops</dt>
      <dd>{action.stops ?? 'Nothing.'}</dd>
      <dt>Undo</dt>
      <dd>{action.isFinal === true ? <strong>{action.undo}</strong> : action.undo}</dd>
    </dl>
    {action.fields}
    {action.reason && <Reason reason={action.reason} id={id} />}
    <p class="buttons">
      <button type="submit" class={action.isFinal === true ? 'primary final' : 'primary'}>
        {action.verb}
      </button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </p>
  </form>
);

/** Statuses after which other values in the form may help. */
const CORRECTABLE = new Set([400, 409, 422]);

const isCorrectable = ({ state, action, problem }: Sent): boolean =>
  state === 'refused' && action.fields !== undefined && CORRECTABLE.has(problem?.status ?? 0);

/** Gives the focus to a button once, when it appears. */
const focus = (button: HTMLButtonElement | null): void => button?.focus();

const Dialog = ({ action }: { readonly action: Action }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [sentId, setSentId] = useState<string | null>(null);
  const sent = useStore(sentActions).find((one) => one.id === sentId);
  /** The browser gives the focus back to the button that opened it. Its event of the end comes later, when another may be open. */
  const close = (): void => {
    dialog.current?.close();
    asked.set(null);
  };
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // A link in it leads to another page, which must not stay behind it.
    addEventListener('hashchange', close);
    return () => {
      removeEventListener('hashchange', close);
      element?.close();
    };
  }, []);
  return (
    <dialog ref={dialog} class="console action" aria-labelledby={`${id}-title`} onCancel={close}>
      {/* Without fields there is more to read than to type: a phone must not begin at the reason. */}
      <h2 id={`${id}-title`} tabIndex={-1} autofocus={action.fields === undefined}>
        {action.title}
      </h2>
      {/* What was typed stays until it is done, because the service may refuse a part of it. */}
      {sent?.state !== 'done' && (
        <div hidden={sent !== undefined}>
          <Question
            action={action}
            id={id}
            onCancel={close}
            onSend={(form) => {
              const { id: sentAs, ended } = perform(action, form);
              setSentId(sentAs);
              // The outcome is in the store, which this dialog and the page of actions show.
              void ended.catch(() => undefined);
            }}
          />
        </div>
      )}
      {sent !== undefined && (
        <>
          <Outcome sent={sent} />
          <p class="buttons">
            {isCorrectable(sent) && (
              <button type="button" onClick={() => setSentId(null)} ref={focus}>
                Back to the form
              </button>
            )}
            <button type="button" onClick={close} ref={focus}>
              Close
            </button>
            {sent.state === 'sending' && <span class="quiet">You may close this: the page goes on, and lists it under Actions.</span>}
          </p>
        </>
      )}
    </dialog>
  );
};

/** Shows the action that the page asks about. */
export const ActionDialog = () => {
  const action = useStore(asked);
  // What one person was asked must not remain for another.
  useEffect(() => () => asked.set(null), []);
  return action === null ? null : <Dialog key={action.title} action={action} />;
};
