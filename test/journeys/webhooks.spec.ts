import { startOwnStore } from '../servers/store.js';
import { webhookJourney } from './webhook-journey.js';

webhookJourney('an order in the embedded profile', () => startOwnStore());
