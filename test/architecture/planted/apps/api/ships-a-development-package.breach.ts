import fc from 'fast-check';
export const shipped = fc;
