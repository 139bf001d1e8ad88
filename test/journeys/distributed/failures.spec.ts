import { failuresJourney } from './failures.journey.js';

const FAILING = { lost: 10, serverKills: 1, kills: 4, seed: 20_260_102 };

await failuresJourney('a store of two apis and two workers that fail under load', FAILING);
