/** Declares what is read from a question and its evidence. */

import type { Mention } from '../../language/english/names/mentions.ts';
import type { NameKind } from '../../language/english/names/name-kinds.ts';
import type { AskedQuestion } from '../../language/english/question/asked-question.ts';
import type { RelationStep } from '../../language/english/relations/relation-steps.ts';
import type { Stated } from '../../language/english/relations/statements.ts';
import type { JointEvidence } from './joint-evidence.ts';
import type { OpenPassage, OpenSentence } from './open-sentence.ts';

/** A name in the question that a passage's title bears. */
export interface Anchor {
  readonly passage: number;
  readonly start: number;
  readonly end: number;
}

/** A mention in one passage of the title of another. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly sentence: number;
  readonly mention: Mention;
}

/** The way by which a passage is reached from the question. */
export interface Reach {
  /** Links from a passage that the question names; -1 if not reached. */
  readonly distance: number;
  /** From 0 to 1: how well the links state relations that the question asks for, in order. */
  readonly strength: number;
  /** Relations of the chain that the links used. */
  readonly used: number;
}

export interface OpenReading {
  readonly asked: AskedQuestion;
  readonly anchors: readonly Anchor[];
  readonly steps: readonly RelationStep[];
  readonly passages: readonly OpenPassage[];
  readonly sentences: readonly OpenSentence[];
  readonly links: readonly Link[];
  readonly reach: readonly Reach[];
  /** By sentence, what its mentions state, by relation name. */
  readonly stated: readonly (readonly Stated[])[];
  /** Stems of the question's words that no anchor binds, with their weights by rarity. */
  readonly unbound: ReadonlyMap<string, number>;
  /** Chains of sentences by the names that they share. */
  readonly joint: JointEvidence;
  /** Stems of the clause that asks, with weights from 0 to 1. */
  readonly asking: ReadonlyMap<string, number>;
  /** By the key of a name, what the sentences call it. */
  readonly kinds: ReadonlyMap<string, NameKind>;
}
