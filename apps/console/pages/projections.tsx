import { useEffect, useRef, useState } from 'preact/hooks';
import { ActionButton } from '../parts/action.js';
import { Command } from '../parts/command.js';
import { numberText } from '../parts/numbers.js';
import { Page } from '../parts/page.js';
import { Read } from '../parts/problem.js';
import { State, toneOf } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { Since, Time } from '../parts/time.js';
import { backAction, dropAction, pauseAction, rebuildAction, resumeAction, switchAction, keptName } from '../parts/projection-actions.js';
import { hrefOf } from '../routes.js';
import type { Fill, ProjectionState } from '../shapes.js';
import { lengthWords } from '../time-words.js';
import { useRead } from '../use-read.js';

/** Often enough to watch a rebuild. */
const EVERY = 5_000;

const lagWords = ({ behind, behindSeconds }: ProjectionState): string => {
  if (behind === null) return 'unknown';
  if (behind === 0) return 'none';
  return `${numberText(behind)} ${behind === 1 ? 'event' : 'events'}${behindSeconds === null ? '' : `, ${lengthWords(behindSeconds)}`}`;
};

const FILL_WORDS = {
  filling: 'It reads the log beside the read model that queries read. When it has caught up, the two are compared.',
  held: 'It is equal to what queries read, and waits for an operator to switch.',
  differs: 'It differs from what queries read, and waits for an operator to decide.',
} as const;

const FillProgress = ({ name, fill, position }: { readonly name: string; readonly fill: Fill; readonly position: number }) => {
  const share = fill.position === null || position === 0 ? 0 : Math.min(1, fill.position / position);
  return (
    <div class="fill">
      <p>
        <State tone={toneOf(fill.state)}>rebuild: {fill.state}</State> begun by {fill.by} at <Since at={fill.since} />.{' '}
        {FILL_WORDS[fill.state]}
      </p>
      {fill.state === 'filling' && (
        <p class="progress-row">
          <progress max={1} value={share} aria-label={`Rebuild of ${name}`} />
          <span>
            {Math.floor(share * 100)} %: position {fill.position === null ? 'not begun' : fill.position.toLocaleString('en')} of{' '}
            {position.toLocaleString('en')}
          </span>
        </p>
      )}
      {fill.difference !== undefined && <p class="bad">What differs: {fill.difference}</p>}
    </div>
  );
};

const More = ({ projection }: { readonly projection: ProjectionState }) => {
  const { name, pause, fill, keptUntil, kept, lastError, parked, position, stoppedByPause } = projection;
  if (!pause && !fill && keptUntil === undefined && !lastError && parked === 0) return null;
  return (
    <>
      {pause && (
        <p>
          <State tone="warning">paused</State> by {pause.by} since <Since at={pause.since} />
          {pause.reason !== undefined && `: ${pause.reason}`}. Reads show old data
          {stoppedByPause.length > 0 && `; besides, ${stoppedByPause.join(', ')}`}.
        </p>
      )}
      {fill && <FillProgress name={name} fill={fill} position={position} />}
      {keptUntil !== undefined && (
        <p>
          <State tone="good">switched</State> Queries read {kept === 'fill' ? 'the former one again' : 'the rebuild'}.{' '}
          {kept === 'fill' ? 'The rebuild' : 'What it has replaced'} is kept until <Time at={keptUntil} />.
        </p>
      )}
      {(lastError ?? parked > 0) && (
        <p>
          {parked > 0 && (
            <a href={hrefOf('parked')}>
              {parked} parked {parked === 1 ? 'stream' : 'streams'}
            </a>
          )}{' '}
          {lastError && (
            <>
              Last error
              {lastError.at !== undefined && (
                <>
                  {' '}
                  at <Since at={lastError.at} />
                </>
              )}
              : {lastError.error}
            </>
          )}
        </p>
      )}
    </>
  );
};

