import { adoptionKillJourney } from './adoption-kills.journey.js';

adoptionKillJourney(2, 20_260_126);
