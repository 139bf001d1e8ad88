export { sharpImages } from './sharp-images.js';
