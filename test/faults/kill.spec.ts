import { killJourney } from '../journeys/kill.journey.js';

killJourney(Number(process.env['FAULT_ROUNDS'] ?? 50), Number(process.env['FAULT_SEED'] ?? 7));
