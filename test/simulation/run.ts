import type { RecordedEvent } from '../../libs/eventsourcing/message.js';
import { createIds } from '../../libs/adapters/system/index.js';
import { DOMAIN_EVENTS, type DomainEvent } from '../../libs/domain/events.js';
import { createCodec } from '../../libs/runtime/codec/codec.js';
import { simulatedKeys } from './adapters/simulated-keys.js';
import { Clients } from './clients.js';
import { checkEnd, checkReadModels } from './final-checks.js';
import { oneFolder } from './one-folder.js';
import { directLink } from './link.js';
import { ACTIVE, type Plan } from './plan.js';
import { severalMachines } from './several-machines.js';
import { randomFrom, seedOf } from './random.js';
import { MOST_SKEW, Process } from './process.js';
import { HOLD } from './service.js';
import { Receivers } from './stand-ins.js';
import { Story } from './story.js';
import { Timeline } from './timeline.js';
import { Violation } from './violation.js';
import { LogWatch } from './watch-log.js';
import type { World } from './world.js';

/**
 * Node keeps a signal of several others, with its listeners, until it aborts. A crashed process never aborts, so each run would leave
 * a megabyte. This signal is kept by the others alone.
 */
AbortSignal.any = (signals) => {
  const any = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) any.abort(signal.reason);
    else signal.addEventListener('abort', () => any.abort(signal.reason), { once: true });
  }
  return any.signal;
};

/** The result of a run. */
export type RunResult = {
  readonly violation: Violation | null;
  readonly steps: number;
  /** The length of the log. */
  readonly events: number;
  readonly story: readonly string[];
};

/** Milliseconds after the last input within which the service must have ended all that it has begun. */
const PATIENCE = 180_000;
/** Milliseconds after the last event until every timer has looked at what it has left: an expiry looks once a second. */
const QUIET = 3_000;
/** Steps between two comparisons of the read models with a replay. */
const COMPARE_EVERY = 200;

/** Runs a plan. The same plan gives the same run, step by step. */
export const runPlan = async (plan: Plan, isTold = false): Promise<RunResult> => {
  const timeline = new Timeline();
  const story = new Story(timeline, isTold);
  const random = randomFrom(seedOf(plan.seed, 'what happens'));
  const receivers = new Receivers(timeline, random, story);
  let violation: Violation | null = null;
  const fail = (error: unknown): void => {
    violation ??=
      error instanceof Violation
        ? error
        : new Violation('no unexpected error', error instanceof Error ? (error.stack ?? String(error)) : String(error));
  };
  const create = plan.world === 'one folder' ? oneFolder : severalMachines;
  const world: World = create({ timeline, random, story, receivers, onFailure: fail });
  const clients = new Clients(timeline, random, story, (pick) => world.findProcess(pick));
  const watch = new LogWatch(world.log);
  // Reads the log, independent of all processes.
  const keys = simulatedKeys(world.keys, directLink);
  const { clock } = new Process('checks', { name: 'checks', skew: 0 }, timeline);
  const codec = createCodec(DOMAIN_EVENTS, { keys, ids: createIds(clock), clock });
  const decoded: RecordedEvent[] = [];
  const events = (): readonly RecordedEvent[] => {
    for (const event of world.log.readAll(decoded.length, Infinity)) decoded.push(codec.decode(event));
    return decoded;
  };
  let appendedAt = 0;
  /** When the last order or application began to wait. A process may place an order long after its client has asked for it. */
  let heldAt = 0;
  let length = 0;
  const afterStep = (): void => {
    if (world.log.head() > length) {
      if (world.log.readAll(length, Infinity).some(({ type }) => BEGINS_TO_WAIT.has(type))) heldAt = timeline.now;
      [length, appendedAt] = [world.log.head(), timeline.now];
    }
    try {
      watch.check();
      if (timeline.taken % COMPARE_EVERY === 0) checkReadModels({ ...world, events });
      if (clients.failure) fail(clients.failure);
    } catch (error) {
      fail(error);
    }
  };
  world.start();
  for (const [nth, input] of plan.inputs.entries())
    timeline.after(input.at, () => {
      if (input.kind === 'action') return void clients.act(input, nth);
      story.add('fault', input.name === 'crash' ? 'a crash at one of the next calls' : `${input.name} for ${input.duration} ms`);
      world.befall(input);
    });
  await timeline.run(ACTIVE, () => violation !== null, afterStep);
  world.heal();
  story.add('faults', 'have ended');
  const isHoldOver = (): boolean => Math.min(clients.idleFor(), timeline.now - heldAt) > LONGEST_HOLD;
  const isQuiet = (): boolean => isHoldOver() && timeline.now - appendedAt > QUIET;
  const isOver = (): boolean => violation !== null || (isQuiet() && world.whatIsLeft() === null);
  const hasEnded = await timeline.run(ACTIVE + PATIENCE, isOver, afterStep);
  if (!violation) {
    try {
      if (!hasEnded)
        throw new Violation('work ends', `${world.whatIsLeft() ?? 'a client waits'} ${PATIENCE / 1_000} s after the last input`);
      world.checkEnd(events());
      checkEnd({ ...world, clients, events, received: receivers.received });
    } catch (error) {
      fail(error);
    }
  }
  return {
    violation,
    steps: timeline.taken,
    events: world.log.head(),
    story: story.lines,
  };
};

/** The events after which an order or an application waits for its client, and expires. */
const BEGINS_TO_WAIT: ReadonlySet<string> = new Set<DomainEvent['type']>(['OrderPlaced', 'AdoptionSubmitted']);

/** Milliseconds after which every order and application that nobody has decided on has expired, whatever clocks its machines have. */
const LONGEST_HOLD = HOLD + 2 * MOST_SKEW + 4_000;
