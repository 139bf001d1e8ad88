import chalk from 'chalk';
export const shipped = chalk;
