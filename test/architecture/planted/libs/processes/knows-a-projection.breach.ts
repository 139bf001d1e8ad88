import { project } from '../projections/pets.projection.js';
export const known = project;
