import { isCommonWord } from '../words/common-words.js';
import { isWord, type Token } from './token.js';

/** Frequent words of other languages, one language a line. The last line also has Danish and Norwegian words. */
const FOREIGN: ReadonlySet<string> = new Set(
  `el los las una uno unos quiero busco tengo perro perros gato gatos hola gracias por para con mi niños niño hijos pequeño pequeña barato tienen hay está qué cuánto cuesta puedo necesito
  ich und der das ein eine einen hund katze möchte suche habe haben kinder klein kleine kleinen für mit nicht wie viel kostet hallo danke bitte guten tag gibt es sie wir mein meine ist
  je un le les des veux cherche chien chienne bonjour merci pour avec mon mes enfants petit petite j'ai avez vous combien coûte est pas que nous voudrais du
  io il lo gli cerco voglio cane gatto ciao grazie per bambini piccolo avete quanto costa vorrei sono non della
  eu quero procuro cachorro cão olá obrigado com meus crianças pequeno você vocês quanto tenho não uma
  ik en het een hond kat wil zoek hebben kinderen voor met niet hoeveel kost dank kleine ben heb
  jag och en ett vill har hund katt barn liten med inte jeg og vil`.split(/\s+/),
);
const LATIN = /^\p{Script=Latin}/u;

/** Whether a message is in another language than English. In doubt it counts as English. */
export const isOtherLanguage = (tokens: readonly Token[]): boolean => {
  const words = tokens.filter(isWord);
  if (words.length === 0) return false;
  const otherScript = words.filter(({ text }) => !LATIN.test(text)).length;
  if (otherScript * 2 > words.length) return true;
  const foreign = words.filter(({ word }) => FOREIGN.has(word)).length;
  const english = words.filter(({ word }) => isCommonWord(word) && !FOREIGN.has(word)).length;
  return foreign >= 2 && foreign > english;
};
