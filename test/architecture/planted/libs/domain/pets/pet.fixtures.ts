export const pet = { name: 'Rex' };
