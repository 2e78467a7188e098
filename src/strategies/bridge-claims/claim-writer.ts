/** Writes targets and claims with a language model, and by rules if the model fails. */

import type { Call } from '../../core/trace/call.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import { findNames } from '../../language/english/names/names.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { generateStructured, outputsOf, type Structured } from '../../models/structured.ts';
import {
  LEAST_TARGETS,
  mergeTargets,
  questionTargets,
} from '../../planning/claims/claim-targets.ts';
import { verifyClaim } from '../../planning/claims/verify-claim.ts';
import { FURTHER_TARGETS } from '../../planning/claims/write-claim.ts';
import type { ModelInUse } from '../../planning/model-in-use.ts';
import type { Candidate } from './claim-pool.ts';
import {
  BRIDGE,
  CLAIM,
  claimPrompt,
  claimTargetsPrompt,
  readClaim,
  readClaimLines,
  readTargets,
  readVerdict,
  targetsPrompt,
  VERIFY,
  verifyPrompt,
  type WrittenClaim,
} from './prompts.ts';
import type { BridgeClaimsSettings } from './settings.ts';

export type WriterSettings = Pick<BridgeClaimsSettings, 'targets' | 'verify' | 'prompt'>;
/** A claim by rules, which the writer replaces, and the sentence that it is of. */
export type ClaimDraft = Pick<Candidate, 'place' | 'claim'>;

export class ClaimWriter {
  private readonly model: ModelInUse;
  private readonly settings: WriterSettings;
  private readonly call: Call;
  private outputs: ModelOutput[] = [];

  constructor(model: ModelInUse, settings: WriterSettings, call: Call) {
    [this.model, this.settings, this.call] = [model, settings, call];
  }

  /** Adds outputs of another step. */
  note(outputs: readonly ModelOutput[]): void {
    this.outputs.push(...outputs);
  }

  /** Returns and clears the outputs since the last call. */
  takeOutputs(): ModelOutput[] {
    const outputs = [...this.outputs, ...this.model.takeNotes()];
    this.outputs = [];
    return outputs;
  }

  /** Returns the targets of the question; the rules add to fewer than two of a model. */
  async targetsOf(question: string, sources: readonly string[]): Promise<string[]> {
    const { targets: most } = this.settings;
    const written = await this.model.ask(async model => {
      const read = (json: unknown): string[] | undefined => readTargets(json, most);
      return this.noted(
        BRIDGE,
        await generateStructured(model, targetsPrompt(question, most), read, this.call),
      );
    });
    const merged = mergeTargets(written ?? []);
    if (merged.length >= Math.min(LEAST_TARGETS, most)) return merged;
    const added = mergeTargets([...merged, ...questionTargets(question, sources, most)]);
    return merged.length === 0 ? added : added.slice(0, LEAST_TARGETS);
  }

  /**
   * Writes the claims of candidates, one after another. The prompt depends on the sentence and the
   * text around it alone, so that a cache answers it for the next question.
   */
  async write(candidates: readonly ClaimDraft[]): Promise<void> {
    for (const candidate of candidates) {
      if (!this.model.present) return;
      await this.model.ask(model => this.writeOne(candidate, model));
    }
  }

  /** Asks for the further targets of each claim. */
  async regenerate(candidates: readonly Candidate[]): Promise<void> {
    for (const candidate of candidates) {
      const targets = await this.model.ask(async model => {
        const prompt = claimTargetsPrompt(
          candidate.claim.text,
          FURTHER_TARGETS,
          this.settings.prompt,
        );
        const read = (json: unknown): string[] | undefined => readTargets(json, FURTHER_TARGETS);
        return this.noted(BRIDGE, await generateStructured(model, prompt, read, this.call));
      });
      if (targets) candidate.claim = { ...candidate.claim, targets };
    }
  }

  /** Writes one claim, a second time if its evidence does not support it; else keeps the rules'. */
  private async writeOne(candidate: ClaimDraft, model: LanguageModel): Promise<void> {
    let missing: readonly string[] = [];
    for (let writing = 0; writing < 2; writing++) {
      const written = await this.ask(candidate, model, missing);
      if (written?.claim === undefined) return;
      const verdict = await this.verdict(candidate, written.claim, model);
      if (verdict.verified) {
        candidate.claim = claimOf(written, written.claim, candidate);
        return;
      }
      // Greedy decoding would repeat a prompt's reply.
      missing = verdict.missing.length > 0 ? verdict.missing : [written.claim];
    }
  }

  private async ask(
    { place }: ClaimDraft,
    model: LanguageModel,
    missing: readonly string[],
  ): Promise<WrittenClaim | undefined> {
    const prompt = claimPrompt(place, this.settings.prompt, missing);
    const reply = await generateStructured(model, prompt, readClaim, this.call);
    const read = this.noted(CLAIM, reply);
    return read ?? reply.texts.map(readClaimLines).findLast(lines => lines !== undefined);
  }

  private async verdict(
    { place }: ClaimDraft,
    claim: string,
    model: LanguageModel,
  ): Promise<{ readonly verified: boolean; readonly missing: readonly string[] }> {
    const byWords = verifyClaim(claim, place);
    if (this.settings.verify === 'words') return byWords;
    const prompt = verifyPrompt(place, claim, this.settings.prompt);
    const read = this.noted(
      VERIFY,
      await generateStructured(model, prompt, readVerdict, this.call),
    );
    return read ? { verified: read.consistent, missing: [] } : byWords;
  }

  /** Records the replies; returns the value. */
  private noted<T>(role: string, reply: Structured<T>): T | undefined {
    const parsed = reply.kind === 'parsed';
    this.outputs.push(...outputsOf(role, reply.texts, parsed));
    return parsed ? reply.value : undefined;
  }
}

function claimOf(
  { target, topic }: WrittenClaim,
  text: string,
  { claim }: ClaimDraft,
): ClaimDraft['claim'] {
  const about = target === '' ? claim.target : target;
  const names = findNames(text).map(name => name.text);
  const [, ...targets] = mergeTargets([about, ...names]);
  return {
    text,
    target: about,
    topic: topic === '' ? claim.topic : topic,
    verified: true,
    targets: (about === '' ? mergeTargets(names) : targets).slice(0, FURTHER_TARGETS),
  };
}
