import type { PetDetails, Species } from '../../../libs/domain/pets/pet.events.js';

/** The width and height of a drawing, in pixels. */
const SIDE = 640;

const GREY = '#98a0a8';
const BACKGROUNDS: Readonly<Record<Species, string>> = {
  DOG: '#cfe3f1',
  CAT: '#f6dfc8',
  RABBIT: '#dcebd3',
  BIRD: '#fdebc0',
  REPTILE: '#e6dff0',
  OTHER: '#f4d9d9',
};

/** The coats for the words in the colors of sample pets. Of two words, the first is the color of the markings. */
const COATS: Readonly<Record<string, string>> = {
  black: '#565560',
  white: '#fdfaf4',
  grey: GREY,
  golden: '#e2b15b',
  brown: '#9c6b48',
  ginger: '#e08e45',
  cream: '#f2ddb4',
  chestnut: '#a8623a',
  cinnamon: '#c98654',
  sand: '#d9bd84',
  orange: '#eb9440',
  green: '#7cb567',
  yellow: '#f4d052',
  blue: '#6fa8d8',
  albino: '#fbf1dc',
  calico: '#fdfaf4',
  tricolor: '#fdfaf4',
  spotted: '#f2ddb4',
  tortoiseshell: '#6b4a3a',
  brindle: '#8a6a4a',
};
const PATCHES: Readonly<Record<string, string>> = {
  calico: '#e08e45',
  tricolor: '#9c6b48',
  spotted: '#9c6b48',
  tortoiseshell: '#d98b3f',
  brindle: '#5e4632',
  tabby: '#747c84',
};

type Coat = { readonly fur: string; readonly patch: string };

const coatOf = (color: string): Coat => {
  const words = color.split(' ');
  const [first = GREY, second] = words.flatMap((word) => COATS[word] ?? []);
  if (second !== undefined) return { fur: second, patch: first };
  return { fur: first, patch: words.flatMap((word) => PATCHES[word] ?? [])[0] ?? first };
};

const INK = '#2e2b33';
const PINK = '#efa9a4';
const PALE = '#fff8ec';

const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, turn = 0): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" transform="rotate(${turn} ${x} ${y})"/>`;
const shape = (path: string, fill: string): string =>
  `<path d="${path}" fill="${fill}" stroke="${fill}" stroke-width="6" stroke-linejoin="round"/>`;
const line = (path: string, width = 3): string =>
  `<path d="${path}" fill="none" stroke="${INK}" stroke-width="${width}" stroke-linecap="round"/>`;
/** Draws a shape on the left, and its mirror image on the right. */
const pair = (left: string): string => `${left}<g transform="translate(200 0) scale(-1 1)">${left}</g>`;

const eyes = (x: number, y: number, size = 6.5): string =>
  pair(ellipse(x, y, size, size, INK)) +
  ellipse(x + 2, y - 2, size / 3, size / 3, '#fff') +
  ellipse(202 - x, y - 2, size / 3, size / 3, '#fff');
const smile = (y: number): string => line(`M100 ${y} v5 M100 ${y + 5} q-7 8 -14 3 M100 ${y + 5} q7 8 14 3`);
const nose = (y: number, fill = INK): string => shape(`M95 ${y} h10 l-5 5 z`, fill);
const whiskers = pair(line('M72 128 l-26 -5 M72 134 l-27 4', 1.5));

