import { webhookKillsJourney } from './webhook-kills.journey.js';

webhookKillsJourney(5, 20_260_103);
