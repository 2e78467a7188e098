import { type LanguageTable, listed } from '../language.ts';

const MONTHS =
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre';

export const FRENCH: LanguageTable = {
  code: 'fr',
  name: 'French',
  stopWords: listed(`
    a afin ai ainsi alors après as au aucun aucune aussi autre autres aux avait avant avec avez avoir avons c ce ceci cela celle celles celui ces cet cette ceux chaque chez comme comment combien d dans de depuis
    des deux donc dont doit doivent du dès elle elles en encore entre es est et eu eux faire fait faut font furent fut ici il ils j je l la laquelle le lequel les lesquelles lesquels leur leurs lors lorsque lui m ma mais
    me mes moi moins mon même n ne ni nos notre nous on ont ou où par parce pas pendant permet peu peut peuvent peux plus plusieurs pour pourquoi pouvez qu quand que quel quelle quelles quels
    qui quoi s sa sans se selon sera serait ses si sinon soit son sont sous sur t ta tandis te tes toi ton toujours tous tout toute toutes tu un une vers veut veux voir vos votre vous y à ça été étaient était être`),
  questionWords: [
    ['combien de', 'how many'],
    ['combien', 'how many'],
    ['en quelle année', 'in which year'],
    ['depuis quand', 'when'],
    ['quand', 'when'],
    ['pourquoi', 'why'],
    ['comment', 'how'],
    ['où', 'where'],
    ['quel est', 'what is the'],
    ['quelle est', 'what is the'],
    ['quelles', 'which'],
    ['quelle', 'which'],
    ['quels', 'which'],
    ['quel', 'which'],
    ['lequel', 'which'],
    ['laquelle', 'which'],
    ['qui est-ce qui', 'who'],
    ["qu'est-ce que", 'what'],
    ["qu'est-ce qui", 'what'],
    ['qui', 'who'],
    ['que', 'what'],
    ['quoi', 'what'],
  ],
  dates: [
    /(?<!\p{N})(?<day>\d{1,2})(?:er)? (?<month>janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre) (?<year>\d{4})(?!\p{N})/giu,
    /(?<![\p{N}/])(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})(?![\p{N}/])/gu,
    /(?<!\p{L})(?<month>janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre) (?<year>\d{4})(?!\p{N})/gu,
  ],
  months: MONTHS.split(' '),
  decimalComma: true,
  capitalNouns: false,
  verdicts: ['Oui', 'Non'],
  unspaced: false,
};
