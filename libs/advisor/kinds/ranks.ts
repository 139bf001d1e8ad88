import type { Rank } from './aspect.js';
import type { Aspect } from './aspects.js';

/** The order of the columns of KINDS. The ranks of a lifespan come from its years. */
const COLUMNS =
  'away flat stairs heat cold toddler child senior cats dogs small costs night day plants nolive quiet odour easy cuddly walks nowalks travel cage talks tricks pair single coat outdoors tidy'.split(
    ' ',
  ) as readonly Aspect[];

/** One digit for each aspect, in groups of five that follow the order of COLUMNS. */
const KINDS: Readonly<Record<string, string>> = {
  //            away..  todd..  smal..  nolv..  walk..  tric..
  dog: '/02122 /23222 /00031 /31113 /20000 /32311 /1',
  cat: '/23322 /23322 /01220 /32223 /03200 /12312 /1',
  rabbit: '/22313 /12211 /12223 /33221 /03110 /13013 /0',
  'guinea pig': '/23311 /13211 /12033 /32222 /03220 /03022 /3',
  hamster: '/33311 /01201 /13302 /32231 /03330 /00320 /3',
  ferret: '/12302 /01111 /01120 /32002 /12110 /23111 /0',
  rat: '/23311 /12201 /13311 /32122 /03230 /23020 /1',
  gerbil: '/33321 /02201 /13222 /32231 /03330 /13030 /1',
  mouse: '/33311 /01201 /13302 /32120 /03330 /03020 /3',
  chinchilla: '/22302 /01101 /11303 /31311 /03120 /13120 /0',
  budgie: '/23321 /12301 /13032 /31321 /03222 /23021 /2',
  cockatiel: '/12321 /12201 /12032 /31222 /03121 /23121 /2',
  canary: '/33321 /11301 /13032 /32330 /03230 /02222 /3',
  finch: '/33321 /11301 /13032 /32330 /03230 /03022 /3',
  lovebird: '/12321 /01101 /12032 /30311 /03120 /23121 /1',
  parrot: '/01320 /00001 /10032 /30202 /03003 /33111 /0',
  'leopard gecko': '/33311 /12212 /12300 /03321 /03330 /00330 /3',
  'bearded dragon': '/33321 /12212 /11031 /13222 /03230 /10330 /3',
  'corn snake': '/33311 /01112 /02300 /23321 /03330 /00330 /3',
  tortoise: '/31321 /12222 /21033 /33210 /03200 /10333 /3',
  turtle: '/31321 /01112 /11031 /23110 /03220 /01332 /3',
  chameleon: '/32300 /00012 /10030 /03300 /03120 /00331 /3',
  iguana: '/20310 /00101 /10033 /33100 /02100 /10331 /1',
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