/** What an operator may do now. The service decides anew: the page shows what made sense when it was read. */
const Actions = ({ projection }: { readonly projection: ProjectionState }) => {
  const { name, pause, fill, keptUntil } = projection;
  return (
    <div class="acts">
      {fill && fill.state !== 'filling' && !pause && (
        <ActionButton action={() => switchAction(projection)} label={`Switch ${name}`}>
          Switch
        </ActionButton>
      )}
      {fill && (
        <ActionButton action={() => dropAction(projection)} label={`Drop the rebuild of ${name}`}>
          Drop
        </ActionButton>
      )}
      {!fill && keptUntil !== undefined && (
        <>
          {!pause && (
            <ActionButton action={() => backAction(projection)} label={`Go back to ${keptName(projection)}`}>
              Go back
            </ActionButton>
          )}
          <ActionButton action={() => dropAction(projection)} label={`Drop ${keptName(projection)}`}>
            Drop {projection.kept === 'fill' ? 'the rebuild' : 'the former'}
          </ActionButton>
        </>
      )}
      {!fill && !pause && (
        <ActionButton action={() => rebuildAction(projection)} label={`Rebuild ${name}`}>
          Rebuild
        </ActionButton>
      )}
      {pause ? (
        <ActionButton action={() => resumeAction(projection)} label={`Resume ${name}`}>
          Resume
        </ActionButton>
      ) : (
        <ActionButton action={() => pauseAction(projection)} label={`Pause ${name}`}>
          Pause
        </ActionButton>
      )}
    </div>
  );
};

/** Returns what has become of the rebuilds that were shown before. */
const endedRebuilds = (before: readonly ProjectionState[], after: readonly ProjectionState[]): readonly string[] =>
  before
    .filter(({ name, fill }) => fill && !after.find((one) => one.name === name)?.fill)
    .map(({ name }) =>
      after.find((one) => one.name === name)?.keptUntil === undefined
        ? `The rebuild of ${name} has ended without a switch.`
        : `The rebuild of ${name} is complete: queries read it now.`,
    );

const List = ({ projections }: { readonly projections: readonly ProjectionState[] }) => {
  const before = useRef(projections);
  const [ended, setEnded] = useState<readonly string[]>([]);
  useEffect(() => {
    const news = endedRebuilds(before.current, projections);
    before.current = projections;
    if (news.length > 0) setEnded(news);
  }, [projections]);
  return (
    <>
      <p role="status">{ended.join(' ')}</p>
      <Table
        caption="Projections and their read models"
        isCaptionHidden
        rows={projections}
        keyOf={({ name }) => name}
        more={(projection) => More({ projection })}
        columns={[
          {
            head: 'Projection',
            isHead: true,
            cell: ({ name, version }) => (
              <>
                {name} <span class="quiet nowrap">version {version}</span>
              </>
            ),
          },
          { head: 'Status', cell: ({ status }) => <State tone={toneOf(status)}>{status}</State> },
          { head: 'Lag', isNumber: true, cell: lagWords },
          {
            head: 'Speed',
            isNumber: true,
            cell: ({ eventsPerSecond, secondsLeft }) =>
              eventsPerSecond === null ? (
                <span class="quiet">–</span>
              ) : (
                `${numberText(eventsPerSecond)} per s${secondsLeft === null ? '' : `, ${lengthWords(secondsLeft)} left`}`
              ),
          },
          { head: 'Position', isNumber: true, cell: ({ position }) => position.toLocaleString('en') },
          { head: 'Actions', cell: (projection) => <Actions projection={projection} /> },
          { head: 'Projected by', cell: ({ owner }) => (owner === null ? <span class="bad">nobody</span> : <code>{owner}</code>) },
        ]}
      />
    </>
  );
};

/** Does what queries read keep up with the log? */
export const ProjectionsPage = () => {
  const reading = useRead<{ readonly data: readonly ProjectionState[] }>('v1/ops/projections', { every: EVERY });
  return (
    <Page
      title="Projections"
      lead="A projection folds the events of the log into documents, its read model, which queries read. It can be built again from the log at any time."
    >
      <Read reading={reading}>{({ data }) => <List projections={data} />}</Read>
      <p class="quiet">
        The same in a terminal: <Command text="petstore projections --help" />
      </p>
    </Page>
  );
};
