/** Runs `bridge-claims` on one question: two hops over claims, and an answer from them. */
import { defined } from '../../core/defined.ts';
import type { DataPassage } from '../../core/text/passages-as-data.ts';
import type { Call } from '../../core/trace/call.ts';
import type {
  Citation,
  End,
  EvidenceItem,
  ModelOutput,
  Question,
  Rejection,
  Search,
  Withdrawal,
} from '../../core/trace/trace.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { endOfAnswer, INSUFFICIENT } from '../../models/short-answer.ts';
import { mergeTargets, sameTarget } from '../../planning/claims/claim-targets.ts';
import { degraded, ModelInUse } from '../../planning/model-in-use.ts';
import { sourceNames } from '../../planning/sources.ts';
import { keptFrom, type StrategyQuery } from '../../search/retriever.ts';
import { QuestionRun } from '../question-run.ts';
import type { Kit, OpenHop } from '../strategy.ts';
import { answerFromClaims, type ClaimAnswer } from './answer-prompt.ts';
import { ClaimChoice } from './choose.ts';
import { type Candidate, ClaimPool } from './claim-pool.ts';
import { ClaimSearch } from './claim-search.ts';
import { ClaimWriter } from './claim-writer.ts';
import { answerByRules, questionTypeOf } from './rule-answer.ts';
import { type BridgeClaimsSettings, limitsOf } from './settings.ts';

const WITHOUT_MODEL = degraded(
  'Without a language model: a claim is its sentence, made self-contained by rules; targets are capitalised names. Missing: paraphrase, resolved pronouns, and an answer from the claims.',
);

const WITHOUT_BASE = degraded(
  'Sentences were searched, and claims made of those found: there is no claim base, which ingest makes with claims',
);

export class ClaimsRun extends QuestionRun<BridgeClaimsSettings> {
  private readonly pool: ClaimPool;
  private readonly index: ClaimSearch;
  private readonly model: ModelInUse;
  private readonly writer: ClaimWriter;
  private readonly searches: Search[][] = [];
  private readonly modelled: boolean;

  constructor(
    question: Question,
    kit: Kit,
    call: Call,
    settings: BridgeClaimsSettings,
    model: LanguageModel | undefined,
  ) {
    super(question, kit, call, settings);
    this.pool = new ClaimPool(kit.engine, call, settings.minTokens);
    this.index = new ClaimSearch(kit, settings);
    this.model = new ModelInUse(model);
    this.modelled = this.model.present;
    this.writer = new ClaimWriter(this.model, settings, call);
  }

  async *hops(): AsyncGenerator<OpenHop, End, void> {
    const { settings, question, writer, index } = this;
    const sources = await sourceNames(this.kit.engine, this.call);
    const stated = await writer.targetsOf(question.text, sources);
    const targets = settings.profile === 'aware' ? [question.text, ...stated] : stated;
    await this.search(
      targets.map(text => ({ text })),
      0,
    );
    const first = this.choice().first(targets, settings.claims);
    // Kept before a model writes them, so that a limit on its calls leaves them as evidence.
    const found = await this.keep(first);
    if (!index.hasBase) await writer.write(first);
    if (settings.profile === 'paper') await writer.regenerate(first);
    yield this.hop(0, found, [
      ...(this.modelled ? [] : [WITHOUT_MODEL]),
      ...(index.hasBase || settings.over === 'sentences' ? [] : [WITHOUT_BASE]),
      targetsOutput(stated),
      ...writer.takeOutputs(),
      claimsOutput(first),
    ]);

    const bridges = this.bridges(targets, first);
    await this.search(
      bridges.map(bridge => this.queryOf(bridge)),
      1,
    );
    const choice = this.choice();
    choice.exclude(first);
    const further = bridges.map(({ target }) => target);
    const second = choice.second([...targets, ...further].slice(0, settings.bridges));
    const read = this.read(first, second, choice);
    const change = await this.keep(read);
    if (!index.hasBase) await writer.write(read.filter(claim => !first.includes(claim)));
    const type = read.length === 0 ? 'null' : questionTypeOf(question.text, sources, this.pool);
    const answer = await this.answer(type, read, sources);
    const hop = this.hop(1, change, [
      targetsOutput(further),
      ...writer.takeOutputs(),
      claimsOutput(read),
      { role: 'questionType', text: answer?.type ?? type, parsed: true },
    ]);
    yield defined({ reason: further.length > 0 ? further.join('; ') : undefined, ...hop });
    this.model.end();
    return { ...this.endOf(answer, read), questionType: answer?.type ?? type };
  }

  private choice(): ClaimChoice {
    const { profile, join } = this.settings;
    return new ClaimChoice(this.pool.all, {
      question: this.question.text,
      aware: profile === 'aware',
      join: join === 'target',
      ranked: profile === 'aware' ? this.searches[0]![0]!.hits.map(({ id }) => id) : [],
    });
  }

  /** Searches for targets and adds what is found to the pool. */
  private async search(queries: readonly StrategyQuery[], hop: number): Promise<void> {
    const found = await this.index.search(queries, this.call);
    this.searches.push(found.searches);
    await this.pool.add(found, hop);
  }

