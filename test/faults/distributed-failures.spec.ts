import { failuresJourney } from '../journeys/distributed/failures.journey.js';

const FAILURES = {
  lost: 50,
  serverKills: 5,
  /** Kills of the roles in turn. */
  kills: Number(process.env['FAULT_ROUNDS'] ?? 20),
  seed: Number(process.env['FAULT_SEED'] ?? 7),
};

await failuresJourney('a service of two apis and two workers that fail repeatedly under load', FAILURES);
