export { drawPng } from './draw.js';
export { sharpImages } from './sharp-images.js';
