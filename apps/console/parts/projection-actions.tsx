import type { ComponentChildren } from 'preact';
import type { Action, ActionRequest } from '../acting.js';
import type { ProjectionState } from '../shapes.js';
import { SHARED } from '../tenant.js';

/** What an action of an operator on a read model asks for: of the state that the page showed, or not at all. */
const requestOf = ({ name, etag }: ProjectionState, verb: string, body: ActionRequest['body'] = {}): ActionRequest => ({
  method: 'POST',
  path: `v1/ops/projections/${encodeURIComponent(name)}/${verb}`,
  body,
  tenant: SHARED,
  ifMatch: etag,
});

const OPTIONAL = { in: 'body' } as const;
const REQUIRED = { in: 'body', isRequired: true } as const;

const List = ({ of }: { readonly of: readonly string[] }) => (
  <ul>
    {of.map((one) => (
      <li key={one}>{one}</li>
    ))}
  </ul>
);

const KEPT: ComponentChildren = 'What queries read until then is kept for a day at most and receives all events, so you can go back.';

/** The actions of operators on a read model (contract 43.5 to 43.7). */
export const pauseAction = (projection: ProjectionState): Action => ({
  title: `Pause ${projection.name}`,
  verb: 'Pause',
  does: 'No event changes the read model any more until somebody resumes it, also over restarts. Every process follows within a second. Writes go on.',
  stops: (
    <>
      Reads show what it has, and say with a header that it is stale.
      {projection.stoppedByPause.length > 0 && <List of={projection.stoppedByPause} />}
    </>
  ),
  undo: 'Resume it: it then catches up with the log.',
  reason: OPTIONAL,
  requestOf: () => requestOf(projection, 'pause'),
});

export const resumeAction = (projection: ProjectionState): Action => ({
  title: `Resume ${projection.name}`,
  verb: 'Resume',
  does: 'The read model catches up with the log, and then follows it again.',
  undo: 'Pause it again.',
  reason: OPTIONAL,
  requestOf: () => requestOf(projection, 'resume'),
});

export const rebuildAction = (projection: ProjectionState): Action => ({
  title: `Rebuild ${projection.name}`,
  verb: 'Rebuild',
  does: 'Fills the read model once more from the log, beside the one that queries read. When it has reached the end of the log, the two are compared: their counts, and 1,000 documents chosen by chance.',
  ...(projection.keptUntil !== undefined && {
    stops: 'What the last rebuild has replaced is removed at once, so the way back to it ends.',
  }),
  undo: 'Drop it while it is filled or waits. After it has replaced the other one, you can go back for a day.',
  reason: OPTIONAL,
  fields: (
    <fieldset>
      <legend>When both are equal</legend>
      <label class="choice">
        <input type="radio" name="hold" value="yes" checked /> wait until I switch
      </label>
      <label class="choice">
        <input type="radio" name="hold" value="no" /> let queries read the rebuild at once
      </label>
    </fieldset>
  ),
  requestOf: (form) => requestOf(projection, 'rebuild', { hold: form.get('hold') === 'yes' }),
  answerOf: () => <p>The fill has begun. The list of projections shows its progress, and what the comparison has found.</p>,
});

export const switchAction = (projection: ProjectionState): Action => ({
  title: `Switch ${projection.name} to its rebuild`,
  verb: 'Switch',
  does: <>Queries read the rebuild from then on, in one step. {KEPT}</>,
  ...(projection.fill?.difference !== undefined && { stops: `The two differ: ${projection.fill.difference}. Queries will show that.` }),
  undo: 'Go back, for a day.',
  reason: OPTIONAL,
  requestOf: () => requestOf(projection, 'switch', { back: false }),
});

/** What is kept beside what queries read. */
export const keptName = ({ kept, name }: ProjectionState): string => (kept === 'fill' ? `the rebuild of ${name}` : `the former ${name}`);

const readName = ({ kept, name }: ProjectionState): string => (kept === 'fill' ? `the former ${name}` : `the rebuild of ${name}`);

/** Exchanges what queries read and what is kept. */
export const backAction = (projection: ProjectionState): Action => ({
  title: `Go back to ${keptName(projection)}`,
  verb: 'Go back',
  does: `Queries read ${keptName(projection)} again, in one step. It has received all events since. What they read now, ${readName(projection)}, is kept instead.`,
  undo: 'Go back once more: the two are exchanged again.',
  reason: OPTIONAL,
  requestOf: () => requestOf(projection, 'switch', { back: true }),
});

/** Drops the fill or, if there is none, what a fill has replaced. */
export const dropAction = (projection: ProjectionState): Action => ({
  title: `Drop ${projection.fill ? `the rebuild of ${projection.name}` : keptName(projection)}`,
  verb: 'Drop',
  does: projection.fill
    ? 'Ends the rebuild, and removes what it has filled. Queries go on reading what they read now.'
    : `Removes ${keptName(projection)}. Queries go on reading ${readName(projection)}.`,
  ...(!projection.fill && { stops: 'The way back to it.' }),
  undo: 'It cannot be undone. A read model can be rebuilt from the log at any time.',
  isFinal: true,
  reason: REQUIRED,
  requestOf: () => requestOf(projection, 'drop'),
});
