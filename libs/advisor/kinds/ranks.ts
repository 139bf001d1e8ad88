import type { Rank } from './aspect.js';
import type { Aspect } from './aspects.js';

/** The order of the columns of KINDS. The ranks of a lifespan come from its years. */
const COLUMNS =
  'away flat stairs heat cold toddler child senior cats dogs small costs night day plants nolive quiet odour easy effort cuddly walks nowalks travel cage talks tricks pair single coat grooming outdoors tidy unusual guards'.split(
    ' ',
  ) as readonly Aspect[];

/** One digit for each aspect, in groups of five that follow the order of COLUMNS. */
const KINDS: Readonly<Record<string, string>> = {
  dog: '/02122 /23222 /00031 /31110 /32000 /03231 /21103',
  cat: '/23322 /23322 /01220 /32222 /30320 /01231 /22100',
  rabbit: '/22313 /12211 /12223 /33221 /10311 /01301 /23010',
  'guinea pig': '/23311 /13211 /12033 /32221 /20322 /00302 /22310',
  hamster: '/33311 /01201 /13302 /32233 /10333 /00032 /30310',
  ferret: '/12302 /01111 /01120 /32000 /21211 /02311 /21030',
  rat: '/23311 /12201 /13311 /32121 /20323 /02302 /30120',
  gerbil: '/33321 /02201 /13222 /32233 /10333 /01303 /30120',
  mouse: '/33311 /01201 /13302 /32122 /00333 /00302 /30320',
  chinchilla: '/22302 /01101 /11303 /31311 /10312 /01312 /20030',
  budgie: '/23321 /12301 /13032 /31321 /10322 /22302 /31210',
  cockatiel: '/12321 /12201 /12032 /31221 /20312 /12312 /31210',
  canary: '/33321 /11301 /13032 /32332 /00323 /00222 /32310',
  finch: '/33321 /11301 /13032 /32332 /00323 /00302 /32310',
  lovebird: '/12321 /01101 /12032 /30311 /10312 /02312 /31120',
  parrot: '/01320 /00001 /10032 /30200 /20300 /33311 /31021',
  'leopard gecko': '/33311 /12212 /12300 /03323 /10333 /00033 /30330',
  'bearded dragon': '/33321 /12212 /11031 /13222 /20323 /01033 /30330',
  'corn snake': '/33311 /01112 /02300 /23323 /10333 /00033 /30330',
  tortoise: '/31321 /12222 /21033 /33212 /00320 /01033 /33330',
  turtle: '/31321 /01112 /11031 /23111 /00322 /00133 /32320',
  chameleon: '/32300 /00012 /10030 /03301 /00312 /00033 /31330',
  iguana: '/20310 /00101 /10033 /33100 /00210 /01033 /31130',
};

/** The ranks of a kind for every aspect but its lifespan. */
export const ranksOf = (kind: string): Readonly<Partial<Record<Aspect, Rank>>> => {
  const digits = (KINDS[kind] ?? '').replaceAll(/[/ ]/g, '');
  return Object.fromEntries(COLUMNS.map((one, nth) => [one, Number(digits[nth]) as Rank]));
};

/** How a lifespan ranks as a short and as a long one. */
export const lifeRanks = (years: number): Readonly<Record<'shortLife' | 'longLife', Rank>> => {
  const long: Rank = years > 25 ? 3 : years > 12 ? 2 : years > 5 ? 1 : 0;
  return { shortLife: (3 - long) as Rank, longLife: long };
};