/** Each drawing fills a square of 200 by 200 units. */
const DRAWINGS: Readonly<Record<Species, (coat: Coat) => string>> = {
  DOG: ({ fur, patch }) =>
    ellipse(100, 208, 62, 52, fur) +
    ellipse(100, 106, 54, 52, fur) +
    ellipse(76, 98, 21, 24, patch) +
    pair(ellipse(48, 98, 17, 38, patch, 14) + ellipse(49, 98, 16, 37, 'rgb(0 0 0 / 0.12)', 14)) +
    ellipse(100, 130, 28, 23, PALE) +
    shape('M95 146 h10 v9 q-5 7 -10 0 z', PINK) +
    eyes(79, 99) +
    ellipse(100, 120, 9, 7, INK) +
    smile(126),
  CAT: ({ fur, patch }) =>
    ellipse(100, 208, 58, 50, fur) +
    pair(shape('M54 84 L52 38 L88 66 z', fur) + shape('M60 74 L59 51 L77 65 z', PINK)) +
    ellipse(100, 112, 56, 48, fur) +
    ellipse(77, 100, 20, 21, patch) +
    shape('M94 70 h12 l-6 16 z', patch) +
    ellipse(100, 132, 20, 14, PALE) +
    eyes(77, 106, 7.5) +
    nose(122, PINK) +
    smile(128) +
    whiskers,
  RABBIT: ({ fur, patch }) =>
    ellipse(100, 210, 54, 50, fur) +
    pair(ellipse(78, 50, 14, 46, fur, -8) + ellipse(78, 54, 7, 34, PINK, -8)) +
    ellipse(100, 122, 50, 46, fur) +
    ellipse(78, 112, 18, 20, patch) +
    pair(ellipse(88, 138, 14, 12, PALE)) +
    shape('M96 146 h8 v9 h-8 z', '#fff') +
    eyes(76, 114) +
    nose(128, PINK) +
    smile(134) +
    whiskers,
  BIRD: ({ fur, patch }) =>
    shape('M92 50 q4 -26 24 -24 q-14 8 -10 24 z', fur) +
    ellipse(100, 178, 64, 70, fur) +
    ellipse(100, 90, 46, 44, fur) +
    ellipse(100, 186, 38, 48, PALE) +
    pair(ellipse(48, 178, 17, 50, patch, 12) + ellipse(48, 178, 16, 49, 'rgb(0 0 0 / 0.14)', 12)) +
    pair(ellipse(72, 104, 10, 7, PINK)) +
    eyes(80, 86) +
    shape('M89 98 h22 l-11 19 z', '#ef8f3a') +
    line('M92 101 h16', 1.5),
  REPTILE: ({ fur, patch }) =>
    ellipse(100, 206, 54, 56, fur) +
    ellipse(100, 196, 26, 50, PALE) +
    pair(shape('M44 112 l-16 2 l14 8 z M48 126 l-14 8 l17 2 z', fur)) +
    shape('M100 66 l-7 12 h14 z M82 68 l-4 11 h13 z M118 68 l4 11 h-13 z', fur) +
    ellipse(100, 112, 60, 40, fur) +
    pair(ellipse(62, 82, 21, 21, fur) + ellipse(62, 82, 14, 14, PALE) + ellipse(62, 82, 6, 12, INK)) +
    pair(ellipse(84, 84, 5, 4, patch) + ellipse(52, 114, 6, 5, patch) + ellipse(68, 174, 6, 8, patch)) +
    ellipse(100, 92, 7, 5, patch) +
    pair(ellipse(93, 112, 2, 2, INK)) +
    `<path d="M100 137 v12 m0 0 l-6 7 m6 -7 l6 7" fill="none" stroke="#d9534f" stroke-width="4" stroke-linecap="round"/>` +
    line('M54 122 q46 30 92 0'),
  OTHER: ({ fur, patch }) =>
    ellipse(100, 206, 72, 56, fur) +
    pair(ellipse(56, 76, 18, 17, fur) + ellipse(56, 77, 10, 10, PINK)) +
    ellipse(100, 116, 58, 54, fur) +
    ellipse(76, 102, 22, 26, patch) +
    shape('M94 68 h12 l4 46 h-20 z', PALE) +
    ellipse(100, 138, 26, 20, PALE) +
    eyes(74, 108) +
    nose(128, PINK) +
    shape('M96 148 h8 v7 h-8 z', '#fff') +
    smile(134),
};

/** Draws a sample pet, as SVG. The same species and color give the same drawing. */
export const drawPet = ({ species, color = 'grey' }: Pick<PetDetails, 'species' | 'color'>): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 200 200">` +
  `<rect width="200" height="200" fill="${BACKGROUNDS[species]}"/>${ellipse(100, 112, 92, 92, 'rgb(255 255 255 / 0.45)')}` +
  `${DRAWINGS[species](coatOf(color))}</svg>`;
