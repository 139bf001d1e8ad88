import { registerHooks } from 'node:module';
import type { WorldName } from './plan.js';

/** A bug that is planted in the code of the service, to see whether a simulation finds it. */
export type PlantedBug = {
  /** What is wrong. */
  readonly bug: string;
  readonly world: WorldName;
  /** A seed that finds it. After a change of the code, another may: the test goes on from it. */
  readonly seed: number;
  /** The compiled files that are changed: each text is replaced once. */
  readonly changes: readonly { readonly file: string; readonly text: string; readonly by: string }[];
};

/** The planted bugs by their names. */
export const PLANTED_BUGS: Readonly<Record<string, PlantedBug>> = {
  fence: {
    bug: 'a fence is not checked: the former owner of a read model goes on to write it',
    world: 'several machines',
    seed: 190,
    changes: [
      { file: 'libs/runtime/projecting/projection-role.js', text: 'if (!activeLease.isValid())', by: 'if (false)' },
      { file: 'libs/runtime/projecting/projection-role.js', text: 'activeLease.lost, ', by: '' },
      { file: 'libs/runtime/projecting/leased-target.js', text: '{ ...moved, lease }', by: 'moved' },
    ],
  },
  'early-checkpoint': {
    bug: 'the relay stores its position before it has published',
    world: 'several machines',
    seed: 2,
    changes: [
      {
        file: 'libs/runtime/relay/relay.js',
        text: "throw new LeaseLost('the relay’s lease expired before its batch was sent');\n    if (messages.length > 0)",
        by: "throw new LeaseLost('the relay’s lease expired before its batch was sent');\n    stored.advanceTo(position);\n    if (messages.length > 0)",
      },
    ],
  },
  expectation: {
    bug: 'an expectation is dropped: after a conflict, the same events are appended at the end of the stream',
    world: 'one folder',
    seed: 2,
    changes: [
      {
        file: 'libs/eventsourcing/handle.js',
        text: "    streams.drop(stream, loaded);\n    return 'conflict';",
        by: '    await store.append(stream, result.actual, encoded);\n    return streams.added(aggregate, stream, loaded, { recorded, end });',
      },
    ],
  },
  'release-without-holder': {
    bug: 'a pet is released by an order that does not hold it',
    world: 'several machines',
    seed: 40,
    changes: [
      {
        file: 'libs/domain/pets/pet.decider.js',
        text: 'const release = ({ holder, to }, pet) => isHeldBy(pet, holder) ?',
        by: 'const release = ({ holder, to }, pet) => pet.reservation ?',
      },
    ],
  },
  'sibling-claim': {
    bug: 'a request that fails frees the claim of another request of its account',
    world: 'one folder',
    seed: 20,
    changes: [
      {
        file: 'libs/domain/users/name-claim.decider.js',
        text: 'claims.filter((claim) => command.data.claims.includes(claim))',
        by: 'claims',
      },
    ],
  },
  'retry-without-key': {
    bug: 'a charge that is tried again has another key',
    world: 'one folder',
    seed: 29,
    changes: [
      {
        file: 'libs/application/payments/payment.commands.js',
        text: 'gateway.charge(state.reference, state.amount, state.currency, paymentId)',
        by: 'gateway.charge(state.reference, state.amount, state.currency, `${paymentId}:${(globalThis.charges = (globalThis.charges ?? 0) + 1)}`)',
      },
    ],
  },
  'long-lease': {
    bug: 'a lease is kept for minutes after its owner has crashed',
    world: 'several machines',
    seed: 5,
    changes: [{ file: 'libs/runtime/leases/run-while-leader.js', text: 'LEASE = 5_000', by: 'LEASE = 500_000' }],
  },
  'early-commit': {
    bug: 'the position of a consumer passes a message before it is handled',
    world: 'one folder',
    seed: 1060,
    changes: [
      {
        file: 'libs/eventsourcing/consuming/checkpoint-tracker.js',
        text: 'const taken = { position, isDone: false };',
        by: 'const taken = { position, isDone: true };',
      },
    ],
  },
  'lost-timer': {
    bug: 'work that is repeated is not repeated after a failure',
    world: 'several machines',
    seed: 2,
    changes: [
      {
        file: 'libs/runtime/following/repeat.js',
        text: 'onError(error);\n        }',
        by: 'onError(error);\n            return;\n        }',
      },
    ],
  },
  'skipped-event': {
    bug: 'a subscriber that waits for the end of the log misses its next event',
    world: 'several machines',
    seed: 1,
    changes: [
      {
        file: 'libs/runtime/following/shared-tail.js',
        text: 'filter(({ position }) => position > reached)',
        by: 'filter(({ position }) => position > reached + 1)',
      },
    ],
  },
  'completed-too-early': {
    bug: 'the work of a callback is completed before its outcome is recorded on the order',
    world: 'one folder',
    seed: 866,
    changes: [
      {
        file: 'libs/deliveries/dispatch/deliver.js',
        text: 'await handleFinished(context, current);\n        await context.work.complete(work);',
        by: 'await context.work.complete(work);\n        await handleFinished(context, current);',
      },
    ],
  },
  'used-name-freed': {
    bug: 'the claim of a name that an account uses lapses',
    world: 'one folder',
    seed: 14,
    changes: [{ file: 'libs/application/users/names/name-claims.js', text: 'return isUsed ? null', by: 'return false ? null' }],
  },
};

/** Plants a bug in the modules that are loaded from now on. Throws if the code no longer has the text that the bug replaces. */
export const plant = ({ changes }: PlantedBug): void => {
  const left = new Map(Map.groupBy(changes, ({ file }) => file));
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const file = [...left.keys()].find((name) => url.endsWith(`/dist/${name}`));
      if (file === undefined) return loaded;
      let source = Buffer.from(loaded.source as Uint8Array).toString();
      for (const { text, by } of left.get(file) ?? []) {
        if (!source.includes(text)) throw new Error(`${file} has no text to plant a bug in: ${text}`);
        source = source.replace(text, () => by);
      }
      left.delete(file);
      return { ...loaded, source };
    },
  });
};
