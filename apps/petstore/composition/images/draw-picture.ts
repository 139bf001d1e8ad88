import { drawPng } from '../../../../libs/adapters/images/index.js';
import { drawPet } from '../../seeding/draw-pet.js';
import type { SamplePet } from '../../seeding/sample-pets.js';

/** Draws a sample pet as a PNG file. */
export const drawPicture = ({ details }: SamplePet): Promise<Uint8Array> => drawPng(drawPet(details));
