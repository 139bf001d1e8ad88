import { startOwnPetstore } from '../servers/test-petstore.js';
import { webhookJourney } from './webhook-journey.js';

webhookJourney('an order in the embedded profile', () => startOwnPetstore());
