import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { problemOf } from '../api.js';
import { readAllCheckpoints } from '../all-checkpoints.js';
import { fetchedExport, type FetchedExport } from '../fetched-export.js';
import { missingKeyIn, missingKeyWords } from '../missing-keys.js';
import { Command } from '../parts/command.js';
import { Page } from '../parts/page.js';
import { ProblemNote } from '../parts/problem.js';
import { Report } from '../parts/report.js';
import { VerificationResult } from '../parts/verification-result.js';
import { hrefOf } from '../routes.js';
import { session } from '../session.js';
import type { Problem } from '../shapes.js';
import { countWords, sizeWords } from '../size-words.js';
import { useStore } from '../store.js';
import { startVerification, type Request, type Result, type Unusable } from '../verification.js';

type What = 'fetched' | 'files' | 'shown';

type FileProps = {
  readonly name: 'keys' | 'copies' | 'export';
  readonly label: string;
  readonly isRequired?: boolean;
  readonly isMultiple?: boolean;
  readonly unusable: Unusable | null;
  readonly children: ComponentChildren;
};

const FileField = ({ name, label, isRequired = false, isMultiple = false, unusable, children }: FileProps) => {
  const reason = unusable?.file === name ? unusable.reason : null;
  const missingKey = reason === null ? null : missingKeyIn(reason);
  return (
    <div class="file">
      <label for={name}>
        {label} <span class="quiet">{isRequired ? 'required' : 'optional'}</span>
      </label>
      <input
        id={name}
        name={name}
        type="file"
        required={isRequired}
        multiple={isMultiple}
        aria-describedby={`about-${name}`}
        aria-invalid={reason !== null}
      />
      <div id={`about-${name}`}>
        {reason !== null && (
          <p class={missingKey === null ? 'bad' : 'note warning'} role="alert">
            This file cannot be used: {reason}. {missingKey !== null && missingKeyWords(missingKey)}
          </p>
        )}
        <p class="quiet">{children}</p>
      </div>
    </div>
  );
};

const filesIn = (form: HTMLFormElement, name: string): readonly File[] =>
  new FormData(form).getAll(name).filter((value) => value instanceof File && value.name !== '') as readonly File[];

type ChoiceProps = {
  readonly what: What;
  readonly fetched: FetchedExport | null;
  readonly isWholeStore: boolean;
  readonly unusable: Unusable | null;
  readonly onChange: (what: What) => void;
};

const WhatToVerify = ({ what, fetched, isWholeStore, unusable, onChange }: ChoiceProps) => {
  const choice = (value: What, label: ComponentChildren) => (
    <label class="choice">
      <input type="radio" name="what" value={value} checked={what === value} onChange={() => onChange(value)} /> <span>{label}</span>
    </label>
  );
  return (
    <fieldset class="what">
      <legend>What to verify</legend>
      {fetched !== null &&
        choice(
          'fetched',
          <>
            The export that this page has fetched: <code>{fetched.name}</code>, {sizeWords(fetched.file.size)}
          </>,
        )}
      {choice('files', 'An export on this machine')}
      {what === 'files' && (
        <FileField name="export" label="Export" isRequired isMultiple unusable={unusable}>
          The export file, or the two files <code>events.ndjson</code> and <code>manifest.json</code> of a folder, chosen together.
        </FileField>
      )}
      {isWholeStore && choice('shown', 'The checkpoints that this service shows now')}
      {what === 'shown' && (
        <p class="quiet inset">
          They are read with your token, and each page that is read is recorded. Their signatures, their chain and your copies are compared.
          The log itself is verified with an export, or with the command.
        </p>
      )}
    </fieldset>
  );
};

type State =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running';
      readonly verb: 'read' | 'verified';
      readonly unit: 'bytes' | 'checkpoints';
      readonly done: number;
      readonly total: number;
    }
  | { readonly kind: 'unusable'; readonly unusable: Unusable }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'done'; readonly result: Result; readonly file: string; readonly at: string };

const isResult = (answer: Result | Unusable): answer is Result => 'kind' in answer;

