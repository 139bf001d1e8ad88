import { killJourney } from './kill.journey.js';

killJourney(10, 20_260_102);
