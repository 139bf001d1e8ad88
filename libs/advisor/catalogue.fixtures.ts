import type { Catalogue, CatalogueCriteria, CataloguePet } from './catalogue.js';
import { byPrice } from './matching/money.js';

/** Creates a pet. Each field that `more` does not set has the value of an ordinary dog. */
export const pet = (name: string, more: Partial<CataloguePet> = {}): CataloguePet => ({
  id: `id-${name.toLowerCase().replaceAll(' ', '-')}`,
  name,
  species: 'DOG',
  breed: 'Beagle',
  ageMonths: 36,
  size: 'MEDIUM',
  color: 'brown',
  gender: 'MALE',
  goodWithKids: true,
  price: '300.00',
  currency: 'USD',
  status: 'AVAILABLE',
  medicalInfo: { vaccinated: true, spayedNeutered: true, microchipped: true, specialNeeds: false },
  ...more,
});

const HEALTHY = { vaccinated: true, spayedNeutered: true, microchipped: true, specialNeeds: false };

const PETS: readonly CataloguePet[] = [
  pet('Rex', { breed: 'Labrador Retriever', size: 'LARGE', color: 'black', price: '350.00', description: 'Rex loves long walks.' }),
  pet('Bella', { ageMonths: 8, gender: 'FEMALE', color: 'tricolor', price: '280.00', description: 'Bella fetches for hours.' }),
  pet('Toby', { breed: 'Dachshund', ageMonths: 110, size: 'SMALL', price: '120.00', description: 'Toby is calm in the car.' }),
  pet('Pixie', {
    breed: 'Jack Russell Terrier',
    ageMonths: 5,
    size: 'SMALL',
    gender: 'FEMALE',
    color: 'white',
    price: '240.00',
    medicalInfo: { ...HEALTHY, spayedNeutered: false },
  }),
  pet('Bruno', { breed: 'German Shepherd', ageMonths: 60, size: 'LARGE', goodWithKids: false, price: '400.00' }),
  pet('Daisy', { breed: 'Border Collie', ageMonths: 24, gender: 'FEMALE', color: 'black and white', price: '450.00', status: 'PENDING' }),
  pet('Rocky', {
    breed: 'Mixed breed',
    ageMonths: 84,
    price: '90.00',
    medicalInfo: { ...HEALTHY, specialNeeds: true, healthNotes: 'Needs drops for his eyes.' },
  }),
  pet('Luna', {
    species: 'CAT',
    breed: 'Siamese',
    ageMonths: 26,
    gender: 'FEMALE',
    color: 'cream',
    price: '250.00',
    description: 'Luna naps in the sun.',
  }),
  pet('Simba', { species: 'CAT', breed: 'Maine Coon', ageMonths: 48, size: 'LARGE', color: 'ginger', price: '420.00' }),
  pet('Cleo', {
    species: 'CAT',
    breed: 'Domestic Shorthair',
    ageMonths: 4,
    size: 'SMALL',
    gender: 'FEMALE',
    color: 'black',
    price: '80.00',
    goodWithKids: undefined,
  }),
  pet('Oscar', { species: 'CAT', breed: 'British Shorthair', ageMonths: 130, color: 'grey', price: '60.00', goodWithKids: false }),
  pet('Milo', { species: 'CAT', breed: 'Ragdoll', ageMonths: 30, size: 'LARGE', price: '390.00', status: 'ADOPTED' }),
  pet('Amélie', { species: 'CAT', breed: 'European Shorthair', ageMonths: 18, gender: 'FEMALE', price: '150.00', currency: 'EUR' }),
  pet('Clover', {
    species: 'RABBIT',
    breed: 'Holland Lop',
    ageMonths: 14,
    size: 'SMALL',
    gender: 'FEMALE',
    color: 'white',
    price: '45.00',
  }),
  pet('Thumper', {
    species: 'RABBIT',
    breed: 'Flemish Giant',
    ageMonths: 20,
    size: 'LARGE',
    color: 'grey',
    price: '95.00',
    goodWithKids: false,
  }),
  pet('Kiwi', {
    species: 'BIRD',
    breed: 'Budgerigar',
    ageMonths: 10,
    size: 'SMALL',
    color: 'green',
    price: '25.00',
    medicalInfo: undefined,
  }),
  pet('Sunny', {
    species: 'BIRD',
    breed: 'Cockatiel',
    ageMonths: 30,
    size: 'SMALL',
    color: 'yellow',
    price: '110.00',
    medicalInfo: undefined,
  }),
  pet('Einstein', {
    species: 'BIRD',
    breed: 'African Grey Parrot',
    ageMonths: 96,
    color: 'grey',
    price: '900.00',
    goodWithKids: false,
    medicalInfo: undefined,
  }),
  pet('Ziggy', {
    species: 'REPTILE',
    breed: 'Leopard Gecko',
    ageMonths: 16,
    size: 'SMALL',
    color: 'sand',
    price: '75.00',
    medicalInfo: undefined,
  }),
  pet('Slinky', {
    species: 'REPTILE',
    breed: 'Corn Snake',
    ageMonths: 40,
    color: 'orange',
    price: undefined,
    currency: undefined,
    goodWithKids: false,
    medicalInfo: undefined,
  }),
  pet('Peanut', { species: 'OTHER', breed: 'Guinea Pig', ageMonths: 7, size: 'SMALL', price: '20.00', medicalInfo: undefined }),
  pet('Nibbles', {
    species: 'OTHER',
    breed: 'Syrian Hamster',
    ageMonths: 3,
    size: 'SMALL',
    gender: 'FEMALE',
    price: '12.00',
    medicalInfo: undefined,
  }),
];

