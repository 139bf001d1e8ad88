import './pet.spec.js';
