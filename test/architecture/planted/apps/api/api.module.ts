import { gateway } from '../../libs/adapters/gateway/index.js';
import { pets } from './pets/pets.controller.js';
export const api = [gateway, pets];
