import type { Species } from '../../domain/pets/pet.events.js';
import type { Phrases } from './phrases.js';

const species = (name: Species): { readonly kind: 'species'; readonly species: Species } => ({ kind: 'species', species: name });
const kinds = (name: Species | null, ...breeds: readonly string[]): Phrases =>
  breeds.flatMap((breed) => {
    const [first = breed] = breed.split('|');
    const texts = breed.split('|').flatMap((text) => [text, plural(text)]);
    return [[texts.join(','), { kind: 'breed', breed: first, species: name }] as const];
  });

const plural = (text: string): string =>
  text.endsWith('y') ? `${text.slice(0, -1)}ies` : /(s|sh|x)$/.test(text) ? `${text}es` : `${text}s`;

/** Breeds that customers ask for, beside the most frequent ones. */
const OTHER_DOGS =
  'bernese mountain dog|bernese,bichon frise|bichon,cavalier king charles spaniel|cavalier,australian shepherd,weimaraner,vizsla,shiba inu|shiba,staffordshire bull terrier|staffy|staffie,irish setter,setter,newfoundland,basset hound|basset,pointer,samoyed,chow chow,mastiff,bullmastiff,cane corso,papillon,pekingese,havanese,lhasa apso,westie|west highland terrier,cairn terrier,airedale,fox terrier,border terrier,scottish terrier,boston terrier,rhodesian ridgeback,bloodhound,afghan hound,saluki,borzoi,irish wolfhound|wolfhound,deerhound,leonberger,hovawart,eurasier,alaskan malamute|malamute,keeshond,basenji,goldendoodle,cavapoo,maltipoo,puggle,sheltie|shetland sheepdog,sheepdog|old english sheepdog,springer spaniel,miniature schnauzer,giant schnauzer,toy poodle,griffon,pinscher,kelpie,cattle dog|heeler,coonhound,xoloitzcuintli,dogo argentino,presa canario,spitz'.split(
    ',',
  );
const OTHER_CATS =
  'burmese,turkish angora,turkish van,devon rex,cornish rex,oriental shorthair,manx,munchkin,savannah,ocicat,balinese,tonkinese,himalayan,exotic shorthair,american shorthair,european shorthair,selkirk rex,chartreux,bombay,somali,siberian cat'.split(
    ',',
  );

