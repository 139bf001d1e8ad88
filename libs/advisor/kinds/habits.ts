/** Fear, noise and growth: what the guide says for each kind of animal. The keys are names of kinds. */
export const FEAR: Readonly<Record<string, string>> = {
  dog: 'Give a frightened dog a dark, quiet place, close windows and blinds, stay calm beside it, and do not punish or push it. On days of fireworks walk it before dark, on a lead. If the fear is strong, ask a vet in good time, and a qualified trainer.',
  cat: 'Let a frightened cat hide, keep it indoors, close windows and blinds, and leave food and water near its place. Do not pull it out. If the fear lasts, ask a vet.',
  rabbit: 'Give frightened rabbits a place to hide and a quiet room, and move slowly. Leave their companion with them.',
  budgie:
    'Cover a part of the cage of a frightened bird, leave a small light on, and keep the room quiet. Sudden noise at night can make birds hurt themselves.',
  hamster: 'Leave a frightened hamster alone in its house, and begin again with food from the hand, in the evening.',
  'guinea pig': 'Give frightened guinea pigs a house each and a quiet place, and begin with food from the hand.',
};

export const NOISE: Readonly<Record<string, string>> = {
  dog: 'First find out why the dog barks: at visitors, from boredom, from fear, or because it is alone. Give it more exercise and tasks, take away the view of the street, and reward quiet at once. Never punish it. If it barks when it is alone, practise short times, and ask a qualified trainer.',
  cat: 'A cat that meows much can be hungry, bored, in heat, old or ill. Ask a vet first, then play with it before the night, and feed it late.',
  budgie:
    'A bird that screams is often bored, lonely or afraid: give it company, tasks and about ten to twelve hours of dark quiet, and answer its calls calmly. Never punish it.',
  'large parrot':
    'A parrot that screams is often bored or lonely: give it tasks and hours of company, and answer its calls calmly. Never punish it.',
  'guinea pig': 'Guinea pigs squeak loudly when they expect food. Feed at fixed times, and not at once when they squeak.',
  hamster: 'A hamster is loud in its wheel at night: use a large, quiet wheel, and a room where nobody sleeps.',
};

/** How large animals of a kind become. */
export const GROWTH: Readonly<Record<string, string>> = {
  dog: 'Dogs grow from about 2 to 70 kilograms, depending on the breed. The catalogue states the size of each dog.',
  cat: 'Most cats weigh 3 to 6 kilograms when they are grown, large breeds such as the Maine Coon up to 10.',
  rabbit: 'Dwarf rabbits weigh about 1 to 2 kilograms when they are grown, medium breeds 3 to 5, and giants 6 and more.',
  'guinea pig': 'Guinea pigs grow to about 20 to 30 centimetres and one kilogram.',
  hamster: 'Syrian hamsters grow to about 12 to 18 centimetres.',
  ferret: 'Ferrets grow to about 35 to 50 centimetres with the tail, and one to two kilograms.',
  rat: 'Rats grow to about 20 to 25 centimetres, and as much again for the tail.',
  budgie: 'Budgies grow to about 18 centimetres.',
  cockatiel: 'Cockatiels grow to about 32 centimetres.',
  canary: 'Canaries grow to about 12 to 14 centimetres.',
  'large parrot': 'Grey parrots grow to about 33 centimetres, large macaws to about 90.',
  'leopard gecko': 'Leopard geckos grow to about 20 to 25 centimetres.',
  'bearded dragon': 'Bearded dragons grow to about 40 to 55 centimetres.',
  'corn snake': 'Corn snakes grow to about 120 to 150 centimetres. Other snakes differ much: some pythons pass four metres.',
  tortoise: 'Hermann’s tortoises grow to about 15 to 25 centimetres.',
  'water turtle': 'Many water turtles grow to about 20 to 30 centimetres.',
};
