import type { Phrases } from './phrases.js';
import { UNRECORDED } from './unrecorded.js';

const COLORS = (
  'black white brown golden grey gray ginger orange cream tricolor tricolour brindle calico tortoiseshell chestnut spotted green yellow blue sand albino ' +
  'purple pink turquoise cinnamon red tan silver fawn striped'
).split(' ');
/** Other spellings of the same colour. A search uses the spelling on the right. */
const SAME_COLORS: Readonly<Record<string, string>> = { gray: 'grey', tricolour: 'tricolor' };

/** Returns the spelling of a word that searches use. */
export const searchedSpelling = (word: string): string => SAME_COLORS[word] ?? word;

/** Words of preferences. */
export const PREFERENCES: Phrases = [
  ['baby, babies, newborn', { kind: 'stage', stage: 'BABY' }],
  ['young, juvenile, youngster', { kind: 'stage', stage: 'YOUNG' }],
  ['adult, adults, grown up, fully grown, grown, mature, middle aged', { kind: 'stage', stage: 'ADULT' }],
  ['senior, seniors, old, elderly, golden oldie', { kind: 'stage', stage: 'SENIOR' }],
  ['small, little, tiny, small sized, mini, miniature, compact, toy', { kind: 'size', size: 'SMALL' }],
  ['medium, mid sized, medium sized, mid size, medium size, average sized', { kind: 'size', size: 'MEDIUM' }],
  ['large, big, huge, giant, large sized, big sized', { kind: 'size', size: 'LARGE' }],
  [
    'kid, kids, child, children, toddler, toddlers, son, sons, daughter, daughters, grandchild, grandchildren, grandkids, grandson, granddaughter,' +
      'teenager, teenagers, teen, teens, tween, preschooler, schoolkids, infant, infants, kiddo, kiddos, my baby, our baby, a newborn baby, family friendly, child friendly, kid friendly,' +
      'little ones, my little girl, my little boy, our little girl, our little boy, little girl, little boy, niece, nephew',
    { kind: 'kids' },
  ],
  ['male, males, boy, boys', { kind: 'gender', gender: 'MALE' }],
  ['female, females, girl, girls', { kind: 'gender', gender: 'FEMALE' }],
  [
    'vaccinated, had his shots, had her shots, had its shots, had their shots, had shots, all his shots, all her shots, his shots, her shots, their shots, vaccines done, has its shots, up to date on shots, shots done, jabbed, have shots, got their shots, shots already, vaccinations, vaccinated already, jabs, their jabs, his jabs, her jabs, got their vaccines',
    { kind: 'health', field: 'vaccinated', value: true },
  ],
  ['unvaccinated', { kind: 'health', field: 'vaccinated', value: false }],
  ['spayed, neutered, castrated, sterilised, sterilized, desexed, fixed', { kind: 'health', field: 'spayedNeutered', value: true }],
  ['microchipped, chipped, microchip', { kind: 'health', field: 'microchipped', value: true }],
  [
    'special needs, special need, three legs, three legged, 3 legs, blind, one eye, one eyed, amputee, handicapped, disabled, chronic illness, disability',
    { kind: 'health', field: 'specialNeeds', value: true },
  ],
  ['healthy, in good health, health problems free', { kind: 'health', field: 'specialNeeds', value: false }],
  [
    'health problems, health issues, medical problems, medical issues, health condition',
    { kind: 'health', field: 'specialNeeds', value: true },
  ],
  [
    "no walks, without walks, doesn't need walks, doesnt need walks, don't need walks, does not need walks, no walking, no need to walk",
    { kind: 'unwalked' },
  ],
  [COLORS.flatMap((color) => [`${color} eyes`, `${color} eye`, `${color} eyed`]).join(','), { kind: 'unrecorded', trait: 'looks' }],
  ...COLORS.map((color) => [color, { kind: 'color', color: searchedSpelling(color) }] as const),
  ...UNRECORDED,
];