/** Pets of every species and status, the newest first, for tests and for trying the advisor. */
export const SAMPLE_PETS: readonly CataloguePet[] = PETS.map((one, nth) => ({
  ...one,
  createdAt: new Date(Date.UTC(2026, 0, 31 - nth)).toISOString(),
}));

const isWithin = (value: number, { min = 0, max = Infinity }: { readonly min?: number; readonly max?: number } = {}): boolean =>
  value >= min && value <= max;

const meets = (one: CataloguePet, { species, size, ageRange, compatibility = {}, medical = {} }: CatalogueCriteria): boolean =>
  one.status === 'AVAILABLE' &&
  (!species || species.includes(one.species)) &&
  (!size || (one.size !== undefined && size.includes(one.size))) &&
  isWithin(one.ageMonths, ageRange) &&
  (compatibility.goodWithKids === undefined || one.goodWithKids === compatibility.goodWithKids) &&
  (['vaccinated', 'spayedNeutered', 'specialNeeds'] as const).every(
    (field) => medical[field] === undefined || one.medicalInfo?.[field] === medical[field],
  );

const sorted = (pets: readonly CataloguePet[], sort: CatalogueCriteria['sort']): readonly CataloguePet[] => {
  if (!sort) return pets;
  if (sort.field === 'createdAt') return sort.order === 'ASC' ? pets.toReversed() : pets;
  const ascending = pets.toSorted(sort.field === 'price' ? byPrice : (one, other) => one.ageMonths - other.ageMonths);
  return sort.order === 'ASC' ? ascending : ascending.reverse();
};

/** Returns a catalogue of these pets, the newest first. */
export const catalogueOf = (pets: readonly CataloguePet[]): Catalogue => ({
  available: async ({ sort, ...criteria }, limit, page = 1) => {
    const found = pets.filter((one) => meets(one, criteria));
    return { pets: sorted(found, sort).slice((page - 1) * limit, page * limit), total: found.length };
  },
  named: async (names) => {
    const folded = new Set(names.map((name) => name.toLowerCase()));
    return pets.filter(({ name }) => folded.has(name.toLowerCase()));
  },
});

export const sampleCatalogue = (): Catalogue => catalogueOf(SAMPLE_PETS);
