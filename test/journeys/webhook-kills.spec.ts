import { webhookKillsJourney } from './webhook-kills.journey.js';

webhookKillsJourney(10, 20_260_103);
