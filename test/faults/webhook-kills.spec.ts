import { webhookKillsJourney } from '../journeys/webhook-kills.journey.js';

webhookKillsJourney(Number(process.env['WEBHOOK_KILLS'] ?? 100), Number(process.env['FAULT_SEED'] ?? 11));
