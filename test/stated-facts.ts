/** Recognises the beginning and the end of each sentence as entities, joined by what is between. */
import type { EntityRecogniser } from '../src/models/entity-recogniser.ts';

export const statedFacts: EntityRecogniser = {
  id: 'stated',
  recognise: async documents =>
    documents.map(({ sentences }) => {
      const cut = sentences.map(text => text.split(' '));
      const triples = cut.map(words => ({
        head: words.slice(0, 2).join(' '),
        relation: words.slice(2, -2).join(' '),
        tail: words.slice(-2).join(' '),
      }));
      return { sentences: triples.map(({ head, tail }) => [head, tail]), triples };
    }),
};
