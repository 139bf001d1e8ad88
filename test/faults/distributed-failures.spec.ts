import { failuresJourney } from '../journeys/distributed/failures.journey.js';

const FAILING = {
  lost: 50,
  serverKills: 5,
  /** "`kill -9` of each role in turn under load, 20 times" */
  kills: Number(process.env['FAULT_ROUNDS'] ?? 20),
  seed: Number(process.env['FAULT_SEED'] ?? 7),
};

await failuresJourney('a store of two apis and two workers that fail again and again under load', FAILING);
