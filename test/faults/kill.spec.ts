import { killJourney } from '../journeys/kill.journey.js';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 50);
killJourney({ rounds, seed: Number(process.env['FAULT_SEED'] ?? 7), mustInterrupt: rounds >= 10 });