  /** Returns further targets of the first claims that were not searched, with their claims. */
  private bridges(targets: readonly string[], claims: readonly Candidate[]): Bridge[] {
    const found: Bridge[] = [];
    for (const claim of claims)
      for (const target of claim.claim.targets)
        if (
          ![...targets, ...found.map(claim => claim.target)].some(other =>
            sameTarget(other, target),
          )
        )
          found.push({ target, claim });
    return found.slice(0, Math.max(0, this.settings.bridges - targets.length));
  }

  private queryOf({ target, claim }: Bridge): StrategyQuery {
    return { text: target, from: { ...claim.search, id: claim.hit.id } };
  }

  /** Returns the claims to read: those within the cap, and of them the nearest to the question. */
  private read(
    first: readonly Candidate[],
    second: readonly Candidate[],
    choice: ClaimChoice,
  ): Candidate[] {
    const { cap, answerK } = limitsOf(this.settings);
    const chosen = [...first, ...second];
    const all =
      this.settings.profile === 'paper'
        ? [...second, ...choice.nearest(first)].slice(0, cap)
        : [...chosen, ...choice.fill(cap - chosen.length)].slice(0, cap);
    return choice.nearest(all).slice(0, answerK);
  }

  /** Keeps exactly these claims, in this order, as far as the budget allows. */
  private async keep(claims: readonly Candidate[]): Promise<Change> {
    const { selection } = this;
    const before = [...selection.all];
    const ids = new Set(claims.map(({ hit }) => hit.id));
    // A choice that only adds stands even if the run is cut inside the hop.
    if (before.some(({ id }) => !ids.has(id))) selection.withdrawAll();
    const rejected: Rejection[] = [];
    for (const { hit, search } of claims) {
      if (selection.has(hit.id)) continue;
      const item = keptFrom(this.searches[search.hop]![search.search]!, search, hit);
      if (!(await selection.keep(item)))
        rejected.push({ id: hit.id, search, ...selection.refusal });
    }
    const order = claims.flatMap(({ hit }) => (selection.has(hit.id) ? hit.id : []));
    return changeOf(before, order, selection.all, rejected);
  }

  private hop(number: number, change: Change, outputs: readonly ModelOutput[]): OpenHop {
    return { searches: this.searches[number]!, ...change, outputs };
  }

  private async answer(
    type: ClaimAnswer['type'] & string,
    read: readonly Candidate[],
    sources: readonly string[],
  ): Promise<ClaimAnswer | undefined> {
    const { answer, prompt } = this.settings;
    if (answer === 'rules') {
      const ruled = answerByRules(this.question.text, type, read, sources);
      return { type, answer: INSUFFICIENT, evidence: [], ...ruled };
    }
    if (answer === 'reader' || read.length === 0) return undefined;
    const reply = await this.model.ask(model =>
      answerFromClaims(model, this.question.text, read.map(shownClaim), prompt, this.call),
    );
    if (reply) this.writer.note(reply.outputs);
    return reply?.answer;
  }

  /** Returns the answer as a draft if claims that it names are evidence. */
  private endOf(answer: ClaimAnswer | undefined, read: readonly Candidate[]): End {
    return endOfAnswer(answer?.answer, () =>
      answer!.evidence
        .map(at => read[at]!)
        .filter(({ hit }) => this.selection.has(hit.id))
        .map(citationOf),
    );
  }
}

interface Bridge {
  readonly target: string;
  readonly claim: Candidate;
}

const citationOf = ({ hit: { id, documentId, start, end } }: Candidate): Citation => ({
  id,
  documentId,
  start,
  end,
});

const shownClaim = ({ claim, source: { title, about } }: Candidate): DataPassage => ({
  title,
  about,
  text: claim.text,
});

const targetsOutput = (targets: readonly string[]): ModelOutput => ({
  role: 'targets',
  text: JSON.stringify(mergeTargets(targets)),
  parsed: true,
});

/** Records the claims with what they were found by; `verified: false` marks plain sentences. */
const claimsOutput = (claims: readonly Candidate[]): ModelOutput => ({
  role: 'claims',
  text: JSON.stringify(
    claims.map(({ hit, claim: { text, target, topic, verified } }) => ({
      id: hit.id,
      claim: text,
      target,
      topic,
      verified,
    })),
  ),
  parsed: true,
});

type Change = Pick<OpenHop, 'kept' | 'rejected' | 'withdrawn' | 'order'>;

/** Returns the change from one choice of evidence to the next, `after` in any order. */
function changeOf(
  before: readonly EvidenceItem[],
  order: readonly string[],
  after: readonly EvidenceItem[],
  rejected: readonly Rejection[],
): Change {
  const old = new Set(before.map(({ id }) => id));
  const now = new Set(order);
  const kept = after.filter(({ id }) => !old.has(id));
  if (before.length === 0) return { kept, rejected };
  const why = new Map(rejected.map(rejection => [rejection.id, rejection.why]));
  const withdrawn = before
    .filter(({ id }) => !now.has(id))
    .map(({ id }): Withdrawal => ({ id, why: why.get(id) ?? 'outranked' }));
  return defined({
    kept,
    rejected,
    withdrawn: withdrawn.length > 0 ? withdrawn : undefined,
    order,
  });
}
