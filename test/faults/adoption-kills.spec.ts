import { adoptionKillJourney } from '../journeys/adoption-kills.journey.js';

adoptionKillJourney(Number(process.env['FAULT_ROUNDS'] ?? 50), Number(process.env['FAULT_SEED'] ?? 7));
