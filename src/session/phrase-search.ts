/** Puts the items that hold the phrases in quotes of a search before all others. */
import { type Document, metadataText } from '../core/corpus/document.ts';
import type { Filter } from '../core/corpus/filter.ts';
import { defined } from '../core/defined.ts';
import type { Hit, Ranking, Unit } from '../core/ranking/ranking.ts';
import { proseSpelling } from '../core/text/identifiers.ts';
import { phraseTest, quotedPhrases } from '../core/text/phrases.ts';
import type { Call } from '../core/trace/call.ts';
import type { EngineQuery, SearchEngine } from '../search/engine.ts';
import { documentsOf } from './evidence-view.ts';

interface PhraseRequest {
  readonly query: string;
  readonly unit: Unit;
  readonly filter?: Filter | undefined;
}

interface Phrase {
  readonly text: string;
  readonly isHeldBy: (text: string) => boolean;
}

/** Items in the first look; each further one takes eight times as many. */
const FIRST_LOOK = 128;

export class PhraseSearch {
  /** Phrases that no item holds. */
  absent: readonly string[] = [];
  /** By the id of a hit: what its phrases add to its score. */
  readonly lifts: Map<string, number> = new Map();
  private readonly engine: SearchEngine;
  private readonly request: PhraseRequest;
  private readonly call: Call;
  private readonly quoted: readonly string[];
  private readonly phrases: readonly Phrase[];

  constructor(engine: SearchEngine, request: PhraseRequest, call: Call) {
    this.engine = engine;
    this.request = request;
    this.call = call;
    const { query } = request;
    this.quoted = quotedPhrases(query);
    const spelled = this.quoted.length === 0 ? proseSpelling(query) : undefined;
    const texts = spelled === undefined ? this.quoted : [spelled];
    this.phrases = texts.map(text => ({ text, isHeldBy: phraseTest(text) }));
  }

  /**
   * Returns a ranking of at most `most` hits. Items with more of the phrases come first, then those
   * with a better score. Every item that holds all words of a phrase is looked at until enough hold
   * it.
   */
  async first(ranking: Ranking, most: number): Promise<Ranking> {
    if (this.phrases.length === 0) return ranking;
    const found = await this.holders(most);
    const hits = new Map([...ranking, ...found.flat()].map(hit => [hit.id, hit]));
    const all = await this.counted([...hits.values()]);
    this.absent = this.quoted.filter((_, at) => found[at]!.length === 0);
    const step = 1 + Math.max(0, ...all.map(({ hit }) => Math.abs(hit.score)));
    const lifted = all.map(({ hit, count }): Hit => {
      // A step lies above any difference of scores.
      const lift = 2 * step * count;
      if (lift > 0) this.lifts.set(hit.id, lift);
      return { ...hit, score: hit.score + lift };
    });
    lifted.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    return lifted.slice(0, most);
  }

  /** Returns the best holders of each phrase, and in the last list those of all phrases. */
  private async holders(most: number): Promise<Hit[][]> {
    const groups = this.phrases.map(phrase => [phrase]);
    if (groups.length > 1) groups.push([...this.phrases]);
    const found: Hit[][] = [];
    for (const group of groups) found.push(await this.holdersOf(group, most));
    return found;
  }

  private async holdersOf(phrases: readonly Phrase[], most: number): Promise<Hit[]> {
    const { query, unit, filter } = this.request;
    const holding = phrases.map(({ text }) => text);
    const held: Hit[] = [];
    let seen = 0;
    for (let k = Math.max(FIRST_LOOK, most); ; k *= 8) {
      const queries = [{ text: query, holding, filter }].map(defined<EngineQuery>);
      const [ranking] = await this.engine.search({ unit, k, queries }, this.call);
      for (let from = seen; from < ranking!.length; from += FIRST_LOOK) {
        await this.call.pause?.();
        const looked = await this.counted(ranking!.slice(from, from + FIRST_LOOK), phrases);
        held.push(...looked.flatMap(({ hit, count }) => (count === phrases.length ? [hit] : [])));
        if (held.length >= most) return held.slice(0, most);
      }
      seen = ranking!.length;
      if (seen < k) return held;
    }
  }

  /** Counts the phrases that each hit holds in its text or in one of the fields of its document. */
  private async counted(
    hits: readonly Hit[],
    phrases: readonly Phrase[] = this.phrases,
  ): Promise<{ readonly hit: Hit; readonly count: number }[]> {
    const documents = await documentsOf(
      hits.map(({ documentId }) => documentId),
      this.engine,
    );
    return hits.map(hit => {
      const texts = searchedTexts(hit, documents.get(hit.documentId)!);
      return { hit, count: phrases.filter(({ isHeldBy }) => texts.some(isHeldBy)).length };
    });
  }
}

const FACTS = ['source', 'author', 'category'];

const searchedTexts = ({ start, end }: Hit, { title, text, metadata }: Document): string[] => [
  text.slice(start, end),
  title,
  ...FACTS.map(fact => metadataText(metadata, fact)),
];