/** Runs one verification at a time. `stop` ends it. */
const useVerification = () => {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const running = useRef<(() => void) | null>(null);
  const stop = (): void => {
    running.current?.();
    running.current = null;
  };
  useEffect(() => stop, []);
  const begin = async (form: HTMLFormElement, what: What, fetched: FetchedExport | null): Promise<void> => {
    stop();
    const [[keys], [copies = null]] = [filesIn(form, 'keys'), filesIn(form, 'copies')];
    if (!keys) return;
    const abort = new AbortController();
    running.current = () => abort.abort();
    const unit = what === 'shown' ? 'checkpoints' : 'bytes';
    const progressOf = (verb: 'read' | 'verified') => (done: number, total: number) =>
      setState({ kind: 'running', verb, unit, done, total });
    progressOf('verified')(0, 0);
    try {
      const given = { keys, copies };
      const chosen = filesIn(form, 'export');
      const isFetched = what === 'fetched' && fetched !== null;
      const file = isFetched ? fetched.name : chosen.map(({ name }) => name).join(', ');
      const request: Request =
        what === 'shown'
          ? { ...given, kind: 'checkpoints', shown: await readAllCheckpoints({ signal: abort.signal, onProgress: progressOf('read') }) }
          : { ...given, kind: 'export', files: isFetched ? [fetched.file] : chosen };
      const verification = startVerification(request, progressOf('verified'));
      running.current = () => {
        abort.abort();
        verification.stop();
      };
      const answer = await verification.answer;
      setState(
        isResult(answer) ? { kind: 'done', result: answer, file, at: new Date().toISOString() } : { kind: 'unusable', unusable: answer },
      );
    } catch (error) {
      if (abort.signal.aborted) return;
      setState({ kind: 'failed', problem: problemOf(error) });
    }
  };
  const cancel = (): void => {
    stop();
    setState({ kind: 'idle' });
  };
  return { state, begin, cancel };
};

type RunningState = State & { readonly kind: 'running' };

const progressWords = ({ verb, unit, done, total }: RunningState): string => {
  if (total === 0) return 'Reading…';
  return unit === 'bytes'
    ? `${sizeWords(done)} of ${sizeWords(total)} ${verb}`
    : `${done.toLocaleString('en')} of ${countWords(total, 'checkpoint')} ${verb}`;
};

const Running = ({ state, onCancel }: { readonly state: RunningState; readonly onCancel: () => void }) => (
  <div class="progress-row">
    <progress aria-label={`The part that was ${state.verb}`} max={Math.max(state.total, 1)} value={state.done} />
    <span>{progressWords(state)}</span>
    <button type="button" onClick={onCancel}>
      Cancel
    </button>
  </div>
);

/** Verifies an export or the checkpoints of the service with copies that an auditor has kept. */
export const VerifyPage = () => {
  const { claims } = useStore(session);
  const fetched = useStore(fetchedExport);
  const [chosen, setChosen] = useState<What | null>(null);
  const { state, begin, cancel } = useVerification();
  const what = chosen ?? (fetched === null ? 'files' : 'fetched');
  const isDone = state.kind === 'done';
  useEffect(() => {
    if (isDone) document.getElementById('result')?.focus();
  }, [isDone]);
  return (
    <Page
      title="Verify it yourself here"
      lead="Everything is compared in this browser, by the code of the command. No file leaves it, and nothing is written to its storage."
    >
      <div class="screen-only">
        <p>
          <a href={hrefOf('audit')}>Audit</a> · <a href={hrefOf('audit', 'export')}>Export events</a>
        </p>
        <form
          class="verify-form"
          aria-label="What to verify, and with what"
          onInput={cancel}
          onSubmit={(event) => {
            event.preventDefault();
            void begin(event.currentTarget, what, fetched);
          }}
        >
          <div class="kept">
            <FileField
              name="keys"
              label="Your copy of the public keys"
              isRequired
              unusable={state.kind === 'unusable' ? state.unusable : null}
            >
              The output of <Command text="petstore audit key" />, or keys in PEM. Keys from this service prove nothing: take those that you
              have kept.
            </FileField>
            <FileField name="copies" label="Your copy of the checkpoints" unusable={state.kind === 'unusable' ? state.unusable : null}>
              The output of <Command text="petstore audit checkpoints" />, messages of the topic, or lines of the service log. Only they
              find a log that was rewritten and signed again.
            </FileField>
          </div>
          <WhatToVerify
            what={what}
            fetched={fetched}
            isWholeStore={claims?.tenant === undefined}
            unusable={state.kind === 'unusable' ? state.unusable : null}
            onChange={setChosen}
          />
          {state.kind === 'running' ? (
            <Running state={state} onCancel={cancel} />
          ) : (
            <button type="submit" class="primary">
              Verify
            </button>
          )}
        </form>
        {state.kind === 'failed' && <ProblemNote problem={state.problem} />}
        {state.kind === 'done' && <VerificationResult result={state.result} file={state.file} />}
        <details class="page-trust">
          <summary>How far can you trust this page?</summary>
          <p>
            The service that you verify has sent it. A verification that must not depend on the service uses a program from elsewhere:{' '}
            <Command text="petstore audit verify EXPORT --key keys.json --against checkpoints.ndjson" />, or the verifier in Python in{' '}
            <code>examples/audit-verifier</code>, which shares no code with it.
          </p>
        </details>
      </div>
      {state.kind === 'done' && state.result.kind === 'export' && state.result.report !== null && state.result.statement !== null && (
        <Report
          file={state.file}
          statement={state.result.statement}
          content={state.result.report}
          copies={state.result.copies}
          compared={state.result.compared}
          verifiedAt={state.at}
        />
      )}
    </Page>
  );
};
