import { sections } from './guide.js';

/** Care of rabbits. */
export const RABBITS = sections('Rabbits', {
  feeding: [
    'Hay is most of the food and is always there. Add fresh leafy greens every day, few pellets, and fresh water.',
    'Carrots and fruit are treats only. Change food slowly. A rabbit that has not eaten or passed droppings for 12 hours needs a vet at once. Chocolate, onions, potatoes, rhubarb and avocado are poisonous.',
  ],
  exercise: [
    'Rabbits need several hours of running and hopping every day, and enough height to stand upright.',
    'Tunnels, boxes and things to chew keep them busy. A cage alone is too small.',
  ],
  housing: [
    'Keep rabbits in a large enclosure, indoors or outdoors, with a dry place to hide and protection from heat, draughts and predators.',
    'As a rule of thumb, two rabbits need at least three by two metres all the time. Heat is more dangerous than cold: above about 25 degrees Celsius they need shade and cooling. Protect cables indoors.',
  ],
  vet: [
    'See a vet who knows rabbits once or twice a year. The vet plans vaccinations, checks the teeth and advises on neutering.',
    'Not eating, a swollen belly, a tilted head or wet fur at the tail are emergencies for a rabbit.',
  ],
  children: [
    'Rabbits are not toys for young children: most do not like to be lifted, and they are hurt easily by a fall.',
    'Children sit on the floor and let the rabbit come to them. An adult is responsible for its care.',
  ],
  grooming: [
    'Brush a rabbit about once a week, and every day while it sheds. Never bathe it.',
    'Check teeth, claws and the area under the tail regularly.',
  ],
  training: [
    'Many rabbits learn to use a litter tray, above all when they are neutered.',
    'Put hay beside the tray, and reward with a small treat. Never lift a rabbit by its ears.',
  ],
  company: [
    'Rabbits need the company of other rabbits. A neutered pair usually gets along best.',
    'Let them get to know each other on neutral ground, slowly. A guinea pig is no replacement for another rabbit.',
  ],
  lifespan: ['Rabbits often live 8 to 12 years.', 'Plan for the whole life before you adopt one.'],
  settling: [
    'Have the enclosure, hay and a place to hide ready before the rabbit arrives.',
    'Leave it alone for the first days, keep its old food, and sit near it quietly.',
  ],
});