/** Names of animals. A breed has its usual name first, then other names. */
export const ANIMALS: Phrases = [
  [
    'python function, python code, python script, python program, in python, hot dog, hot dogs, raining cats and dogs, computer mouse, mouse pad, bird eye, top dog, cat video, cat videos',
    { kind: 'other' },
  ],
  ['dog, dogs, doggo, doggy, doggie, doggies, doggos, hound, hounds, canine, canines, pooch', species('DOG')],
  [
    'cat, cats, kitty, kitties, feline, felines, tomcat, tomcats, tom cat, tom cats, mouser, mousers, good mouser, ratter, ratters, barn cat, barn cats, farm cat, farm cats, working cat, working cats, mouse catcher, mice catcher, rat catcher, mouse hunter, housecat, housecats',
    species('CAT'),
  ],
  ['rabbit, rabbits, bunny, bunnies, bunny rabbit', species('RABBIT')],
  ['bird, birds, birdie', species('BIRD')],
  ['reptile, reptiles', species('REPTILE')],
  ['puppy, puppies, pup, pups', { kind: 'stage', stage: 'BABY', species: 'DOG' }],
  ['kitten, kittens', { kind: 'stage', stage: 'BABY', species: 'CAT' }],
  [
    'fish, goldfish, fishes, fish tank, aquarium, aquariums, aquarium animals, koi, guppy, guppies, betta, shrimp, shrimps, jellyfish, seahorse, parakeet fish,  horse, horses, pony, ponies, spider, spiders, tarantula, tarantulas, scorpion, scorpions, pig, pigs, piglet, goat, goats,' +
      'sheep, cow, cows, chicken, chickens, hen, hens, duck, ducks, monkey, monkeys, panther, panthers, tiger, tigers, lion, lions, wolf, wolves, frog, frogs, axolotl, axolotls,' +
      'dragon, dragons, unicorn, unicorns, dinosaur, dinosaurs, elephant, elephants, crab, crabs, snail, snails, fox, foxes, panda, pandas, dolphin, dolphins, capybara, capybaras, alpaca, alpacas, llama, llamas, donkey, donkeys, squirrel, squirrels, raccoon, raccoons, otter, otters, sloth, sloths, koala, kangaroo, bear, bears, owl, owls, eagle, hawk, falcon, ' +
      'octopus, ants, bees, stick insect, stick insects, mantis, deer, skunk, meerkat, meerkats, ape, apes, lemur, penguin, penguins, toad, toads, newt, newts, salamander, goose, geese, crocodile, alligator, turkeys, shark, sharks',
    { kind: 'animal' },
  ],
  ...kinds(
    'DOG',
    'labrador retriever|labrador|lab',
    'golden retriever',
    'retriever',
    'beagle',
    'border collie',
    'collie',
    'german shepherd|alsatian',
    'dachshund|sausage dog',
    'jack russell terrier|jack russell|jack russel terrier|jack russel|jrt',
    'yorkshire terrier|yorkie',
    'bull terrier',
    'terrier',
    'poodle',
    'bulldog',
    'french bulldog|frenchie',
    'boxer',
    'rottweiler',
    'husky|siberian husky',
    'chihuahua',
    'pug',
    'shih tzu|shitzu',
    'corgi',
    'greyhound',
    'whippet',
    'spaniel',
    'cocker spaniel',
    'great dane',
    'doberman',
    'dalmatian',
    'maltese',
    'pomeranian',
    'schnauzer',
    'akita',
    'malinois',
    'saint bernard|st bernard',
    'pit bull|pitbull',
    'labradoodle',
    'cockapoo',
    'mixed breed dog|mutt|mongrel',
    'herding dog',
    'short-legged dog|short legged dog|short legs|tiny legs|stubby legs|little legs',
    ...OTHER_DOGS,
  ),
  ...kinds(
    'CAT',
    'domestic shorthair',
    'maine coon|mainecoon|main coon|maincoon',
    'siamese|siamese cat',
    'british shorthair',
    'ragdoll',
    'singapura',
    'persian|persian cat',
    'bengal|bengal cat',
    'sphynx',
    'birman',
    'russian blue',
    'scottish fold',
    'norwegian forest cat',
    'abyssinian',
    'tabby',
    ...OTHER_CATS,
  ),
  ...kinds(
    'RABBIT',
    'netherland dwarf',
    'holland lop',
    'rex rabbit',
    'flemish giant',
    'lop rabbit',
    'dwarf rabbit',
    'angora rabbit',
    'lionhead',
  ),
  ...kinds(
    'BIRD',
    'budgerigar|budgie|parakeet',
    'cockatiel',
    'canary',
    'african grey parrot|african grey',
    'parrot',
    'cockatoo',
    'macaw',
    'lovebird',
    'finch',
    'conure',
    'songbird|song bird|singing bird',
  ),
  ...kinds(
    'REPTILE',
    'leopard gecko',
    'gecko',
    'bearded dragon|beardie',
    'corn snake',
    'snake',
    'python|ball python',
    'boa',
    'lizard',
    'iguana',
    'chameleon',
    'tortoise',
    'turtle',
    'hermann tortoise',
  ),
  ...kinds(
    'OTHER',
    'guinea pig',
    'hamster',
    'syrian hamster',
    'ferret',
    'gerbil',
    'chinchilla',
    'rat',
    'degu',
    'hedgehog',
    'rodent',
    'sugar glider',
  ),
  ['mouse, mice', { kind: 'breed', breed: 'mouse', species: 'OTHER' }],
  [
    'small pet, small pets, small mammal, small mammals, small animal, small animals, little animal, little animals',
    { kind: 'species', species: 'OTHER' },
  ],
];

/** Words for a pet of any species. */
export const PET_WORDS: ReadonlySet<string> = new Set(
  'pet pets animal animals companion companions breed breeds one ones guy girl boy buddy friend'.split(' '),
);
